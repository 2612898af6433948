// SPDX-License-Identifier: Apache-2.0
// stablehlo.log_plus_one: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F800000, 0x7FC00000, -5.0e-01, -1.0, 1.0e-07]> : tensor<12xf32>
  %r = stablehlo.log_plus_one %a0 : tensor<12xf32>
  %w0 = stablehlo.constant dense<[0.0, 1.1778303e-01, 4.054651e-01, 6.931472e-01, 1.0986123, 2.3978953, 6.908755, 0x7F800000, 0x7FC00000, -6.931472e-01, 0xFF800000, 9.9999994e-08]> : tensor<12xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<12xf32>, tensor<12xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0.0, 0.125, 0.5, 1.0, 2.0, 10.0, 1000.0, 0x7FF0000000000000, 0x7FF8000000000000, -0.5, -1.0, 1.0e-07]> : tensor<12xf64>
  %r = stablehlo.log_plus_one %a0 : tensor<12xf64>
  %w0 = stablehlo.constant dense<[0.0, 0.11778303565638346, 0.4054651081081644, 0.6931471805599453, 1.0986122886681098, 2.3978952727983707, 6.90875477931522, 0x7FF0000000000000, 0x7FF8000000000000, -0.6931471805599453, 0xFFF0000000000000, 9.999999500000033e-08]> : tensor<12xf64>
  check.expect_close %r, %w0, max_ulp_difference = 3 : tensor<12xf64>, tensor<12xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F80, 0x7FC0, -5.0e-01, -1.0, 1.0011718e-07]> : tensor<12xbf16>
  %r = stablehlo.log_plus_one %a0 : tensor<12xbf16>
  %w0 = stablehlo.constant dense<[0.0, 1.1767578e-01, 4.0625e-01, 6.9140625e-01, 1.1015625, 2.390625, 6.90625, 0x7F80, 0x7FC0, -6.9140625e-01, 0xFF80, 1.0011718e-07]> : tensor<12xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<12xbf16>, tensor<12xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7C00, 0x7E00, -5.0e-01, -1.0, 1.1920929e-07]> : tensor<12xf16>
  %r = stablehlo.log_plus_one %a0 : tensor<12xf16>
  %w0 = stablehlo.constant dense<[0.0, 1.1779785e-01, 4.0551758e-01, 6.933594e-01, 1.0986328, 2.3984375, 6.9101562, 0x7C00, 0x7E00, -6.933594e-01, 0xFC00, 1.1920929e-07]> : tensor<12xf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<12xf16>, tensor<12xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.log_plus_one %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.0397208, 7.853982e-01), (-3.465736e-01, 2.3561945), (3.768859e-01, -5.404195e-01), (3.465736e-01, -2.3561945), (4.054651e-01, 0.0), (1.1512926, 1.2490457)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.log_plus_one %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.039720770839918, 0.7853981633974483), (-0.3465735902799726, 2.356194490192345), (0.3768859011881901, -0.5404195002705842), (0.3465735902799727, -2.356194490192345), (0.4054651081081644, 0.0), (1.151292546497023, 1.2490457723982544)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.log_plus_one %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.log_plus_one %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<4.054651e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}
