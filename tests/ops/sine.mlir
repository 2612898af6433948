// SPDX-License-Identifier: Apache-2.0
// stablehlo.sine: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = stablehlo.sine %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0xFFC00000, -5.984721e-01, -8.4147096e-01, -4.7942555e-01, -0.0, 0.0, 2.4740396e-01, 8.4147096e-01, -3.5078323e-01, 0xFFC00000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = stablehlo.sine %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0xFFF8000000000000, -0.5984721441039565, -0.8414709848078965, -0.479425538604203, -0.0, 0.0, 0.24740395925452294, 0.8414709848078965, -0.35078322768961984, 0xFFF8000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = stablehlo.sine %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0xFFC0, -5.9765625e-01, -8.3984375e-01, -4.7851562e-01, -0.0, 0.0, 2.4707031e-01, 8.3984375e-01, -3.515625e-01, 0xFFC0, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = stablehlo.sine %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0xFE00, -5.986328e-01, -8.413086e-01, -4.794922e-01, -0.0, 0.0, 2.4743652e-01, 8.413086e-01, -3.5083008e-01, 0xFE00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.sine %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(3.1657784, 1.959601), (-1.1248013, 3.6860824e-02), (3.2030976e-01, -7.9675287e-01), (-1.4031192, 4.8905626e-01), (4.7942555e-01, 0.0), (0.0, 1.0017875e+01)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.sine %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(3.165778513216168, 1.9596010414216063), (-1.1248012470579227, 0.03686082371280446), (0.320309770609702, -0.796752896153128), (-1.4031192506220405, 0.4890562590412937), (0.479425538604203, 0.0), (0.0, 10.017874927409903)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.sine %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.sine %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<4.7942555e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
