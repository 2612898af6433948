// SPDX-License-Identifier: Apache-2.0
// chlo.lgamma: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[-2.5, 0.0, 5.0e-01, 3.0, 2.0e+01, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %r = chlo.lgamma %a0 : tensor<7xf32>
  %w0 = stablehlo.constant dense<[-5.6243718e-02, 0x7F800000, 5.723649e-01, 6.931472e-01, 3.9339886e+01, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<7xf32>, tensor<7xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[-2.5, 0.0, 0.5, 3.0, 20.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %r = chlo.lgamma %a0 : tensor<7xf64>
  %w0 = stablehlo.constant dense<[-0.05624371649767401, 0x7FF0000000000000, 0.5723649429247, 0.6931471805599453, 39.339884187199495, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  check.expect_close %r, %w0, max_ulp_difference = 16 : tensor<7xf64>, tensor<7xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[-2.5, 0.0, 5.0e-01, 3.0, 2.0e+01, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  %r = chlo.lgamma %a0 : tensor<7xbf16>
  %w0 = stablehlo.constant dense<[-5.6152344e-02, 0x7F80, 5.7421875e-01, 6.9140625e-01, 3.925e+01, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<7xbf16>, tensor<7xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[-2.5, 0.0, 5.0e-01, 3.0, 2.0e+01, 0x7C00, 0x7E00]> : tensor<7xf16>
  %r = chlo.lgamma %a0 : tensor<7xf16>
  %w0 = stablehlo.constant dense<[-5.6243896e-02, 0x7C00, 5.722656e-01, 6.933594e-01, 3.934375e+01, 0x7C00, 0x7E00]> : tensor<7xf16>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<7xf16>, tensor<7xf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.lgamma %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.lgamma %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<5.723649e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}
