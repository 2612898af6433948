// SPDX-License-Identifier: Apache-2.0
// Starts are clamped.

func.func @inside() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<2> : tensor<i32>
  %r = "stablehlo.dynamic_slice"(%a0, %a1, %a2) {slice_sizes = array<i64: 2, 2>} : (tensor<3x4xi32>, tensor<i32>, tensor<i32>) -> (tensor<2x2xi32>)
  check.expect_eq_const %r, dense<[[6, 7], [10, 11]]> : tensor<2x2xi32>
  return
}

func.func @clamped() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<-9> : tensor<i64>
  %a2 = stablehlo.constant dense<9> : tensor<i64>
  %r = "stablehlo.dynamic_slice"(%a0, %a1, %a2) {slice_sizes = array<i64: 2, 2>} : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> (tensor<2x2xi32>)
  check.expect_eq_const %r, dense<[[2, 3], [6, 7]]> : tensor<2x2xi32>
  return
}
