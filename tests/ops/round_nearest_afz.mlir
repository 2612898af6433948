// SPDX-License-Identifier: Apache-2.0
// stablehlo.round_nearest_afz: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[-2.5, -1.5, -5.0e-01, -0.0, 0.0, 5.0e-01, 1.5, 2.5, 4.9999997e-01, 0xFF800000, 0x7FC00000]> : tensor<11xf32>
  %r = stablehlo.round_nearest_afz %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[-3.0, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0xFF800000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[-2.5, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0.49999997, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = stablehlo.round_nearest_afz %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[-3.0, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[-2.5, -1.5, -5.0e-01, -0.0, 0.0, 5.0e-01, 1.5, 2.5, 5.0e-01, 0xFF80, 0x7FC0]> : tensor<11xbf16>
  %r = stablehlo.round_nearest_afz %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[-3.0, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, 3.0, 1.0, 0xFF80, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[-2.5, -1.5, -5.0e-01, -0.0, 0.0, 5.0e-01, 1.5, 2.5, 5.0e-01, 0xFC00, 0x7E00]> : tensor<11xf16>
  %r = stablehlo.round_nearest_afz %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[-3.0, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, 3.0, 1.0, 0xFC00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.round_nearest_afz %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.round_nearest_afz %a0 : tensor<f32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b0, dense<1065353216> : tensor<ui32>
  return
}
