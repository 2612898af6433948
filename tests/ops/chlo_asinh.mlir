// SPDX-License-Identifier: Apache-2.0
// chlo.asinh: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = chlo.asinh %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0xFF800000, -1.6472311, -8.813736e-01, -4.812118e-01, -0.0, 0.0, 2.4746646e-01, 8.813736e-01, 1.9657204, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = chlo.asinh %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0xFFF0000000000000, -1.6472311463710958, -0.881373587019543, -0.48121182505960347, -0.0, 0.0, 0.24746646154726346, 0.881373587019543, 1.9657204716496515, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = chlo.asinh %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0xFF80, -1.6484375, -8.828125e-01, -4.8046875e-01, -0.0, 0.0, 2.4707031e-01, 8.828125e-01, 1.96875, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = chlo.asinh %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0xFC00, -1.6474609, -8.8134766e-01, -4.8120117e-01, -0.0, 0.0, 2.4743652e-01, 8.8134766e-01, 1.9658203, 0x7C00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.asinh %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.4693518, 1.06344), (-1.2264569, 2.734873e-01), (3.465736e-01, -7.853982e-01), (-1.5285709, -4.2707857e-01), (4.812118e-01, 0.0), (1.7627472, 1.5707964)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.asinh %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.4693517443681852, 1.0634400235777521), (-1.226456871251406, 0.2734872901415568), (0.34657359027997264, -0.7853981633974483), (-1.528570919480998, -0.42707858639247614), (0.48121182505960347, 0.0), (1.762747174039086, 1.5707963267948966)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.asinh %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.asinh %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<4.812118e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
