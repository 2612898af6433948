// SPDX-License-Identifier: Apache-2.0
// Along each dimension; with nothing.

func.func @rows() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<[[0, 1, 2, 3]]> : tensor<1x4xi32>
  %r = "stablehlo.concatenate"(%a0, %a1) {dimension = 0 : i64} : (tensor<3x4xi32>, tensor<1x4xi32>) -> (tensor<4x4xi32>)
  check.expect_eq_const %r, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [0, 1, 2, 3]]> : tensor<4x4xi32>
  return
}

func.func @columns() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<[[0, 1], [4, 5], [8, 9]]> : tensor<3x2xi32>
  %a2 = stablehlo.constant dense<> : tensor<3x0xi32>
  %r = "stablehlo.concatenate"(%a0, %a1, %a2) {dimension = 1 : i64} : (tensor<3x4xi32>, tensor<3x2xi32>, tensor<3x0xi32>) -> (tensor<3x6xi32>)
  check.expect_eq_const %r, dense<[[0, 1, 2, 3, 0, 1], [4, 5, 6, 7, 4, 5], [8, 9, 10, 11, 8, 9]]> : tensor<3x6xi32>
  return
}
