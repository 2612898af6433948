// SPDX-License-Identifier: Apache-2.0
// stablehlo.exponential: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = stablehlo.exponential %a0 : tensor<11xf32>
  %w0 = stablehlo.constant dense<[0.0, 8.2085e-02, 3.6787945e-01, 6.0653067e-01, 1.0, 1.0, 1.2840254, 2.7182817, 3.311545e+01, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = stablehlo.exponential %a0 : tensor<11xf64>
  %w0 = stablehlo.constant dense<[0.0, 0.0820849986238988, 0.36787944117144233, 0.6065306597126334, 1.0, 1.0, 1.2840254166877414, 2.718281828459045, 33.11545195869231, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %r = stablehlo.exponential %a0 : tensor<11xbf16>
  %w0 = stablehlo.constant dense<[0.0, 8.203125e-02, 3.671875e-01, 6.0546875e-01, 1.0, 1.0, 1.28125, 2.71875, 3.3e+01, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xbf16>, tensor<11xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00]> : tensor<11xf16>
  %r = stablehlo.exponential %a0 : tensor<11xf16>
  %w0 = stablehlo.constant dense<[0.0, 8.2092285e-02, 3.6791992e-01, 6.064453e-01, 1.0, 1.0, 1.2841797, 2.71875, 3.3125e+01, 0x7C00, 0x7E00]> : tensor<11xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<11xf16>, tensor<11xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.exponential %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(-1.1312044, 2.4717267), (1.9581513e-01, 1.06974296e-01), (9.395071e-01, -8.752415e-01), (7.3121965e-02, -1.13880716e-01), (1.6487212, 0.0), (-9.899925e-01, 1.4112e-01)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.exponential %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(-1.1312043837568135, 2.4717266720048188), (0.1958151375780682, 0.10697429720800304), (0.93950710474149, -0.875241492869477), (0.07312196559805964, -0.1138807140643681), (1.6487212707001282, 0.0), (-0.9899924966004454, 0.1411200080598672)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.exponential %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.exponential %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<1.6487212> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
