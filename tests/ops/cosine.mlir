// SPDX-License-Identifier: Apache-2.0
// stablehlo.cosine: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = stablehlo.cosine %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0xFFC00000, -8.011436e-01, 5.403023e-01, 8.7758255e-01, 1.0, 1.0, 9.689124e-01, 5.403023e-01, -9.364567e-01, 0xFFC00000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = stablehlo.cosine %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0xFFF8000000000000, -0.8011436155469337, 0.5403023058681398, 0.8775825618903728, 1.0, 1.0, 0.9689124217106447, 0.5403023058681398, -0.9364566872907963, 0xFFF8000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = stablehlo.cosine %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0xFFC0, -8.0078125e-01, 5.390625e-01, 8.7890625e-01, 1.0, 1.0, 9.6875e-01, 5.390625e-01, -9.375e-01, 0xFFC0, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = stablehlo.cosine %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0xFE00, -8.0126953e-01, 5.4052734e-01, 8.774414e-01, 1.0, 1.0, 9.6875e-01, 5.4052734e-01, -9.3652344e-01, 0xFE00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.cosine %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(2.032723, -3.0518978), (7.9765104e-02, 5.1978993e-01), (1.2544347, 2.0344442e-01), (-6.4214814e-01, -1.0686074), (8.7758255e-01, -0.0), (1.0067662e+01, -0.0)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.cosine %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(2.0327230070196656, -3.0518977991518), (0.07976510530654189, 0.5197899547729212), (1.2544347167045338, 0.20344441524216456), (-0.64214812471552, -1.0686074213827783), (0.8775825618903728, -0.0), (10.067661995777765, -0.0)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.cosine %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.cosine %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<8.7758255e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
