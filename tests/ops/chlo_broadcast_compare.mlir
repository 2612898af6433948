// SPDX-License-Identifier: Apache-2.0
// Comparison of broadcast operands.

func.func @row() {
  %a0 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %r = chlo.broadcast_compare %a0, %a1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  check.expect_eq_const %r, dense<[[false, false, false], [true, true, false]]> : tensor<2x3xi1>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[-2.0], [-3.0]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %r = chlo.broadcast_compare %a0, %a1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  check.expect_eq_const %r, dense<[[true, true, true], [true, true, true]]> : tensor<2x3xi1>
  return
}
