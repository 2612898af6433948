// SPDX-License-Identifier: Apache-2.0
// stablehlo.tanh: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = stablehlo.tanh %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[-1.0, -9.866143e-01, -7.615942e-01, -4.6211717e-01, -0.0, 0.0, 2.4491866e-01, 7.615942e-01, 9.981779e-01, 1.0, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = stablehlo.tanh %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[-1.0, -0.9866142981514303, -0.7615941559557649, -0.46211715726000974, -0.0, 0.0, 0.24491866240370913, 0.7615941559557649, 0.9981778976111987, 1.0, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = stablehlo.tanh %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[-1.0, -9.8828125e-01, -7.6171875e-01, -4.6289062e-01, -0.0, 0.0, 2.4511719e-01, 7.6171875e-01, 1.0, 1.0, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = stablehlo.tanh %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[-1.0, -9.868164e-01, -7.6171875e-01, -4.621582e-01, -0.0, 0.0, 2.4487305e-01, 7.6171875e-01, 9.980469e-01, 1.0, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.tanh %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.1667362, -2.434582e-01), (-9.44373e-01, 7.9324454e-02), (4.3483922e-01, -8.323812e-01), (-1.0147936, -3.3812825e-02), (4.6211717e-01, 0.0), (0.0, -1.4254655e-01)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.tanh %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.16673625724092, -0.2434582011857253), (-0.9443729864226215, 0.0793244548039567), (0.43483922061207736, -0.8323812131225697), (-1.0147936161466335, -0.03381282607989669), (0.46211715726000974, 0.0), (0.0, -0.1425465430742778)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.tanh %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.tanh %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<4.6211717e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
