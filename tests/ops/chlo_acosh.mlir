// SPDX-License-Identifier: Apache-2.0
// chlo.acosh: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F800000, 0x7FC00000]> : tensor<9xf32>
  %r = chlo.acosh %a0 : tensor<9xf32>
  %w0 = stablehlo.constant dense<[0xFFC00000, 0xFFC00000, 0xFFC00000, 0.0, 1.316958, 2.993223, 7.600902, 0x7F800000, 0x7FC00000]> : tensor<9xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<9xf32>, tensor<9xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0.0, 0.125, 0.5, 1.0, 2.0, 10.0, 1000.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>
  %r = chlo.acosh %a0 : tensor<9xf64>
  %w0 = stablehlo.constant dense<[0xFFF8000000000000, 0xFFF8000000000000, 0xFFF8000000000000, 0.0, 1.3169578969248168, 2.993222846126381, 7.600902209541989, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<9xf64>, tensor<9xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F80, 0x7FC0]> : tensor<9xbf16>
  %r = chlo.acosh %a0 : tensor<9xbf16>
  %w0 = stablehlo.constant dense<[0xFFC0, 0xFFC0, 0xFFC0, 0.0, 1.3203125, 3.0, 7.59375, 0x7F80, 0x7FC0]> : tensor<9xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<9xbf16>, tensor<9xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7C00, 0x7E00]> : tensor<9xf16>
  %r = chlo.acosh %a0 : tensor<9xf16>
  %w0 = stablehlo.constant dense<[0xFE00, 0xFE00, 0xFE00, 0.0, 1.3173828, 2.9941406, 7.6015625, 0x7C00, 0x7E00]> : tensor<9xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<9xf16>, tensor<9xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.acosh %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.5285709, 1.1437178), (1.069311, 2.7419536), (7.052894e-01, -1.3709294), (1.4693518, -2.6342363), (0.0, 1.0471976), (1.8184465, 1.5707964)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.acosh %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.528570919480998, 1.1437177404024206), (1.0693110431581105, 2.741953586253269), (0.7052894487791671, -1.370929407621624), (1.4693517443681852, -2.6342363503726487), (0.0, 1.0471975511965976), (1.8184464592320668, 1.5707963267948966)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.acosh %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.acosh %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<0xFFC00000> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
