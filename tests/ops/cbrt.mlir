// SPDX-License-Identifier: Apache-2.0
// stablehlo.cbrt: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = stablehlo.cbrt %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0xFF800000, -1.3572088, -1.0, -7.937005e-01, -0.0, 0.0, 6.2996054e-01, 1.0, 1.5182945, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = stablehlo.cbrt %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0xFFF0000000000000, -1.3572088082974534, -1.0, -0.7937005259840998, -0.0, 0.0, 0.6299605249474366, 1.0, 1.5182944859378313, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = stablehlo.cbrt %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0xFF80, -1.359375, -1.0, -7.9296875e-01, -0.0, 0.0, 6.2890625e-01, 1.0, 1.515625, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = stablehlo.cbrt %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0xFC00, -1.3574219, -1.0, -7.9345703e-01, -0.0, 0.0, 6.298828e-01, 1.0, 1.5185547, 0x7C00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.cbrt %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.cbrt %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<7.937005e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
