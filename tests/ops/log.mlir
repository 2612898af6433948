// SPDX-License-Identifier: Apache-2.0
// stablehlo.log: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F800000, 0x7FC00000, -1.0]> : tensor<10xf32>
  %r = stablehlo.log %a0 : tensor<10xf32>
  %w0 = stablehlo.constant dense<[0xFF800000, -2.0794415, -6.931472e-01, 0.0, 6.931472e-01, 2.3025851, 6.9077554, 0x7F800000, 0x7FC00000, 0xFFC00000]> : tensor<10xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0.0, 0.125, 0.5, 1.0, 2.0, 10.0, 1000.0, 0x7FF0000000000000, 0x7FF8000000000000, -1.0]> : tensor<10xf64>
  %r = stablehlo.log %a0 : tensor<10xf64>
  %w0 = stablehlo.constant dense<[0xFFF0000000000000, -2.0794415416798357, -0.6931471805599453, 0.0, 0.6931471805599453, 2.302585092994046, 6.907755278982137, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000]> : tensor<10xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F80, 0x7FC0, -1.0]> : tensor<10xbf16>
  %r = stablehlo.log %a0 : tensor<10xbf16>
  %w0 = stablehlo.constant dense<[0xFF80, -2.078125, -6.9140625e-01, 0.0, 6.9140625e-01, 2.296875, 6.90625, 0x7F80, 0x7FC0, 0xFFC0]> : tensor<10xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xbf16>, tensor<10xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7C00, 0x7E00, -1.0]> : tensor<10xf16>
  %r = stablehlo.log %a0 : tensor<10xf16>
  %w0 = stablehlo.constant dense<[0xFC00, -2.0800781, -6.933594e-01, 0.0, 6.933594e-01, 2.3027344, 6.90625, 0x7C00, 0x7E00, 0xFE00]> : tensor<10xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf16>, tensor<10xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.log %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(8.04719e-01, 1.1071488), (4.5814538e-01, 2.819842), (-2.3500182e-01, -1.2490457), (8.04719e-01, -2.6779451), (-6.931472e-01, 0.0), (1.0986123, 1.5707964)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.log %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(0.8047189562170503, 1.1071487177940904), (0.45814536593707755, 2.819842099193151), (-0.2350018146228678, -1.2490457723982544), (0.8047189562170503, -2.677945044588987), (-0.6931471805599453, 0.0), (1.0986122886681098, 1.5707963267948966)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.log %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.log %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<-6.931472e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
