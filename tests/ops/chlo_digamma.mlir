// SPDX-License-Identifier: Apache-2.0
// chlo.digamma: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[-2.5, 5.0e-01, 1.0, 3.5, 2.0e+01, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %r = chlo.digamma %a0 : tensor<7xf32>
  %w0 = stablehlo.constant dense<[1.1031567, -1.96351, -5.772157e-01, 1.1031567, 2.970524, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<7xf32>, tensor<7xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[-2.5, 0.5, 1.0, 3.5, 20.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %r = chlo.digamma %a0 : tensor<7xf64>
  %w0 = stablehlo.constant dense<[1.1031566406452433, -1.9635100260214235, -0.5772156649015329, 1.103156640645243, 2.970523992242149, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  check.expect_close %r, %w0, max_ulp_difference = 16 : tensor<7xf64>, tensor<7xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[-2.5, 5.0e-01, 1.0, 3.5, 2.0e+01, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  %r = chlo.digamma %a0 : tensor<7xbf16>
  %w0 = stablehlo.constant dense<[1.1015625, -1.9609375, -5.78125e-01, 1.1015625, 2.96875, 0x7F80, 0x7FC0]> : tensor<7xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<7xbf16>, tensor<7xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[-2.5, 5.0e-01, 1.0, 3.5, 2.0e+01, 0x7C00, 0x7E00]> : tensor<7xf16>
  %r = chlo.digamma %a0 : tensor<7xf16>
  %w0 = stablehlo.constant dense<[1.1035156, -1.9638672, -5.7714844e-01, 1.1035156, 2.9707031, 0x7C00, 0x7E00]> : tensor<7xf16>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<7xf16>, tensor<7xf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.digamma %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.digamma %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<-1.96351> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}
