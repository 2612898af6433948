// SPDX-License-Identifier: Apache-2.0
// Sums and maxima with padding and strides.

func.func @sums() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.add %x, %y : tensor<i32>
  stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>} : (tensor<5xi32>, tensor<i32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[2, 8, 12]> : tensor<3xi32>
  return
}

func.func @maxima() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<-99> : tensor<i32>
  %r = "stablehlo.reduce_window"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.maximum %x, %y : tensor<i32>
  stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>} : (tensor<5xi32>, tensor<i32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[3, 7, 7]> : tensor<3xi32>
  return
}
