// SPDX-License-Identifier: Apache-2.0
// stablehlo.popcnt, bit for bit.

func.func @case0_int8() {
  %a0 = stablehlo.constant dense<[-128, -7, -1, 0, 1, 5, 127]> : tensor<7xi8>
  %r = stablehlo.popcnt %a0 : (tensor<7xi8>) -> tensor<7xi8>
  check.expect_eq_const %r, dense<[1, 6, 8, 0, 1, 2, 7]> : tensor<7xi8>
  return
}

func.func @case1_uint8() {
  %a0 = stablehlo.constant dense<[0, 1, 2, 85, 128, 255]> : tensor<6xui8>
  %r = stablehlo.popcnt %a0 : (tensor<6xui8>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[0, 1, 1, 4, 1, 8]> : tensor<6xui8>
  return
}

func.func @case2_int32() {
  %a0 = stablehlo.constant dense<[-2147483648, -1, 0, 1, 65535]> : tensor<5xi32>
  %r = stablehlo.popcnt %a0 : (tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %r, dense<[1, 32, 0, 1, 16]> : tensor<5xi32>
  return
}

func.func @case3_int64() {
  %a0 = stablehlo.constant dense<[-9223372036854775808, -1, 0, 7, 1099511627776]> : tensor<5xi64>
  %r = stablehlo.popcnt %a0 : (tensor<5xi64>) -> tensor<5xi64>
  check.expect_eq_const %r, dense<[1, 64, 0, 3, 1]> : tensor<5xi64>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi8>
  %r = stablehlo.popcnt %a0 : (tensor<0xi8>) -> tensor<0xi8>
  check.expect_eq_const %r, dense<> : tensor<0xi8>
  return
}
