// SPDX-License-Identifier: Apache-2.0
// Reductions of stacks: along the dimension in which arrays were joined.

func.func @sum() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %b = stablehlo.constant dense<[[10.0, 20.0, 30.0]]> : tensor<1x3xf32>
  %c = stablehlo.constant dense<[[0.5, 0.25, 0.125]]> : tensor<1x3xf32>
  %s = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  %i = stablehlo.constant dense<100.0> : tensor<f32>
  %r = stablehlo.reduce(%s init: %i) applies stablehlo.add across dimensions = [0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[111.5, 122.25, 133.125]> : tensor<3xf32>
  return
}

// In bf16, 256 + 1 is 256: sums of it are made in f32.
func.func @sum_of_bf16() {
  %a = stablehlo.constant dense<[[256.0], [512.0]]> : tensor<2x1xbf16>
  %b = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %s = stablehlo.concatenate %a, %b, %b, dim = 1 : (tensor<2x1xbf16>, tensor<2x1xbf16>, tensor<2x1xbf16>) -> tensor<2x3xbf16>
  %i = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = stablehlo.reduce(%s init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %r, dense<[258.0, 516.0]> : tensor<2xbf16>
  return
}

// Pieces of more than one row, and other dimensions than that of the pieces, are reduced as ever.
func.func @other_reductions() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[5, 9]]> : tensor<1x2xi32>
  %s = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%s init: %i) applies stablehlo.add across dimensions = [0] : (tensor<3x2xi32>, tensor<i32>) -> tensor<2xi32>
  %q = stablehlo.reduce(%s init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<3x2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[9, 15]> : tensor<2xi32>
  check.expect_eq_const %q, dense<[2, 4, 9]> : tensor<3xi32>
  return
}

// acc - 2 x, with a value from outside: the order of the rows counts.
func.func @body_in_order() {
  %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %b = stablehlo.constant dense<[[3, 5]]> : tensor<1x2xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %s = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %i = stablehlo.constant dense<100> : tensor<i32>
  %r = "stablehlo.reduce"(%s, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %0 = stablehlo.multiply %q, %two : tensor<i32>
    %1 = stablehlo.subtract %p, %0 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[92, 86]> : tensor<2xi32>
  return
}

// The body returns the next element, or a value from outside.
func.func @last_and_constant() {
  %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %b = stablehlo.constant dense<[[3, 5]]> : tensor<1x2xi32>
  %k = stablehlo.constant dense<7> : tensor<i32>
  %s = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %r:2 = "stablehlo.reduce"(%s, %s, %k, %k) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>, %t: tensor<i32>, %u: tensor<i32>):
    stablehlo.return %t, %k : tensor<i32>, tensor<i32>
  }) : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[3, 5]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[7, 7]> : tensor<2xi32>
  return
}

// As jnp.argmax has it, of three arrays: ties, NaN, zeros of both signs.
func.func @largest() {
  %a = stablehlo.constant dense<[[1.0, 5.0, 0.0, -0.0, 2.0, 0x7FC00000, 0xFF800000]]> : tensor<1x7xf32>
  %b = stablehlo.constant dense<[[3.0, 5.0, -0.0, 0.0, 0x7FC00000, 1.0, 0xFF800000]]> : tensor<1x7xf32>
  %c = stablehlo.constant dense<[[2.0, 4.0, 0.0, -0.0, 9.0, 0x7FC00000, 0xFF800000]]> : tensor<1x7xf32>
  %s = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<1x7xf32>, tensor<1x7xf32>, tensor<1x7xf32>) -> tensor<3x7xf32>
  %k = stablehlo.iota dim = 0 : tensor<3x7xi32>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%s, %k, %i, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<f32>, %n: tensor<i32>, %q: tensor<f32>, %m: tensor<i32>):
    %0 = stablehlo.compare GT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.compare NE, %p, %p, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.compare EQ, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.and %3, %4 : tensor<i1>
    %6 = stablehlo.or %2, %5 : tensor<i1>
    %7 = stablehlo.select %2, %p, %q : tensor<i1>, tensor<f32>
    %8 = stablehlo.select %6, %n, %m : tensor<i1>, tensor<i32>
    stablehlo.return %7, %8 : tensor<f32>, tensor<i32>
  }) : (tensor<3x7xf32>, tensor<3x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<7xf32>, tensor<7xi32>)
  %numbers = stablehlo.slice %r#0 [0:4] : (tensor<7xf32>) -> tensor<4xf32>
  check.expect_eq_const %numbers, dense<[3.0, 5.0, 0.0, -0.0]> : tensor<4xf32>
  %nans = stablehlo.slice %r#0 [4:6] : (tensor<7xf32>) -> tensor<2xf32>
  %equal = stablehlo.compare EQ, %nans, %nans, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %equal, dense<[false, false]> : tensor<2xi1>
  check.expect_eq_const %r#1, dense<[1, 0, 0, 0, 1, 0, 0]> : tensor<7xi32>
  return
}

// The first true of three conditions, as jnp.select finds it; positions that start at 1.
func.func @smallest_from_one() {
  %a = stablehlo.constant dense<[[4, 2, 9]]> : tensor<1x3xi32>
  %b = stablehlo.constant dense<[[4, 3, 1]]> : tensor<1x3xi32>
  %s = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %k = stablehlo.iota dim = 0 : tensor<2x3xi32>
  %i = stablehlo.constant dense<4> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%s, %k, %i, %one) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<i32>, %n: tensor<i32>, %q: tensor<i32>, %m: tensor<i32>):
    %0 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.compare NE, %p, %p, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.compare EQ, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.and %3, %4 : tensor<i1>
    %6 = stablehlo.or %2, %5 : tensor<i1>
    %7 = stablehlo.select %2, %p, %q : tensor<i1>, tensor<i32>
    %8 = stablehlo.select %6, %n, %m : tensor<i1>, tensor<i32>
    stablehlo.return %7, %8 : tensor<i32>, tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
  check.expect_eq_const %r#0, dense<[4, 2, 1]> : tensor<3xi32>
  check.expect_eq_const %r#1, dense<[0, 0, 1]> : tensor<3xi32>
  return
}

// The same reduction of one array that is no stack, along either dimension.
func.func @largest_of_an_array() {
  %x = stablehlo.constant dense<[[3, 7, 7, 1], [9, 7, 2, 1]]> : tensor<2x4xi32>
  %k = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %i = stablehlo.constant dense<-2147483648> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %k, %i, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%p: tensor<i32>, %n: tensor<i32>, %q: tensor<i32>, %m: tensor<i32>):
    %0 = stablehlo.compare GT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.compare NE, %p, %p, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.compare EQ, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.and %3, %4 : tensor<i1>
    %6 = stablehlo.or %2, %5 : tensor<i1>
    %7 = stablehlo.select %2, %p, %q : tensor<i1>, tensor<i32>
    %8 = stablehlo.select %6, %n, %m : tensor<i1>, tensor<i32>
    stablehlo.return %7, %8 : tensor<i32>, tensor<i32>
  }) : (tensor<2x4xi32>, tensor<2x4xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[7, 9]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[1, 0]> : tensor<2xi32>
  return
}

// Sums of the conditions so far, as jnp.piecewise takes them, of a stack joined in two steps; then
// the first place of the largest.
func.func @piecewise() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.5, 2.0]> : tensor<4xf32>
  %low = stablehlo.constant dense<-1.0> : tensor<4xf32>
  %high = stablehlo.constant dense<1.0> : tensor<4xf32>
  %a = stablehlo.compare LT, %x, %low, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %b = stablehlo.compare GT, %x, %high, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %c = stablehlo.reshape %a : (tensor<4xi1>) -> tensor<4x1xi1>
  %d = stablehlo.reshape %b : (tensor<4xi1>) -> tensor<4x1xi1>
  %none = stablehlo.constant dense<false> : tensor<4x1xi1>
  %e = stablehlo.concatenate %c, %d, dim = 1 : (tensor<4x1xi1>, tensor<4x1xi1>) -> tensor<4x2xi1>
  %f = stablehlo.concatenate %none, %e, dim = 1 : (tensor<4x1xi1>, tensor<4x2xi1>) -> tensor<4x3xi1>
  %g = stablehlo.convert %f : (tensor<4x3xi1>) -> tensor<4x3xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %h = "stablehlo.reduce_window"(%g, %z) <{padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %0 = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<4x3xi32>, tensor<i32>) -> tensor<4x3xi32>
  check.expect_eq_const %h, dense<[[0, 1, 1], [0, 0, 0], [0, 0, 0], [0, 0, 1]]> : tensor<4x3xi32>
  // From 5 on it is no sum of the elements alone; nor is a window of two.
  %five = stablehlo.constant dense<5> : tensor<i32>
  %i = "stablehlo.reduce_window"(%g, %five) <{padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %0 = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<4x3xi32>, tensor<i32>) -> tensor<4x3xi32>
  check.expect_eq_const %i, dense<[[15, 11, 6], [15, 10, 5], [15, 10, 5], [15, 10, 6]]> : tensor<4x3xi32>
  %j = "stablehlo.reduce_window"(%g, %z) <{padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %0 = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<4x3xi32>, tensor<i32>) -> tensor<4x3xi32>
  check.expect_eq_const %j, dense<[[0, 1, 1], [0, 0, 0], [0, 0, 0], [0, 0, 1]]> : tensor<4x3xi32>
  return
}

// A stack that is transposed: its arrays are joined along another dimension, where the others keep
// their order.
func.func @transposed() {
  %x = stablehlo.iota dim = 0 : tensor<6xi32>
  %a = stablehlo.reshape %x : (tensor<6xi32>) -> tensor<1x2x3xi32>
  %b = stablehlo.negate %a : tensor<1x2x3xi32>
  %s = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x2x3xi32>, tensor<1x2x3xi32>) -> tensor<2x2x3xi32>
  %p = stablehlo.transpose %s, dims = [1, 2, 0] : (tensor<2x2x3xi32>) -> tensor<2x3x2xi32>
  %q = stablehlo.transpose %s, dims = [1, 0, 2] : (tensor<2x2x3xi32>) -> tensor<2x2x3xi32>
  %r = stablehlo.transpose %s, dims = [2, 0, 1] : (tensor<2x2x3xi32>) -> tensor<3x2x2xi32>
  %t = stablehlo.transpose %p, dims = [2, 0, 1] : (tensor<2x3x2xi32>) -> tensor<2x2x3xi32>
  check.expect_eq_const %p, dense<[[[0, 0], [1, -1], [2, -2]], [[3, -3], [4, -4], [5, -5]]]> : tensor<2x3x2xi32>
  check.expect_eq_const %q, dense<[[[0, 1, 2], [0, -1, -2]], [[3, 4, 5], [-3, -4, -5]]]> : tensor<2x2x3xi32>
  check.expect_eq_const %r, dense<[[[0, 3], [0, -3]], [[1, 4], [-1, -4]], [[2, 5], [-2, -5]]]> : tensor<3x2x2xi32>
  check.expect_eq %t, %s : tensor<2x2x3xi32>, tensor<2x2x3xi32>
  return
}
