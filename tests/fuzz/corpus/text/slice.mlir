// SPDX-License-Identifier: Apache-2.0
// With strides; nothing.

func.func @strided() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = "stablehlo.slice"(%a0) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 4>, strides = array<i64: 2, 2>} : (tensor<3x4xi32>) -> (tensor<2x2xi32>)
  check.expect_eq_const %r, dense<[[1, 3], [9, 11]]> : tensor<2x2xi32>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %r = "stablehlo.slice"(%a0) {start_indices = array<i64: 2>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<5xi32>) -> (tensor<0xi32>)
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}
