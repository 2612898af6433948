// SPDX-License-Identifier: Apache-2.0
// Trailing dimensions meet; ones are repeated.

func.func @row() {
  %a0 = stablehlo.constant dense<[[2.0, 1.5], [4.0, 3.25]]> : tensor<2x2xf32>
  %a1 = stablehlo.constant dense<[5.0e-01, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_power %a0, %a1 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %w0 = stablehlo.constant dense<[[1.4142135, 2.25], [2.0, 1.05625e+01]]> : tensor<2x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

func.func @placed() {
  %a0 = stablehlo.constant dense<[[2.0, 1.5], [4.0, 3.25]]> : tensor<2x2xf32>
  %a1 = stablehlo.constant dense<[5.0e-01, 2.0]> : tensor<2xf32>
  %r = "chlo.broadcast_power"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %w0 = stablehlo.constant dense<[[1.4142135, 2.25], [2.0, 1.05625e+01]]> : tensor<2x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[5.0e-01, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_power %a0, %a1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %w0 = stablehlo.constant dense<[[1.4142135, 4.0], [2.0, 1.6e+01]]> : tensor<2x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[[2.0, 1.5], [4.0, 3.25]]> : tensor<2x2xf32>
  %a1 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.broadcast_power %a0, %a1 : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %w0 = stablehlo.constant dense<[[1.4142135, 1.2247449], [2.0, 1.8027756]]> : tensor<2x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

func.func @none() {
  %a0 = stablehlo.constant dense<> : tensor<0x2xf32>
  %a1 = stablehlo.constant dense<[5.0e-01, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_power %a0, %a1 : (tensor<0x2xf32>, tensor<2xf32>) -> tensor<0x2xf32>
  %w0 = stablehlo.constant dense<> : tensor<0x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<0x2xf32>, tensor<0x2xf32>
  return
}
