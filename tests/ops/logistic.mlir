// SPDX-License-Identifier: Apache-2.0
// stablehlo.logistic: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = stablehlo.logistic %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0.0, 7.585818e-02, 2.6894143e-01, 3.7754068e-01, 5.0e-01, 5.0e-01, 5.621765e-01, 7.310586e-01, 9.7068775e-01, 1.0, 0xFFC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = stablehlo.logistic %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0.0, 0.07585818002124355, 0.2689414213699951, 0.3775406687981454, 0.5, 0.5, 0.5621765008857981, 0.7310585786300049, 0.9706877692486436, 1.0, 0xFFF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = stablehlo.logistic %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0.0, 7.5683594e-02, 2.6953125e-01, 3.7695312e-01, 5.0e-01, 5.0e-01, 5.625e-01, 7.3046875e-01, 9.6875e-01, 1.0, 0xFFC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = stablehlo.logistic %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0.0, 7.58667e-02, 2.6904297e-01, 3.774414e-01, 5.0e-01, 5.0e-01, 5.620117e-01, 7.3095703e-01, 9.707031e-01, 1.0, 0xFE00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.logistic %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.logistic %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<6.2245935e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
