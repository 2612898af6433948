// SPDX-License-Identifier: Apache-2.0
// chlo.acos: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC00000]> : tensor<10xf32>
  %r = chlo.acos %a0 : tensor<10xf32>
  %w0 = stablehlo.constant dense<[3.1415927, 2.4188583, 1.8234766, 1.5707964, 1.5707964, 1.0471976, 5.053605e-01, 0.0, 0xFFC00000, 0xFFC00000]> : tensor<10xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[-1.0, -0.75, -0.25, -0.0, 0.0, 0.5, 0.875, 1.0, 1.5, 0x7FF8000000000000]> : tensor<10xf64>
  %r = chlo.acos %a0 : tensor<10xf64>
  %w0 = stablehlo.constant dense<[3.141592653589793, 2.4188584057763776, 1.8234765819369754, 1.5707963267948966, 1.5707963267948966, 1.0471975511965976, 0.5053605102841573, 0.0, 0xFFF8000000000000, 0xFFF8000000000000]> : tensor<10xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC0]> : tensor<10xbf16>
  %r = chlo.acos %a0 : tensor<10xbf16>
  %w0 = stablehlo.constant dense<[3.140625, 2.421875, 1.8203125, 1.5703125, 1.5703125, 1.046875, 5.0390625e-01, 0.0, 0xFFC0, 0xFFC0]> : tensor<10xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xbf16>, tensor<10xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7E00]> : tensor<10xf16>
  %r = chlo.acos %a0 : tensor<10xf16>
  %w0 = stablehlo.constant dense<[3.140625, 2.4179688, 1.8232422, 1.5703125, 1.5703125, 1.046875, 5.053711e-01, 0.0, 0xFE00, 0xFE00]> : tensor<10xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf16>, tensor<10xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.acos %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.1437178, -1.5285709), (2.7419536, -1.069311), (1.3709294, 7.052894e-01), (2.6342363, 1.4693518), (1.0471976, -0.0), (1.5707964, -1.8184465)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.acos %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.1437177404024206, -1.528570919480998), (2.741953586253269, -1.0693110431581105), (1.370929407621624, 0.7052894487791671), (2.6342363503726487, 1.4693517443681852), (1.0471975511965976, -0.0), (1.5707963267948966, -1.8184464592320668)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.acos %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.acos %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<1.0471976> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
