// SPDX-License-Identifier: Apache-2.0
// Upwards, along each dimension.

func.func @row() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %r = "stablehlo.sort"(%a0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<5xi32>) -> (tensor<5xi32>)
  check.expect_eq_const %r, dense<[-1, 2, 3, 5, 7]> : tensor<5xi32>
  return
}

func.func @columns() {
  %a0 = stablehlo.constant dense<[[8, 9, 10, 11], [4, 5, 6, 7], [0, 1, 2, 3]]> : tensor<3x4xi32>
  %r = "stablehlo.sort"(%a0) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<3x4xi32>) -> (tensor<3x4xi32>)
  check.expect_eq_const %r, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  return
}
