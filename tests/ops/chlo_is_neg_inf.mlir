// SPDX-License-Identifier: Apache-2.0
// chlo.is_neg_inf, bit for bit.

func.func @case0_float32() {
  %a0 = stablehlo.constant dense<[0xFF800000, -2.5, -1.0, -5.0e-01, -0.0, 0.0, 2.5e-01, 1.0, 3.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = chlo.is_neg_inf %a0 : (tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %r, dense<[true, false, false, false, false, false, false, false, false, false, false]> : tensor<11xi1>
  return
}

func.func @case1_float64() {
  %a0 = stablehlo.constant dense<[0xFFF0000000000000, -2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %r = chlo.is_neg_inf %a0 : (tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %r, dense<[true, false, false, false, false, false, false, false, false, false, false]> : tensor<11xi1>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xf32>
  %r = chlo.is_neg_inf %a0 : (tensor<0xf32>) -> tensor<0xi1>
  check.expect_eq_const %r, dense<> : tensor<0xi1>
  return
}
