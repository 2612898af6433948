// SPDX-License-Identifier: Apache-2.0
// Trailing dimensions meet; ones are repeated.

func.func @row() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_atan2 %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %w0 = stablehlo.constant dense<[[6.435011e-01, -0.0, 5.880026e-01], [1.24354996e-01, 1.5042281, -7.853982e-01]]> : tensor<2x3xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x3xf32>, tensor<2x3xf32>
  return
}

func.func @placed() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = "chlo.broadcast_atan2"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %w0 = stablehlo.constant dense<[[6.435011e-01, -0.0, 5.880026e-01], [1.24354996e-01, 1.5042281, -7.853982e-01]]> : tensor<2x3xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x3xf32>, tensor<2x3xf32>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[1.5], [2.5e-01]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_atan2 %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %w0 = stablehlo.constant dense<[[6.435011e-01, 1.2490457, 4.636476e-01], [1.24354996e-01, 4.636476e-01, 8.314123e-02]]> : tensor<2x3xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x3xf32>, tensor<2x3xf32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_atan2 %a0, %a1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %w0 = stablehlo.constant dense<[[6.435011e-01, -0.0, 7.853982e-01], [1.24354996e-01, 1.3101939, -9.8279375e-01]]> : tensor<2x3xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x3xf32>, tensor<2x3xf32>
  return
}

func.func @none() {
  %a0 = stablehlo.constant dense<> : tensor<0x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_atan2 %a0, %a1 : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
  %w0 = stablehlo.constant dense<> : tensor<0x3xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<0x3xf32>, tensor<0x3xf32>
  return
}
