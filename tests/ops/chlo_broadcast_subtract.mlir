// SPDX-License-Identifier: Apache-2.0
// Trailing dimensions meet; ones are repeated.

func.func @row() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_subtract %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[3204448256, 3204448256, 3212836864], [3219128320, 1088421888, 3233808384]]> : tensor<2x3xui32>
  return
}

func.func @placed() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = "chlo.broadcast_subtract"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[3204448256, 3204448256, 3212836864], [3219128320, 1088421888, 3233808384]]> : tensor<2x3xui32>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[1.5], [2.5e-01]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_subtract %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[3204448256, 1065353216, 3217031168], [3219128320, 3196059648, 3224371200]]> : tensor<2x3xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_subtract %a0, %a1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[3204448256, 3221225472, 0], [3219128320, 1085276160, 3231711232]]> : tensor<2x3xui32>
  return
}

func.func @none() {
  %a0 = stablehlo.constant dense<> : tensor<0x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_subtract %a0, %a1 : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<0x3xf32>) -> tensor<0x3xui32>
  check.expect_eq_const %b0, dense<> : tensor<0x3xui32>
  return
}
