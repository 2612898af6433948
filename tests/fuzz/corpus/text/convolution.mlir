// SPDX-License-Identifier: Apache-2.0
// Strides and padding.

func.func @plain() {
  %a0 = stablehlo.constant dense<[[[[0.0], [1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0], [7.0]], [[8.0], [9.0], [1.0e+01], [1.1e+01]], [[1.2e+01], [1.3e+01], [1.4e+01], [1.5e+01]]]]> : tensor<1x4x4x1xf32>
  %a1 = stablehlo.constant dense<[[[[0.0]], [[1.0]]], [[[2.0]], [[3.0]]]]> : tensor<2x2x1x1xf32>
  %r = "stablehlo.convolution"(%a0, %a1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 2>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> (tensor<1x4x2x1xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<1x4x2x1xf32>) -> tensor<1x4x2x1xui32>
  check.expect_eq_const %b0, dense<[[[[1077936128], [1095761920]], [[1103101952], [1108344832]], [[1111490560], [1114636288]], [[1116733440], [1118306304]]]]> : tensor<1x4x2x1xui32>
  return
}
