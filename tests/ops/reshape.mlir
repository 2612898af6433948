// SPDX-License-Identifier: Apache-2.0
// The same elements, in the same order.

func.func @matrix() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = "stablehlo.reshape"(%a0) {} : (tensor<3x4xi32>) -> (tensor<2x6xi32>)
  check.expect_eq_const %r, dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xi32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[5]> : tensor<1xi32>
  %r = "stablehlo.reshape"(%a0) {} : (tensor<1xi32>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<5> : tensor<i32>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0x4xf32>
  %r = "stablehlo.reshape"(%a0) {} : (tensor<0x4xf32>) -> (tensor<2x0xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}
