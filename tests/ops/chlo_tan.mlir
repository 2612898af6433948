// SPDX-License-Identifier: Apache-2.0
// chlo.tan: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = chlo.tan %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0xFFC00000, 7.470223e-01, -1.5574077, -5.463025e-01, -0.0, 0.0, 2.5534192e-01, 1.5574077, 3.7458563e-01, 0xFFC00000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = chlo.tan %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0xFFF8000000000000, 0.7470222972386603, -1.5574077246549023, -0.5463024898437905, -0.0, 0.0, 0.25534192122103627, 1.5574077246549023, 0.3745856401585947, 0xFFF8000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = chlo.tan %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0xFFC0, 7.4609375e-01, -1.5546875, -5.46875e-01, -0.0, 0.0, 2.5585938e-01, 1.5546875, 3.75e-01, 0xFFC0, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = chlo.tan %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0xFE00, 7.470703e-01, -1.5576172, -5.463867e-01, -0.0, 0.0, 2.553711e-01, 1.5576172, 3.7451172e-01, 0xFE00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.tan %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(3.3812825e-02, 1.0147936), (-2.5514922e-01, 2.124799), (1.4842932e-01, -6.5922123e-01), (2.434582e-01, -1.1667362), (5.463025e-01, 0.0), (0.0, 9.950548e-01)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.tan %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(0.03381282607989669, 1.0147936161466335), (-0.2551492218136516, 2.124799127742996), (0.14842931880709936, -0.6592212421345232), (0.2434582011857253, -1.16673625724092), (0.5463024898437905, 0.0), (0.0, 0.9950547536867302)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.tan %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.tan %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<5.463025e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
