// SPDX-License-Identifier: Apache-2.0
// Trailing dimensions meet; ones are repeated.

func.func @row() {
  %a0 = stablehlo.constant dense<[[7, -8, 9], [-1, 5, 1073741824]]> : tensor<2x3xi32>
  %a1 = stablehlo.constant dense<[3, -2, 4]> : tensor<3xi32>
  %r = chlo.broadcast_remainder %a0, %a1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[1, 0, 1], [-1, 1, 0]]> : tensor<2x3xi32>
  return
}

func.func @placed() {
  %a0 = stablehlo.constant dense<[[7, -8, 9], [-1, 5, 1073741824]]> : tensor<2x3xi32>
  %a1 = stablehlo.constant dense<[3, -2, 4]> : tensor<3xi32>
  %r = "chlo.broadcast_remainder"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[1, 0, 1], [-1, 1, 0]]> : tensor<2x3xi32>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[7], [-1]]> : tensor<2x1xi32>
  %a1 = stablehlo.constant dense<[3, -2, 4]> : tensor<3xi32>
  %r = chlo.broadcast_remainder %a0, %a1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[1, 1, 3], [-1, -1, -1]]> : tensor<2x3xi32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[[7, -8, 9], [-1, 5, 1073741824]]> : tensor<2x3xi32>
  %a1 = stablehlo.constant dense<3> : tensor<i32>
  %r = chlo.broadcast_remainder %a0, %a1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[1, -2, 0], [-1, 2, 1]]> : tensor<2x3xi32>
  return
}

func.func @none() {
  %a0 = stablehlo.constant dense<> : tensor<0x3xi32>
  %a1 = stablehlo.constant dense<[3, -2, 4]> : tensor<3xi32>
  %r = chlo.broadcast_remainder %a0, %a1 : (tensor<0x3xi32>, tensor<3xi32>) -> tensor<0x3xi32>
  check.expect_eq_const %r, dense<> : tensor<0x3xi32>
  return
}
