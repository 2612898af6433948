// SPDX-License-Identifier: Apache-2.0
// chlo.erfc: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = chlo.erfc %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[2.0, 1.999593, 1.8427008, 1.5204998, 1.0, 1.0, 7.236736e-01, 1.572992e-01, 7.430984e-07, 0.0, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = chlo.erfc %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[2.0, 1.999593047982555, 1.8427007929497148, 1.5204998778130465, 1.0, 1.0, 0.7236736098317631, 0.15729920705028516, 7.430983723414129e-07, 0.0, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = chlo.erfc %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[2.0, 2.0, 1.84375, 1.5234375, 1.0, 1.0, 7.2265625e-01, 1.5722656e-01, 7.4133277e-07, 0.0, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = chlo.erfc %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[2.0, 2.0, 1.8427734, 1.5205078, 1.0, 1.0, 7.236328e-01, 1.5734863e-01, 7.1525574e-07, 0.0, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.erfc %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.erfc %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<4.7950011e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
