// SPDX-License-Identifier: Apache-2.0
// chlo.sinh: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = chlo.sinh %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0xFF800000, -6.0502043, -1.1752012, -5.210953e-01, -0.0, 0.0, 2.5261232e-01, 1.1752012, 1.6542627e+01, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = chlo.sinh %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0xFFF0000000000000, -6.0502044810397875, -1.1752011936438014, -0.5210953054937474, -0.0, 0.0, 0.2526123168081683, 1.1752011936438014, 16.542627287634996, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = chlo.sinh %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0xFF80, -6.0625, -1.171875, -5.1953125e-01, -0.0, 0.0, 2.5195312e-01, 1.171875, 1.65e+01, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = chlo.sinh %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0xFC00, -6.0507812, -1.1748047, -5.209961e-01, -0.0, 0.0, 2.5268555e-01, 1.1748047, 1.6546875e+01, 0x7C00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.sinh %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(-4.8905626e-01, 1.4031192), (-1.8686185, 1.1278052), (1.8483362e-01, -7.0305115e-01), (-1.959601, -3.1657784), (5.210953e-01, 0.0), (-0.0, 1.4112e-01)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.sinh %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(-0.4890562590412937, 1.4031192506220405), (-1.8686185191826468, 1.1278052468056998), (0.18483362034896397, -0.7030511464737356), (-1.9596010414216063, -3.165778513216168), (0.5210953054937474, 0.0), (-0.0, 0.1411200080598672)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.sinh %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.sinh %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<5.210953e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
