// SPDX-License-Identifier: Apache-2.0
// Trailing dimensions meet; ones are repeated.

func.func @row() {
  %a0 = stablehlo.constant dense<[[2.0, 1.5], [4.0, 3.25]]> : tensor<2x2xf32>
  %a1 = stablehlo.constant dense<[5.0e-01, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_zeta %a0, %a1 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %w0 = stablehlo.constant dense<[[4.934802, 1.6123754], [1.6234848e+01, 1.5915199e-01]]> : tensor<2x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

func.func @placed() {
  %a0 = stablehlo.constant dense<[[2.0, 1.5], [4.0, 3.25]]> : tensor<2x2xf32>
  %a1 = stablehlo.constant dense<[5.0e-01, 2.0]> : tensor<2xf32>
  %r = "chlo.broadcast_zeta"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %w0 = stablehlo.constant dense<[[4.934802, 1.6123754], [1.6234848e+01, 1.5915199e-01]]> : tensor<2x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[5.0e-01, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_zeta %a0, %a1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %w0 = stablehlo.constant dense<[[4.934802, 6.4493406e-01], [1.6234848e+01, 8.232323e-02]]> : tensor<2x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[[2.0, 1.5], [4.0, 3.25]]> : tensor<2x2xf32>
  %a1 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.broadcast_zeta %a0, %a1 : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %w0 = stablehlo.constant dense<[[4.934802, 4.776538], [1.6234848e+01, 9.868623]]> : tensor<2x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

func.func @none() {
  %a0 = stablehlo.constant dense<> : tensor<0x2xf32>
  %a1 = stablehlo.constant dense<[5.0e-01, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_zeta %a0, %a1 : (tensor<0x2xf32>, tensor<2xf32>) -> tensor<0x2xf32>
  %w0 = stablehlo.constant dense<> : tensor<0x2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<0x2xf32>, tensor<0x2xf32>
  return
}
