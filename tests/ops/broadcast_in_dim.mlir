// SPDX-License-Identifier: Apache-2.0
// Degenerate and absent dimensions are repeated.

func.func @columns() {
  %a0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %r = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 0, 2>} : (tensor<2x1xi32>) -> (tensor<2x3x2xi32>)
  check.expect_eq_const %r, dense<[[[1, 1], [1, 1], [1, 1]], [[2, 2], [2, 2], [2, 2]]]> : tensor<2x3x2xi32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<true> : tensor<i1>
  %r = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64>} : (tensor<i1>) -> (tensor<2x2xi1>)
  check.expect_eq_const %r, dense<[[true, true], [true, true]]> : tensor<2x2xi1>
  return
}

func.func @crossed() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 1, 0>} : (tensor<3x4xi32>) -> (tensor<4x3xi32>)
  check.expect_eq_const %r, dense<[[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]> : tensor<4x3xi32>
  return
}
