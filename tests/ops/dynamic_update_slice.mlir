// SPDX-License-Identifier: Apache-2.0
// Starts are clamped.

func.func @clamped() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<[[-1, -1], [-1, -1]]> : tensor<2x2xi32>
  %a2 = stablehlo.constant dense<7> : tensor<i32>
  %a3 = stablehlo.constant dense<2> : tensor<i32>
  %r = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2, %a3) {} : (tensor<3x4xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<3x4xi32>)
  check.expect_eq_const %r, dense<[[0, 1, 2, 3], [4, 5, -1, -1], [8, 9, -1, -1]]> : tensor<3x4xi32>
  return
}

func.func @nothing() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<> : tensor<0xi32>
  %a2 = stablehlo.constant dense<1> : tensor<i32>
  %r = "stablehlo.dynamic_update_slice"(%a0, %a1, %a2) {} : (tensor<5xi32>, tensor<0xi32>, tensor<i32>) -> (tensor<5xi32>)
  check.expect_eq_const %r, dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  return
}
