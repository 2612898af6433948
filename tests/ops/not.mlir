// SPDX-License-Identifier: Apache-2.0
// stablehlo.not, bit for bit.

func.func @case0_int8() {
  %a0 = stablehlo.constant dense<[-128, -7, -1, 0, 1, 5, 127]> : tensor<7xi8>
  %r = stablehlo.not %a0 : (tensor<7xi8>) -> tensor<7xi8>
  check.expect_eq_const %r, dense<[127, 6, 0, -1, -2, -6, -128]> : tensor<7xi8>
  return
}

func.func @case1_uint8() {
  %a0 = stablehlo.constant dense<[0, 1, 2, 85, 128, 255]> : tensor<6xui8>
  %r = stablehlo.not %a0 : (tensor<6xui8>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[255, 254, 253, 170, 127, 0]> : tensor<6xui8>
  return
}

func.func @case2_bool() {
  %a0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r = stablehlo.not %a0 : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

func.func @case3_int32() {
  %a0 = stablehlo.constant dense<[-2147483648, -1, 0, 1, 65535]> : tensor<5xi32>
  %r = stablehlo.not %a0 : (tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %r, dense<[2147483647, 0, -1, -2, -65536]> : tensor<5xi32>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi8>
  %r = stablehlo.not %a0 : (tensor<0xi8>) -> tensor<0xi8>
  check.expect_eq_const %r, dense<> : tensor<0xi8>
  return
}
