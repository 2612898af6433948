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

// In order: 16777216 + 1 + 1 is 16777218, of which f32 has no 16777217, and 1e16 + 1 is 1e16 in f64.
func.func @sums_of_floats() {
  %x = stablehlo.constant dense<[-0.0, 16777216.0, 1.0, 1.0, -16777216.0, 1.5]> : tensor<6xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[5, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 6>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  check.expect_eq_const %r, dense<[0.0, 16777216.0, 16777216.0, 16777218.0, 2.0, 3.5]> : tensor<6xf32>
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

// Of bf16, each result is rounded once: 256 + 1 + 1 is 258, of which bf16 has no 257. One line, many
// lines, and lines of blocks.
func.func @sums_of_halves() {
  %line = stablehlo.constant dense<[256.0, 1.0, 1.0, 0.0, -2.0]> : tensor<5xbf16>
  %i = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = "stablehlo.reduce_window"(%line, %i) <{padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<5xbf16>, tensor<bf16>) -> tensor<5xbf16>
  check.expect_eq_const %r, dense<[256.0, 256.0, 258.0, 258.0, 256.0]> : tensor<5xbf16>
  %lines = stablehlo.broadcast_in_dim %line, dims = [1] : (tensor<5xbf16>) -> tensor<70x5xbf16>
  %q = "stablehlo.reduce_window"(%lines, %i) <{padding = dense<[[0, 0], [0, 4]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 5>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<70x5xbf16>, tensor<bf16>) -> tensor<70x5xbf16>
  %last = stablehlo.constant dense<[256.0, 0.0, -1.0, -2.0, -2.0]> : tensor<5xbf16>
  %from_end = stablehlo.broadcast_in_dim %last, dims = [1] : (tensor<5xbf16>) -> tensor<70x5xbf16>
  check.expect_eq %q, %from_end : tensor<70x5xbf16>, tensor<70x5xbf16>
  %blocks = stablehlo.broadcast_in_dim %line, dims = [0] : (tensor<5xbf16>) -> tensor<5x1500xbf16>
  %p = "stablehlo.reduce_window"(%blocks, %i) <{padding = dense<[[4, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 5, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<5x1500xbf16>, tensor<bf16>) -> tensor<5x1500xbf16>
  %rows = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<5xbf16>) -> tensor<5x1500xbf16>
  check.expect_eq %p, %rows : tensor<5x1500xbf16>, tensor<5x1500xbf16>
  return
}

// The same of f32, whose sums are of f64: of many lines, and of blocks.
func.func @sums_of_many_lines() {
  %line = stablehlo.constant dense<[16777216.0, 1.0, 1.0, 0.0, -2.0]> : tensor<5xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.constant dense<[16777216.0, 16777216.0, 16777218.0, 16777218.0, 16777216.0]> : tensor<5xf32>
  %lines = stablehlo.broadcast_in_dim %line, dims = [1] : (tensor<5xf32>) -> tensor<70x5xf32>
  %q = "stablehlo.reduce_window"(%lines, %i) <{padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<70x5xf32>, tensor<f32>) -> tensor<70x5xf32>
  %all = stablehlo.broadcast_in_dim %sums, dims = [1] : (tensor<5xf32>) -> tensor<70x5xf32>
  check.expect_eq %q, %all : tensor<70x5xf32>, tensor<70x5xf32>
  %blocks = stablehlo.broadcast_in_dim %line, dims = [0] : (tensor<5xf32>) -> tensor<5x1500xf32>
  %p = "stablehlo.reduce_window"(%blocks, %i) <{padding = dense<[[4, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 5, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5x1500xf32>, tensor<f32>) -> tensor<5x1500xf32>
  %rows = stablehlo.broadcast_in_dim %sums, dims = [0] : (tensor<5xf32>) -> tensor<5x1500xf32>
  check.expect_eq %p, %rows : tensor<5x1500xf32>, tensor<5x1500xf32>
  return
}
