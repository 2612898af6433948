// SPDX-License-Identifier: Apache-2.0
// chlo.erf_inv: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC00000]> : tensor<10xf32>
  %r = chlo.erf_inv %a0 : tensor<10xf32>
  %w0 = stablehlo.constant dense<[0xFF800000, -8.134198e-01, -2.2531205e-01, 0.0, 0.0, 4.7693628e-01, 1.084787, 0x7F800000, 0x7FC00000, 0xFFC00000]> : tensor<10xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[-1.0, -0.75, -0.25, -0.0, 0.0, 0.5, 0.875, 1.0, 1.5, 0x7FF8000000000000]> : tensor<10xf64>
  %r = chlo.erf_inv %a0 : tensor<10xf64>
  %w0 = stablehlo.constant dense<[0xFFF0000000000000, -0.8134198475976184, -0.2253120550121781, 0.0, 0.0, 0.4769362762044699, 1.084787040069283, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000]> : tensor<10xf64>
  check.expect_close %r, %w0, max_ulp_difference = 16 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC0]> : tensor<10xbf16>
  %r = chlo.erf_inv %a0 : tensor<10xbf16>
  %w0 = stablehlo.constant dense<[0xFF80, -8.125e-01, -2.2558594e-01, 0.0, 0.0, 4.765625e-01, 1.0859375, 0x7F80, 0x7FC0, 0xFFC0]> : tensor<10xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<10xbf16>, tensor<10xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7E00]> : tensor<10xf16>
  %r = chlo.erf_inv %a0 : tensor<10xf16>
  %w0 = stablehlo.constant dense<[0xFC00, -8.1347656e-01, -2.253418e-01, 0.0, 0.0, 4.7705078e-01, 1.0849609, 0x7C00, 0x7E00, 0xFE00]> : tensor<10xf16>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<10xf16>, tensor<10xf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.erf_inv %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.erf_inv %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<4.7693628e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}
