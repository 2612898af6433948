// SPDX-License-Identifier: Apache-2.0
// chlo.atanh: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC00000]> : tensor<10xf32>
  %r = chlo.atanh %a0 : tensor<10xf32>
  %w0 = stablehlo.constant dense<[0xFF800000, -9.7295505e-01, -2.5541282e-01, -0.0, 0.0, 5.4930615e-01, 1.3540251, 0x7F800000, 0xFFC00000, 0x7FC00000]> : tensor<10xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[-1.0, -0.75, -0.25, -0.0, 0.0, 0.5, 0.875, 1.0, 1.5, 0x7FF8000000000000]> : tensor<10xf64>
  %r = chlo.atanh %a0 : tensor<10xf64>
  %w0 = stablehlo.constant dense<[0xFFF0000000000000, -0.9729550745276566, -0.25541281188299536, -0.0, 0.0, 0.5493061443340549, 1.354025100551105, 0x7FF0000000000000, 0xFFF8000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC0]> : tensor<10xbf16>
  %r = chlo.atanh %a0 : tensor<10xbf16>
  %w0 = stablehlo.constant dense<[0xFF80, -9.7265625e-01, -2.5585938e-01, -0.0, 0.0, 5.5078125e-01, 1.3515625, 0x7F80, 0xFFC0, 0x7FC0]> : tensor<10xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xbf16>, tensor<10xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7E00]> : tensor<10xf16>
  %r = chlo.atanh %a0 : tensor<10xf16>
  %w0 = stablehlo.constant dense<[0xFC00, -9.7314453e-01, -2.553711e-01, -0.0, 0.0, 5.493164e-01, 1.3544922, 0x7C00, 0xFE00, 0x7E00]> : tensor<10xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<10xf16>, tensor<10xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.atanh %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.732868e-01, 1.1780972), (-6.412373e-01, 1.276795), (1.589972e-01, -6.6290885e-01), (-4.023595e-01, -1.3389726), (5.4930615e-01, 0.0), (0.0, 1.2490457)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.atanh %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(0.17328679513998632, 1.1780972450961724), (-0.6412373393653842, 1.2767950250211129), (0.15899719167999918, -0.6629088318340163), (-0.40235947810852507, -1.3389725222944935), (0.5493061443340549, 0.0), (0.0, 1.2490457723982544)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.atanh %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.atanh %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<5.4930615e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
