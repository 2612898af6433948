// SPDX-License-Identifier: Apache-2.0
// Trailing dimensions meet; ones are repeated.

func.func @row() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_maximum %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 1056964608, 1077936128], [1073741824, 1089470464, 1077936128]]> : tensor<2x3xui32>
  return
}

func.func @placed() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = "chlo.broadcast_maximum"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 1056964608, 1077936128], [1073741824, 1089470464, 1077936128]]> : tensor<2x3xui32>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[1.5], [2.5e-01]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_maximum %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 1069547520, 1077936128], [1073741824, 1056964608, 1077936128]]> : tensor<2x3xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_maximum %a0, %a1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 1073741824, 1073741824], [1073741824, 1089470464, 1073741824]]> : tensor<2x3xui32>
  return
}

func.func @none() {
  %a0 = stablehlo.constant dense<> : tensor<0x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_maximum %a0, %a1 : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<0x3xf32>) -> tensor<0x3xui32>
  check.expect_eq_const %b0, dense<> : tensor<0x3xui32>
  return
}
