// SPDX-License-Identifier: Apache-2.0
// Cumulative sums and products of one or two lines, in both directions, as jnp.cumsum lowers on TPU.

func.func @sums_of_integers() {
  %x = stablehlo.iota dim = 0 : tensor<70xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[69, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 70>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<70xi32>, tensor<i32>) -> tensor<70xi32>
  %one = stablehlo.constant dense<1> : tensor<70xi32>
  %two = stablehlo.constant dense<2> : tensor<70xi32>
  %n = stablehlo.add %x, %one : tensor<70xi32>
  %p = stablehlo.multiply %x, %n : tensor<70xi32>
  %w = stablehlo.divide %p, %two : tensor<70xi32>
  check.expect_eq %r, %w : tensor<70xi32>, tensor<70xi32>
  return
}

// Sums wrap, and are those of the rest of each line.
func.func @sums_from_the_end_of_two_lines() {
  %x = stablehlo.constant dense<[[1, 2, 4294967295, 7], [0, 3, 1, 4294967290]]> : tensor<2x4xui32>
  %i = stablehlo.constant dense<0> : tensor<ui32>
  %r = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [0, 3]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 4>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %s : tensor<ui32>
  }) : (tensor<2x4xui32>, tensor<ui32>) -> tensor<2x4xui32>
  check.expect_eq_const %r, dense<[[9, 8, 6, 7], [4294967294, 4294967294, 4294967291, 4294967290]]> : tensor<2x4xui32>
  return
}

// In order: 16777216 + 1 is 16777216 in f32, and 1e16 + 1 is 1e16 in f64.
func.func @sums_of_floats() {
  %x = stablehlo.constant dense<[-0.0, 16777216.0, 1.0, 1.0, -16777216.0, 1.5]> : tensor<6xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[5, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 6>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  check.expect_eq_const %r, dense<[0.0, 16777216.0, 16777216.0, 16777216.0, 0.0, 1.5]> : tensor<6xf32>
  %y = stablehlo.constant dense<[1.0, 1.0e+16, -1.0e+16, 0.5]> : tensor<4xf64>
  %j = stablehlo.constant dense<0.0> : tensor<f64>
  %q = "stablehlo.reduce_window"(%y, %j) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  check.expect_eq_const %q, dense<[1.0, 1.0e+16, 0.0, 0.5]> : tensor<4xf64>
  return
}

func.func @products() {
  %x = stablehlo.constant dense<[[2.0, -3.0, 0.5], [1.0, 4.0, 4.0]]> : tensor<2x3xf32>
  %i = stablehlo.constant dense<1.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %r, dense<[[2.0, -6.0, -3.0], [1.0, 4.0, 16.0]]> : tensor<2x3xf32>
  %y = stablehlo.constant dense<[3, -1, 5000000000, 7]> : tensor<4xi64>
  %j = stablehlo.constant dense<1> : tensor<i64>
  %q = "stablehlo.reduce_window"(%y, %j) <{padding = dense<[[0, 3]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.multiply %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  check.expect_eq_const %q, dense<[-105000000000, -35000000000, 35000000000, 7]> : tensor<4xi64>
  return
}
