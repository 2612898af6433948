// SPDX-License-Identifier: Apache-2.0
// Selection among broadcast operands.

func.func @column() {
  %a0 = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %a1 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %a2 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %r = chlo.broadcast_select %a0, %a1, %a2 : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1077936128, 1077936128, 1073741824], [3212836864, 1073741824, 3212836864]]> : tensor<2x3xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<true> : tensor<i1>
  %a1 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %a2 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %r = chlo.broadcast_select %a0, %a1, %a2 : (tensor<i1>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[3212836864, 1073741824, 3212836864], [3212836864, 1073741824, 3212836864]]> : tensor<2x3xui32>
  return
}
