// SPDX-License-Identifier: Apache-2.0
// stablehlo.exponential_minus_one: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000, 1.0e-07]> : tensor<12xf32>
  %r = stablehlo.exponential_minus_one %a0 : tensor<12xf32>
  %w0 = stablehlo.constant dense<[-1.0, -9.17915e-01, -6.3212055e-01, -3.9346933e-01, -0.0, 0.0, 2.8402543e-01, 1.7182819, 3.211545e+01, 0x7F800000, 0x7FC00000, 1.0000001e-07]> : tensor<12xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000, 1.0e-07]> : tensor<12xf64>
  %r = stablehlo.exponential_minus_one %a0 : tensor<12xf64>
  %w0 = stablehlo.constant dense<[-1.0, -0.9179150013761012, -0.6321205588285577, -0.3934693402873666, -0.0, 0.0, 0.2840254166877415, 1.7182818284590453, 32.11545195869231, 0x7FF0000000000000, 0x7FF8000000000000, 1.0000000500000016e-07]> : tensor<12xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0xFF80, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F80, 0x7FC0, 1.0011718e-07]> : tensor<12xbf16>
  %r = stablehlo.exponential_minus_one %a0 : tensor<12xbf16>
  %w0 = stablehlo.constant dense<[-1.0, -9.1796875e-01, -6.328125e-01, -3.9257812e-01, -0.0, 0.0, 2.8320312e-01, 1.71875, 3.2e+01, 0x7F80, 0x7FC0, 1.0011718e-07]> : tensor<12xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<12xbf16>, tensor<12xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00, 0x7E00, 1.1920929e-07]> : tensor<12xf16>
  %r = stablehlo.exponential_minus_one %a0 : tensor<12xf16>
  %w0 = stablehlo.constant dense<[-1.0, -9.1796875e-01, -6.323242e-01, -3.935547e-01, -0.0, 0.0, 2.8393555e-01, 1.71875, 3.2125e+01, 0x7C00, 0x7E00, 1.1920929e-07]> : tensor<12xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<12xf16>, tensor<12xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.exponential_minus_one %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(-2.1312044, 2.4717267), (-8.0418485e-01, 1.06974296e-01), (-6.0492896e-02, -8.752415e-01), (-9.2687804e-01, -1.13880716e-01), (6.487213e-01, 0.0), (-1.9899925, 1.4112e-01)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.exponential_minus_one %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(-2.1312043837568133, 2.4717266720048188), (-0.8041848624219319, 0.10697429720800304), (-0.06049289525850987, -0.875241492869477), (-0.9268780344019404, -0.1138807140643681), (0.6487212707001282, 0.0), (-1.9899924966004454, 0.1411200080598672)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.exponential_minus_one %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.exponential_minus_one %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<6.487213e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
