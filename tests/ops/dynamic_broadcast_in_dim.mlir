// SPDX-License-Identifier: Apache-2.0
// A shape that is known after all.

func.func @row() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<[2, 5]> : tensor<2xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<5xi32>, tensor<2xi64>) -> (tensor<2x5xi32>)
  check.expect_eq_const %r, dense<[[3, -1, 2, 7, 5], [3, -1, 2, 7, 5]]> : tensor<2x5xi32>
  return
}
