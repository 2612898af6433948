// SPDX-License-Identifier: Apache-2.0
// chlo.cosh: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = chlo.cosh %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0x7F800000, 6.1322894, 1.5430807, 1.127626, 1.0, 1.0, 1.0314131, 1.5430807, 1.6572824e+01, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = chlo.cosh %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0x7FF0000000000000, 6.132289479663686, 1.5430806348152437, 1.1276259652063807, 1.0, 1.0, 1.0314130998795732, 1.5430806348152437, 16.572824671057315, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = chlo.cosh %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0x7F80, 6.125, 1.546875, 1.125, 1.0, 1.0, 1.03125, 1.546875, 1.6625e+01, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = chlo.cosh %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0x7C00, 6.1328125, 1.5429688, 1.1279297, 1.0, 1.0, 1.03125, 1.5429688, 1.6578125e+01, 0x7C00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.cosh %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(-6.4214814e-01, 1.0686074), (2.0644336, -1.020831), (7.546735e-01, -1.7219035e-01), (2.032723, 3.0518978), (1.127626, 0.0), (-9.899925e-01, 0.0)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.cosh %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(-0.64214812471552, 1.0686074213827783), (2.064433656760715, -1.0208309495976966), (0.7546734843925261, -0.1721903463957415), (2.0327230070196656, 3.0518977991518), (1.1276259652063807, 0.0), (-0.9899924966004454, 0.0)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.cosh %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.cosh %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<1.127626> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
