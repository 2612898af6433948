// SPDX-License-Identifier: Apache-2.0
// stablehlo.and of several types, edges, no elements.

func.func @case0_int32() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.and %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  check.expect_eq_const %r, dense<[3, 1, 5, -7, 0, -2147483648, 2]> : tensor<7xi32>
  return
}

func.func @case1_uint8() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.and %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  check.expect_eq_const %r, dense<[0, 1, 64, 1, 2]> : tensor<5xui8>
  return
}

func.func @case2_bool() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.and %a0, %a1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, false, false, true]> : tensor<4xi1>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi32>
  %a1 = stablehlo.constant dense<> : tensor<0xi32>
  %r = stablehlo.and %a0, %a1 : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}
