// SPDX-License-Identifier: Apache-2.0
// Vectors and matrices.

func.func @vectors() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %r = "stablehlo.dot"(%a0, %a1) {} : (tensor<5xi32>, tensor<5xi32>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<88> : tensor<i32>
  return
}

func.func @matrix() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %r = "stablehlo.dot"(%a0, %a1) {} : (tensor<3x4xi32>, tensor<4xi32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[14, 38, 62]> : tensor<3xi32>
  return
}
