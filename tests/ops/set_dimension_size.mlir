// SPDX-License-Identifier: Apache-2.0
// A dimension cut to a size that is known, and a size that only the run knows.

func.func @known() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r = stablehlo.set_dimension_size %x, %two, dim = 1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x?xi32, #stablehlo.bounds<?, 3>>
  %n = stablehlo.get_dimension_size %r, dim = 1 : (tensor<2x?xi32, #stablehlo.bounds<?, 3>>) -> tensor<i32>
  check.expect_eq_const %n, dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x?xi32, #stablehlo.bounds<?, 3>>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %sum, dense<[3, 9]> : tensor<2xi32>
  return
}

func.func @of_the_run() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %f = stablehlo.constant dense<3.0> : tensor<f32>
  %n = stablehlo.convert %f : (tensor<f32>) -> tensor<i32>
  %r = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[1, 2, 3]> : tensor<3xi32>
  return
}
