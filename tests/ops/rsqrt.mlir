// SPDX-License-Identifier: Apache-2.0
// stablehlo.rsqrt: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F800000, 0x7FC00000, -1.0]> : tensor<10xf32>
  %r = stablehlo.rsqrt %a0 : tensor<10xf32>
  %w0 = stablehlo.constant dense<[0x7F800000, 2.828427, 1.4142135, 1.0, 7.0710677e-01, 3.1622776e-01, 3.1622775e-02, 0.0, 0x7FC00000, 0xFFC00000]> : tensor<10xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0.0, 0.125, 0.5, 1.0, 2.0, 10.0, 1000.0, 0x7FF0000000000000, 0x7FF8000000000000, -1.0]> : tensor<10xf64>
  %r = stablehlo.rsqrt %a0 : tensor<10xf64>
  %w0 = stablehlo.constant dense<[0x7FF0000000000000, 2.82842712474619, 1.414213562373095, 1.0, 0.7071067811865475, 0.31622776601683794, 0.03162277660168379, 0.0, 0x7FF8000000000000, 0xFFF8000000000000]> : tensor<10xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F80, 0x7FC0, -1.0]> : tensor<10xbf16>
  %r = stablehlo.rsqrt %a0 : tensor<10xbf16>
  %w0 = stablehlo.constant dense<[0x7F80, 2.828125, 1.4140625, 1.0, 7.0703125e-01, 3.1640625e-01, 3.173828e-02, 0.0, 0x7FC0, 0xFFC0]> : tensor<10xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xbf16>, tensor<10xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7C00, 0x7E00, -1.0]> : tensor<10xf16>
  %r = stablehlo.rsqrt %a0 : tensor<10xf16>
  %w0 = stablehlo.constant dense<[0x7C00, 2.828125, 1.4140625, 1.0, 7.0703125e-01, 3.161621e-01, 3.161621e-02, 0.0, 0x7E00, 0xFE00]> : tensor<10xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf16>, tensor<10xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.rsqrt %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(5.6886446e-01, -3.5157758e-01), (1.2738825e-01, -7.8500175e-01), (9.1239e-01, 6.576135e-01), (1.5364504e-01, 6.5085083e-01), (1.4142135, 0.0), (4.082483e-01, -4.082483e-01)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.rsqrt %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(0.5688644810057831, -0.3515775842541429), (0.12738824913169158, -0.7850017617921872), (0.9123900109238788, 0.6576135126604955), (0.15364503815606595, 0.6508508260346444), (1.414213562373095, 0.0), (0.4082482904638631, -0.4082482904638631)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.rsqrt %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.rsqrt %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<1.4142135> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
