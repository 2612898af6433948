// SPDX-License-Identifier: Apache-2.0
// stablehlo.shift_right_arithmetic of several types, edges, no elements.

func.func @case0_int32() {
  %a0 = stablehlo.constant dense<[-8, 5, 1, -1, 2147483647]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<[1, 2, 31, 32, -1]> : tensor<5xi32>
  %r = stablehlo.shift_right_arithmetic %a0, %a1 : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %r, dense<[-4, 1, 0, -1, 0]> : tensor<5xi32>
  return
}

func.func @case1_int8() {
  %a0 = stablehlo.constant dense<[-128, 127, 64, -3]> : tensor<4xi8>
  %a1 = stablehlo.constant dense<[1, 7, 8, 0]> : tensor<4xi8>
  %r = stablehlo.shift_right_arithmetic %a0, %a1 : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[-64, 0, 0, -3]> : tensor<4xi8>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi32>
  %a1 = stablehlo.constant dense<> : tensor<0xi32>
  %r = stablehlo.shift_right_arithmetic %a0, %a1 : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}
