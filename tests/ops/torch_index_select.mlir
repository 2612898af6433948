// SPDX-License-Identifier: Apache-2.0
// Along a dimension; with a batch dimension.

func.func @rows() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
  %r = "stablehlo.torch_index_select"(%a0, %a1) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3x4xi32>, tensor<3xi32>) -> (tensor<3x4xi32>)
  check.expect_eq_const %r, dense<[[4, 5, 6, 7], [0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<3x4xi32>
  return
}

func.func @columns() {
  %a0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 1.1e+01]], [[1.2e+01, 1.3e+01, 1.4e+01, 1.5e+01], [1.6e+01, 1.7e+01, 1.8e+01, 1.9e+01], [2.0e+01, 2.1e+01, 2.2e+01, 2.3e+01]]]> : tensor<2x3x4xf32>
  %a1 = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
  %r = "stablehlo.torch_index_select"(%a0, %a1) {dim = 2 : i64, batch_dims = 0 : i64} : (tensor<2x3x4xf32>, tensor<3xi32>) -> (tensor<2x3x3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3x3xf32>) -> tensor<2x3x3xui32>
  check.expect_eq_const %b0, dense<[[[1065353216, 0, 1065353216], [1084227584, 1082130432, 1084227584], [1091567616, 1090519040, 1091567616]], [[1095761920, 1094713344, 1095761920], [1099431936, 1098907648, 1099431936], [1101529088, 1101004800, 1101529088]]]> : tensor<2x3x3xui32>
  return
}

func.func @batch() {
  %a0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 1.1e+01]], [[1.2e+01, 1.3e+01, 1.4e+01, 1.5e+01], [1.6e+01, 1.7e+01, 1.8e+01, 1.9e+01], [2.0e+01, 2.1e+01, 2.2e+01, 2.3e+01]]]> : tensor<2x3x4xf32>
  %a1 = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %r = "stablehlo.torch_index_select"(%a0, %a1) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x2xi32>) -> (tensor<2x2x4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x2x4xf32>) -> tensor<2x2x4xui32>
  check.expect_eq_const %b0, dense<[[[1090519040, 1091567616, 1092616192, 1093664768], [0, 1065353216, 1073741824, 1077936128]], [[1098907648, 1099431936, 1099956224, 1100480512], [1098907648, 1099431936, 1099956224, 1100480512]]]> : tensor<2x2x4xui32>
  return
}
