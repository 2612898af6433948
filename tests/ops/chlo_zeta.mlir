// SPDX-License-Identifier: Apache-2.0
// chlo.zeta of several types, edges, no elements.

func.func @case0_float32() {
  %a0 = stablehlo.constant dense<[2.0, 3.0, 1.5, 1.0]> : tensor<4xf32>
  %a1 = stablehlo.constant dense<[1.0, 2.5, 4.0, 1.0]> : tensor<4xf32>
  %r = chlo.zeta %a0, %a1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %w0 = stablehlo.constant dense<[1.644934, 1.1810203e-01, 1.0663719, 0x7F800000]> : tensor<4xf32>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<4xf32>, tensor<4xf32>
  return
}

func.func @case1_float64() {
  %a0 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf64>
  %a1 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %r = chlo.zeta %a0, %a1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %w0 = stablehlo.constant dense<[1.6449340668482266, 0.019823233711138193]> : tensor<2xf64>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<2xf64>, tensor<2xf64>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xf32>
  %a1 = stablehlo.constant dense<> : tensor<0xf32>
  %r = chlo.zeta %a0, %a1 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  %w0 = stablehlo.constant dense<> : tensor<0xf32>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<0xf32>, tensor<0xf32>
  return
}
