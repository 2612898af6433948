// SPDX-License-Identifier: Apache-2.0
// Shapes that are written as `?` and computed from constants and from sizes of operands.

// The example of the StableHLO documentation on dynamism: a callee with open arguments.
func.func @calls() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %y = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %open = stablehlo.convert %x : (tensor<5xi32>) -> tensor<?xi32>
  %wide = stablehlo.convert %y : (tensor<3x2xi32>) -> tensor<?x2xi32>
  %flat = func.call @flatten(%wide) : (tensor<?x2xi32>) -> tensor<?xi32>
  %all = stablehlo.concatenate %open, %flat, dim = 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %twice = func.call @double(%all) : (tensor<?xi32>) -> tensor<?xi32>
  %short = func.call @double(%open) : (tensor<?xi32>) -> tensor<?xi32>
  %got = stablehlo.convert %twice : (tensor<?xi32>) -> tensor<11xi32>
  %less = stablehlo.convert %short : (tensor<?xi32>) -> tensor<5xi32>
  check.expect_eq_const %got, dense<[2, 4, 6, 8, 10, 2, 4, 6, 8, 10, 12]> : tensor<11xi32>
  check.expect_eq_const %less, dense<[2, 4, 6, 8, 10]> : tensor<5xi32>
  return
}

func.func private @flatten(%x: tensor<?x2xi32>) -> tensor<?xi32> {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xi32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %n = stablehlo.multiply %rows, %two : tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %x, %shape : (tensor<?x2xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %flat : tensor<?xi32>
}

func.func private @double(%x: tensor<?xi32>) -> tensor<?xi32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %all = stablehlo.dynamic_broadcast_in_dim %two, %shape, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %r = stablehlo.multiply %x, %all : tensor<?xi32>
  return %r : tensor<?xi32>
}

// Floor division and clamping as JAX writes them for shape polymorphism.
func.func @arithmetic() {
  %x = stablehlo.constant dense<1.0> : tensor<7x3xf32>
  %open = stablehlo.convert %x : (tensor<7x3xf32>) -> tensor<?x3xf32>
  %b = stablehlo.get_dimension_size %open, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %wide = stablehlo.convert %b : (tensor<i32>) -> tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %q = stablehlo.divide %wide, %two : tensor<i64>
  %rest = stablehlo.remainder %wide, %two : tensor<i64>
  %uneven = stablehlo.compare NE, %rest, %zero, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %up = stablehlo.add %q, %one : tensor<i64>
  %half = stablehlo.select %uneven, %up, %q : tensor<i1>, tensor<i64>
  %large = stablehlo.constant dense<100> : tensor<i64>
  %clamped = stablehlo.clamp %zero, %half, %large : tensor<i64>
  %most = stablehlo.maximum %clamped, %one : tensor<i64>
  %less = stablehlo.minimum %most, %large : tensor<i64>
  %minus = stablehlo.negate %less : tensor<i64>
  %size = stablehlo.subtract %zero, %minus : tensor<i64>
  %first = stablehlo.reshape %size : (tensor<i64>) -> tensor<1xi64>
  %second = stablehlo.constant dense<3> : tensor<1xi64>
  %shape = stablehlo.concatenate %first, %second, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %r = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi64>) -> tensor<?x?xi32>
  %got = stablehlo.convert %r : (tensor<?x?xi32>) -> tensor<4x3xi32>
  check.expect_eq_const %got, dense<[[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]> : tensor<4x3xi32>
  return
}

// The size of a tensor by a reduction of its shape; pieces of a shape by slices.
func.func @reduced_shape() {
  %shape = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.reduce(%shape init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %flat = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %a = stablehlo.dynamic_iota %flat, dim = 0 : (tensor<1xi64>) -> tensor<?xi64>
  %tail = stablehlo.slice %shape [1:3] : (tensor<3xi64>) -> tensor<2xi64>
  %head = stablehlo.slice %shape [0:1] : (tensor<3xi64>) -> tensor<1xi64>
  %turned = stablehlo.concatenate %tail, %head, dim = 0 : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  %b = stablehlo.dynamic_reshape %a, %turned : (tensor<?xi64>, tensor<3xi64>) -> tensor<?x?x?xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %sums = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<?x?x?xi64>, tensor<i64>) -> tensor<?xi64>
  %got = stablehlo.convert %sums : (tensor<?xi64>) -> tensor<3xi64>
  check.expect_eq_const %got, dense<[28, 92, 156]> : tensor<3xi64>
  return
}

// Every kind of operation keeps up with what it gets.
func.func @families() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %open = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<?x?xf32>
  %t = stablehlo.transpose %open, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %dot = stablehlo.dot_general %open, %t, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %pad = stablehlo.pad %dot, %zero, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %r = stablehlo.reverse %pad, dims = [1] : tensor<?x?xf32>
  %exp = stablehlo.negate %r : tensor<?x?xf32>
  %less = stablehlo.compare LT, %exp, %r : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xi1>
  %chosen = stablehlo.select %less, %r, %exp : tensor<?x?xi1>, tensor<?x?xf32>
  %piece = stablehlo.slice %chosen [0:2, 0:4:3] : (tensor<?x?xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %piece, dense<[[32.0, 0.0], [77.0, 0.0]]> : tensor<2x2xf32>
  %index = stablehlo.constant dense<[[1], [0], [1]]> : tensor<3x1xi32>
  %rows = "stablehlo.gather"(%open, %index) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<?x?xf32>, tensor<3x1xi32>) -> tensor<?x?xf32>
  %sorted = "stablehlo.sort"(%rows) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %same = stablehlo.convert %sorted : (tensor<?x?xf32>) -> tensor<3x3xf32>
  check.expect_eq_const %same, dense<[[6.0, 5.0, 4.0], [3.0, 2.0, 1.0], [6.0, 5.0, 4.0]]> : tensor<3x3xf32>
  return
}

// Loops and branches carry what they were given.
func.func @control() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %open = stablehlo.convert %x : (tensor<3xi32>) -> tensor<?xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %open) : tensor<i32>, tensor<?xi32>
    cond {
      %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %sum = stablehlo.add %v, %v : tensor<?xi32>
      stablehlo.return %next, %sum : tensor<i32>, tensor<?xi32>
    }
  %even = stablehlo.compare EQ, %r#0, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %s = "stablehlo.if"(%even) ({
    %n = stablehlo.negate %r#1 : tensor<?xi32>
    stablehlo.return %n : tensor<?xi32>
  }, {
    stablehlo.return %r#1 : tensor<?xi32>
  }) : (tensor<i1>) -> tensor<?xi32>
  %got = stablehlo.convert %s : (tensor<?xi32>) -> tensor<3xi32>
  check.expect_eq_const %got, dense<[-8, -16, -24]> : tensor<3xi32>
  return
}

// A choice by a size: the branch that is not taken may hold what could never be refined.
func.func @chosen() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %open = stablehlo.convert %x : (tensor<3xi32>) -> tensor<?xi32>
  %n = stablehlo.get_dimension_size %open, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %is = stablehlo.compare EQ, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%is) ({
    %two = stablehlo.add %open, %open : tensor<?xi32>
    stablehlo.return %two : tensor<?xi32>
  }, {
    %shape = stablehlo.constant dense<[5]> : tensor<1xi32>
    %other = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    stablehlo.return %other : tensor<?xi32>
  }) : (tensor<i1>) -> tensor<?xi32>
  %got = stablehlo.convert %r : (tensor<?xi32>) -> tensor<3xi32>
  check.expect_eq_const %got, dense<[2, 4, 6]> : tensor<3xi32>
  return
}

// Nothing is a size too.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x4xf32>
  %open = stablehlo.convert %x : (tensor<0x4xf32>) -> tensor<?x4xf32>
  %n = stablehlo.get_dimension_size %open, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  check.expect_eq_const %n, dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %sum = stablehlo.reduce(%open init: %one) applies stablehlo.add across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %sum, dense<1.0> : tensor<4xf32>
  return
}
