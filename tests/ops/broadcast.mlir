// SPDX-License-Identifier: Apache-2.0
// New dimensions in front.

func.func @row() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %r = "stablehlo.broadcast"(%a0) {broadcast_sizes = array<i64: 2>} : (tensor<5xi32>) -> (tensor<2x5xi32>)
  check.expect_eq_const %r, dense<[[3, -1, 2, 7, 5], [3, -1, 2, 7, 5]]> : tensor<2x5xi32>
  return
}
