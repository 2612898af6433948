// SPDX-License-Identifier: Apache-2.0
// One dimension, both, none.

func.func @one() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = "stablehlo.reverse"(%a0) {dimensions = array<i64: 1>} : (tensor<3x4xi32>) -> (tensor<3x4xi32>)
  check.expect_eq_const %r, dense<[[3, 2, 1, 0], [7, 6, 5, 4], [11, 10, 9, 8]]> : tensor<3x4xi32>
  return
}

func.func @both() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = "stablehlo.reverse"(%a0) {dimensions = array<i64: 0, 1>} : (tensor<3x4xi32>) -> (tensor<3x4xi32>)
  check.expect_eq_const %r, dense<[[11, 10, 9, 8], [7, 6, 5, 4], [3, 2, 1, 0]]> : tensor<3x4xi32>
  return
}

func.func @none() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = "stablehlo.reverse"(%a0) {dimensions = array<i64>} : (tensor<3x4xi32>) -> (tensor<3x4xi32>)
  check.expect_eq_const %r, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  return
}
