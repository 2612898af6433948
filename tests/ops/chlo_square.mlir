// SPDX-License-Identifier: Apache-2.0
// chlo.square: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = chlo.square %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0x7F800000, 6.25, 1.0, 2.5e-01, 0.0, 0.0, 6.25e-02, 1.0, 1.225e+01, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = chlo.square %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0x7FF0000000000000, 6.25, 1.0, 0.25, 0.0, 0.0, 0.0625, 1.0, 12.25, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = chlo.square %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0x7F80, 6.25, 1.0, 2.5e-01, 0.0, 0.0, 6.25e-02, 1.0, 1.225e+01, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = chlo.square %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0x7C00, 6.25, 1.0, 2.5e-01, 0.0, 0.0, 6.25e-02, 1.0, 1.225e+01, 0x7C00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.square %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(-3.0, 4.0), (2.0, -1.5), (-5.0e-01, -3.75e-01), (3.0, 4.0), (2.5e-01, 0.0), (-9.0, 0.0)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.square %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(-3.0, 4.0), (2.0, -1.5), (-0.5, -0.375), (3.0, 4.0), (0.25, 0.0), (-9.0, 0.0)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.square %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.square %a0 : tensor<f32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b0, dense<1048576000> : tensor<ui32>
  return
}
