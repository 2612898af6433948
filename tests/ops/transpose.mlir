// SPDX-License-Identifier: Apache-2.0
// Permuted dimensions.

func.func @matrix() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = "stablehlo.transpose"(%a0) {permutation = array<i64: 1, 0>} : (tensor<3x4xi32>) -> (tensor<4x3xi32>)
  check.expect_eq_const %r, dense<[[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]> : tensor<4x3xi32>
  return
}

func.func @cube() {
  %a0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 1.1e+01]], [[1.2e+01, 1.3e+01, 1.4e+01, 1.5e+01], [1.6e+01, 1.7e+01, 1.8e+01, 1.9e+01], [2.0e+01, 2.1e+01, 2.2e+01, 2.3e+01]]]> : tensor<2x3x4xf32>
  %r = "stablehlo.transpose"(%a0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<4x2x3xf32>) -> tensor<4x2x3xui32>
  check.expect_eq_const %b0, dense<[[[0, 1082130432, 1090519040], [1094713344, 1098907648, 1101004800]], [[1065353216, 1084227584, 1091567616], [1095761920, 1099431936, 1101529088]], [[1073741824, 1086324736, 1092616192], [1096810496, 1099956224, 1102053376]], [[1077936128, 1088421888, 1093664768], [1097859072, 1100480512, 1102577664]]]> : tensor<4x2x3xui32>
  return
}

func.func @halves() {
  %a0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 1.1e+01]], [[1.2e+01, 1.3e+01, 1.4e+01, 1.5e+01], [1.6e+01, 1.7e+01, 1.8e+01, 1.9e+01], [2.0e+01, 2.1e+01, 2.2e+01, 2.3e+01]]]> : tensor<2x3x4xbf16>
  %r = "stablehlo.transpose"(%a0) {permutation = array<i64: 0, 2, 1>} : (tensor<2x3x4xbf16>) -> (tensor<2x4x3xbf16>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x4x3xbf16>) -> tensor<2x4x3xui16>
  check.expect_eq_const %b0, dense<[[[0, 16512, 16640], [16256, 16544, 16656], [16384, 16576, 16672], [16448, 16608, 16688]], [[16704, 16768, 16800], [16720, 16776, 16808], [16736, 16784, 16816], [16752, 16792, 16824]]]> : tensor<2x4x3xui16>
  return
}
