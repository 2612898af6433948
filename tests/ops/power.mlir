// SPDX-License-Identifier: Apache-2.0
// stablehlo.power of several types, edges, no elements.

func.func @case0_int32() {
  %a0 = stablehlo.constant dense<[2, -3, 0, 5, 1, -1, 2]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[10, 3, 0, 1, -1, -3, 31]> : tensor<7xi32>
  %r = stablehlo.power %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  check.expect_eq_const %r, dense<[1024, -27, 1, 5, 1, -1, -2147483648]> : tensor<7xi32>
  return
}

func.func @case1_float32() {
  %a0 = stablehlo.constant dense<[2.0, 2.0, -2.0, 0.0, 4.0, 0x7F800000, 1.0, -8.0]> : tensor<8xf32>
  %a1 = stablehlo.constant dense<[3.0, -1.0, 3.0, 0.0, 5.0e-01, -1.0, 0x7FC00000, 5.0e-01]> : tensor<8xf32>
  %r = stablehlo.power %a0, %a1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %w0 = stablehlo.constant dense<[8.0, 5.0e-01, -8.0, 1.0, 2.0, 0.0, 1.0, 0xFFC00000]> : tensor<8xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<8xf32>, tensor<8xf32>
  return
}

func.func @case2_bfloat16() {
  %a0 = stablehlo.constant dense<[1.5, -2.0, 2.56e+02]> : tensor<3xbf16>
  %a1 = stablehlo.constant dense<[2.5e-01, 3.0, 1.0]> : tensor<3xbf16>
  %r = stablehlo.power %a0, %a1 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  %w0 = stablehlo.constant dense<[1.109375, -8.0, 2.56e+02]> : tensor<3xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<3xbf16>, tensor<3xbf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi32>
  %a1 = stablehlo.constant dense<> : tensor<0xi32>
  %r = stablehlo.power %a0, %a1 : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}
