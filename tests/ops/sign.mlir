// SPDX-License-Identifier: Apache-2.0
// stablehlo.sign, bit for bit.

func.func @case0_int8() {
  %a0 = stablehlo.constant dense<[-128, -7, -1, 0, 1, 5, 127]> : tensor<7xi8>
  %r = stablehlo.sign %a0 : (tensor<7xi8>) -> tensor<7xi8>
  check.expect_eq_const %r, dense<[-1, -1, -1, 0, 1, 1, 1]> : tensor<7xi8>
  return
}

func.func @case1_float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = stablehlo.sign %a0 : (tensor<11xf32>) -> tensor<11xf32>
  %w0 = stablehlo.constant dense<[-1.0, -1.0, -1.0, -1.0, -0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0x7FC00000]> : tensor<11xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<11xf32>, tensor<11xf32>
  return
}

func.func @case2_float16() {
  %a0 = stablehlo.constant dense<[0xFC00, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7C00]> : tensor<10xf16>
  %r = stablehlo.sign %a0 : (tensor<10xf16>) -> tensor<10xf16>
  %b0 = stablehlo.bitcast_convert %r : (tensor<10xf16>) -> tensor<10xui16>
  check.expect_eq_const %b0, dense<[48128, 48128, 48128, 48128, 32768, 0, 15360, 15360, 15360, 15360]> : tensor<10xui16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi8>
  %r = stablehlo.sign %a0 : (tensor<0xi8>) -> tensor<0xi8>
  check.expect_eq_const %r, dense<> : tensor<0xi8>
  return
}
