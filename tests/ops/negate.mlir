// SPDX-License-Identifier: Apache-2.0
// stablehlo.negate, bit for bit.

func.func @case0_int8() {
  %a0 = stablehlo.constant dense<[-128, -7, -1, 0, 1, 5, 127]> : tensor<7xi8>
  %r = stablehlo.negate %a0 : (tensor<7xi8>) -> tensor<7xi8>
  check.expect_eq_const %r, dense<[-128, 7, 1, 0, -1, -5, -127]> : tensor<7xi8>
  return
}

func.func @case1_uint8() {
  %a0 = stablehlo.constant dense<[0, 1, 2, 85, 128, 255]> : tensor<6xui8>
  %r = stablehlo.negate %a0 : (tensor<6xui8>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[0, 255, 254, 171, 128, 1]> : tensor<6xui8>
  return
}

func.func @case2_float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000]> : tensor<10xf32>
  %r = stablehlo.negate %a0 : (tensor<10xf32>) -> tensor<10xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<10xf32>) -> tensor<10xui32>
  check.expect_eq_const %b0, dense<[2139095040, 1075838976, 1065353216, 1056964608, 0, 2147483648, 3196059648, 3212836864, 3227516928, 4286578688]> : tensor<10xui32>
  return
}

func.func @case3_complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.negate %a0 : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(-1.0, -2.0), (1.5, -5.0e-01), (-2.5e-01, 7.5e-01), (2.0, 1.0), (-5.0e-01, -0.0), (-0.0, -3.0)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi8>
  %r = stablehlo.negate %a0 : (tensor<0xi8>) -> tensor<0xi8>
  check.expect_eq_const %r, dense<> : tensor<0xi8>
  return
}
