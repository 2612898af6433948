// SPDX-License-Identifier: Apache-2.0
// chlo.asin: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC00000]> : tensor<10xf32>
  %r = chlo.asin %a0 : tensor<10xf32>
  %w0 = stablehlo.constant dense<[-1.5707964, -8.480621e-01, -2.5268024e-01, -0.0, 0.0, 5.235988e-01, 1.0654358, 1.5707964, 0xFFC00000, 0x7FC00000]> : tensor<10xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[-1.0, -0.75, -0.25, -0.0, 0.0, 0.5, 0.875, 1.0, 1.5, 0x7FF8000000000000]> : tensor<10xf64>
  %r = chlo.asin %a0 : tensor<10xf64>
  %w0 = stablehlo.constant dense<[-1.5707963267948966, -0.848062078981481, -0.25268025514207865, -0.0, 0.0, 0.5235987755982989, 1.0654358165107394, 1.5707963267948966, 0xFFF8000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC0]> : tensor<10xbf16>
  %r = chlo.asin %a0 : tensor<10xbf16>
  %w0 = stablehlo.constant dense<[-1.5703125, -8.4765625e-01, -2.5195312e-01, -0.0, 0.0, 5.234375e-01, 1.0625, 1.5703125, 0xFFC0, 0x7FC0]> : tensor<10xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xbf16>, tensor<10xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7E00]> : tensor<10xf16>
  %r = chlo.asin %a0 : tensor<10xf16>
  %w0 = stablehlo.constant dense<[-1.5703125, -8.4814453e-01, -2.5268555e-01, -0.0, 0.0, 5.234375e-01, 1.0654297, 1.5703125, 0xFE00, 0x7E00]> : tensor<10xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf16>, tensor<10xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.asin %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(4.2707857e-01, 1.5285709), (-1.1711572, 1.069311), (1.9986692e-01, -7.052894e-01), (-1.06344, -1.4693518), (5.235988e-01, 0.0), (0.0, 1.8184465)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.asin %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(0.42707858639247614, 1.528570919480998), (-1.1711572594583726, 1.0693110431581105), (0.19986691917327254, -0.7052894487791671), (-1.0634400235777521, -1.4693517443681852), (0.5235987755982989, 0.0), (0.0, 1.8184464592320668)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.asin %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.asin %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<5.235988e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
