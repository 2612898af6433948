// SPDX-License-Identifier: Apache-2.0
// chlo.atan: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = chlo.atan %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[-1.5707964, -1.19029, -7.853982e-01, -4.636476e-01, -0.0, 0.0, 2.4497867e-01, 7.853982e-01, 1.2924967, 1.5707964, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = chlo.atan %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[-1.5707963267948966, -1.1902899496825317, -0.7853981633974483, -0.4636476090008061, -0.0, 0.0, 0.24497866312686414, 0.7853981633974483, 1.2924966677897853, 1.5707963267948966, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = chlo.atan %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[-1.5703125, -1.1875, -7.8515625e-01, -4.6289062e-01, -0.0, 0.0, 2.4511719e-01, 7.8515625e-01, 1.2890625, 1.5703125, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = chlo.atan %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[-1.5703125, -1.1904297, -7.8515625e-01, -4.6362305e-01, -0.0, 0.0, 2.4499512e-01, 7.8515625e-01, 1.2929688, 1.5703125, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.atan %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.3389726, 4.023595e-01), (-1.0172219, 1.4694667e-01), (4.636476e-01, -8.04719e-01), (-1.1780972, -1.732868e-01), (4.636476e-01, 0.0), (1.5707964, 3.465736e-01)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.atan %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.3389725222944935, 0.40235947810852507), (-1.0172219678978514, 0.14694666622552977), (0.4636476090008061, -0.8047189562170501), (-1.1780972450961724, -0.17328679513998632), (0.4636476090008061, 0.0), (1.5707963267948966, 0.34657359027997264)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.atan %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.atan %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<4.636476e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
