// SPDX-License-Identifier: Apache-2.0
// Transposed, summed, diagonals.

func.func @labels_0() {
  %a0 = stablehlo.constant dense<[[2.0, 0.0, -2.0], [1.0, -1.0, 1.0]]> : tensor<2x3xf32>
  %r = "stablehlo.unary_einsum"(%a0) {einsum_config = "ab->ba"} : (tensor<2x3xf32>) -> (tensor<3x2xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3x2xf32>) -> tensor<3x2xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 1065353216], [0, 3212836864], [3221225472, 1065353216]]> : tensor<3x2xui32>
  return
}

func.func @labels_1() {
  %a0 = stablehlo.constant dense<[[-3.0, -2.0, 2.0], [-3.0, 1.0, -1.0]]> : tensor<2x3xbf16>
  %r = "stablehlo.unary_einsum"(%a0) {einsum_config = "ab->a"} : (tensor<2x3xbf16>) -> (tensor<2xbf16>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %b0, dense<[49216, 49216]> : tensor<2xui16>
  return
}

func.func @labels_2() {
  %a0 = stablehlo.constant dense<[[-3.0, 2.0, 1.0], [2.0, 3.0, 2.0], [2.0, -3.0, 3.0]]> : tensor<3x3xf32>
  %r = "stablehlo.unary_einsum"(%a0) {einsum_config = "aa->a"} : (tensor<3x3xf32>) -> (tensor<3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %b0, dense<[3225419776, 1077936128, 1077936128]> : tensor<3xui32>
  return
}

func.func @labels_3() {
  %a0 = stablehlo.constant dense<[[[3.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [[0.0, 2.0], [3.0, -1.0], [-3.0, -2.0]], [[-3.0, 0.0], [-3.0, -2.0], [-2.0, 1.0]]]> : tensor<3x3x2xf32>
  %r = "stablehlo.unary_einsum"(%a0) {einsum_config = "aab->b"} : (tensor<3x3x2xf32>) -> (tensor<2xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %b0, dense<[1082130432, 1065353216]> : tensor<2xui32>
  return
}

func.func @labels_4() {
  %a0 = stablehlo.constant dense<[[-2.0, 3.0, -2.0], [3.0, 0.0, -2.0]]> : tensor<2x3xf32>
  %r = "stablehlo.unary_einsum"(%a0) {einsum_config = "ab->"} : (tensor<2x3xf32>) -> (tensor<f32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b0, dense<0> : tensor<ui32>
  return
}

func.func @labels_5() {
  %a0 = stablehlo.constant dense<[[[-3.0, -1.0, 1.0, -3.0], [-2.0, -3.0, 1.0, -3.0], [-3.0, 0.0, -1.0, 0.0]], [[3.0, 3.0, 0.0, 1.0], [2.0, 0.0, 1.0, -2.0], [1.0, -2.0, -2.0, 2.0]]]> : tensor<2x3x4xf32>
  %r = "stablehlo.unary_einsum"(%a0) {einsum_config = "a...->...a"} : (tensor<2x3x4xf32>) -> (tensor<3x4x2xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3x4x2xf32>) -> tensor<3x4x2xui32>
  check.expect_eq_const %b0, dense<[[[3225419776, 1077936128], [3212836864, 1077936128], [1065353216, 0], [3225419776, 1065353216]], [[3221225472, 1073741824], [3225419776, 0], [1065353216, 1065353216], [3225419776, 3221225472]], [[3225419776, 1065353216], [0, 3221225472], [3212836864, 3221225472], [0, 1073741824]]]> : tensor<3x4x2xui32>
  return
}

func.func @labels_6() {
  %a0 = stablehlo.constant dense<[[1.0, -1.0, -3.0], [-2.0, 2.0, 0.0]]> : tensor<2x3xf32>
  %r = "stablehlo.unary_einsum"(%a0) {einsum_config = "ba"} : (tensor<2x3xf32>) -> (tensor<3x2xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3x2xf32>) -> tensor<3x2xui32>
  check.expect_eq_const %b0, dense<[[1065353216, 3221225472], [3212836864, 1073741824], [3225419776, 0]]> : tensor<3x2xui32>
  return
}
