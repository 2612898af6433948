// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters whose indices count regularly.

// x[2 i + j]: windows that overlap.
func.func @windows() {
  %x = stablehlo.iota dim = 0 : tensor<9xf32>
  %two = stablehlo.constant dense<2> : tensor<3x4xi32>
  %r = stablehlo.iota dim = 0 : tensor<3x4xi32>
  %c = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %s = stablehlo.multiply %r, %two : tensor<3x4xi32>
  %n = stablehlo.add %s, %c : tensor<3x4xi32>
  %i = stablehlo.reshape %n : (tensor<3x4xi32>) -> tensor<3x4x1xi32>
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<9xf32>, tensor<3x4x1xi32>) -> tensor<3x4xf32>
  check.expect_eq_const %g, dense<[[0.0, 1.0, 2.0, 3.0], [2.0, 3.0, 4.0, 5.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<3x4xf32>
  return
}

// Pairs of numbers (i, 2 - i), each the start of a window of 1 x 2.
func.func @pairs() {
  %x = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %ten = stablehlo.constant dense<10> : tensor<3x4xi32>
  %row = stablehlo.iota dim = 0 : tensor<3x4xi32>
  %tens = stablehlo.multiply %row, %ten : tensor<3x4xi32>
  %y = stablehlo.add %x, %tens : tensor<3x4xi32>
  %n = stablehlo.iota dim = 0 : tensor<3x1xi32>
  %two = stablehlo.constant dense<2> : tensor<3x1xi32>
  %m = stablehlo.subtract %two, %n : tensor<3x1xi32>
  %i = stablehlo.concatenate %n, %m, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  %g = "stablehlo.gather"(%y, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x4xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %g, dense<[[2, 3], [11, 12], [20, 21]]> : tensor<3x2xi32>
  return
}

// One batch, and the vectors along the first dimension of the indices.
func.func @batches() {
  %x = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %i = stablehlo.iota dim = 2 : tensor<1x2x2xi32>
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<1x2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %g, dense<[[0, 1], [3, 4]]> : tensor<2x2xi32>
  return
}

// Starts beyond the last window are moved into the operand.
func.func @clamped() {
  %x = stablehlo.iota dim = 0 : tensor<6xi32>
  %n = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %two = stablehlo.constant dense<2> : tensor<4x1xi32>
  %i = stablehlo.multiply %n, %two : tensor<4x1xi32>
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<6xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %g, dense<[[0, 1], [2, 3], [4, 5], [4, 5]]> : tensor<4x2xi32>
  return
}

// x[1::2] += u; -0 stays where nothing is added.
func.func @sums_apart() {
  %x = stablehlo.constant dense<[-0.0, 1.0, -0.0, 3.0, 4.0, 5.0, 6.0]> : tensor<7xf32>
  %u = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %n = stablehlo.iota dim = 0 : tensor<3x1xi32>
  %two = stablehlo.constant dense<2> : tensor<3x1xi32>
  %one = stablehlo.constant dense<1> : tensor<3x1xi32>
  %t = stablehlo.multiply %n, %two : tensor<3x1xi32>
  %i = stablehlo.add %t, %one : tensor<3x1xi32>
  %s = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<7xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<7xf32>
  %bits = stablehlo.bitcast_convert %s : (tensor<7xf32>) -> tensor<7xui32>
  %want = stablehlo.constant dense<[-0.0, 11.0, -0.0, 23.0, 4.0, 35.0, 6.0]> : tensor<7xf32>
  %wanted = stablehlo.bitcast_convert %want : (tensor<7xf32>) -> tensor<7xui32>
  check.expect_eq %bits, %wanted : tensor<7xui32>, tensor<7xui32>
  return
}

// Sums at one place: 0 + 1 + 2 + 3.
func.func @sums_at_one_place() {
  %x = stablehlo.constant dense<0> : tensor<3xi32>
  %u = stablehlo.iota dim = 0 : tensor<4xi32>
  %i = stablehlo.constant dense<1> : tensor<4x1xi32>
  %s = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<3xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<3xi32>
  check.expect_eq_const %s, dense<[0, 6, 0]> : tensor<3xi32>
  return
}

// A box in the middle, most of the operand, and of a part of it; and the sum of a window.
func.func @boxes() {
  %x = stablehlo.constant dense<0> : tensor<4x5xi32>
  %u = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %i = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %s = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4x5xi32>, tensor<2xi32>, tensor<3x4xi32>) -> tensor<4x5xi32>
  check.expect_eq_const %s, dense<[[0, 0, 0, 0, 0], [1, 2, 3, 4, 0], [5, 6, 7, 8, 0], [9, 10, 11, 12, 0]]> : tensor<4x5xi32>
  %v = stablehlo.constant dense<[[100, 200]]> : tensor<1x2xi32>
  %k = stablehlo.constant dense<[3, 3]> : tensor<2xi32>
  %t = "stablehlo.scatter"(%s, %k, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4x5xi32>, tensor<2xi32>, tensor<1x2xi32>) -> tensor<4x5xi32>
  check.expect_eq_const %t, dense<[[0, 0, 0, 0, 0], [1, 2, 3, 4, 0], [5, 6, 7, 8, 0], [9, 10, 11, 112, 200]]> : tensor<4x5xi32>
  return
}

// Of two arrays by numbers, -2, 1 and 2 in turn: those outside of 0 and 1 are moved to these.
func.func @choice() {
  %a = stablehlo.iota dim = 1 : tensor<1x70xi32>
  %b = stablehlo.negate %a : tensor<1x70xi32>
  %s = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x70xi32>, tensor<1x70xi32>) -> tensor<2x70xi32>
  %n = stablehlo.iota dim = 0 : tensor<70x1xi32>
  %m = stablehlo.constant dense<3> : tensor<70x1xi32>
  %two = stablehlo.constant dense<2> : tensor<70x1xi32>
  %r = stablehlo.remainder %n, %m : tensor<70x1xi32>
  %k = stablehlo.subtract %r, %two : tensor<70x1xi32>
  %t = stablehlo.multiply %k, %k : tensor<70x1xi32>
  %c = stablehlo.subtract %two, %t : tensor<70x1xi32>
  %i = stablehlo.concatenate %c, %n, dim = 1 : (tensor<70x1xi32>, tensor<70x1xi32>) -> tensor<70x2xi32>
  %g = "stablehlo.gather"(%s, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x70xi32>, tensor<70x2xi32>) -> tensor<70xi32>
  %head = stablehlo.slice %g [0:6] : (tensor<70xi32>) -> tensor<6xi32>
  check.expect_eq_const %head, dense<[0, -1, -2, 3, -4, -5]> : tensor<6xi32>
  return
}

// Lines that leave a row and go on in the next one: no part of the array, although every step is
// one.
func.func @lines_across_rows() {
  %p = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %q = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %i = stablehlo.concatenate %p, %q, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  %x = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %v = stablehlo.constant dense<[-1.0, -2.0]> : tensor<2xf32>
  %r = "stablehlo.scatter"(%x, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<2x2xf32>, tensor<2x2xi32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[0.0, -1.0], [-2.0, 3.0]]> : tensor<2x2xf32>
  %far = stablehlo.constant dense<[[0, 5], [1, 0]]> : tensor<2x2xi32>
  %y = stablehlo.constant dense<0> : tensor<4x6xi32>
  %w = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %s = "stablehlo.scatter"(%y, %far, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4x6xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<4x6xi32>
  check.expect_eq_const %s, dense<[[0, 0, 0, 0, 0, 7], [8, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]> : tensor<4x6xi32>
  return
}

// Numbers beyond 2^53, which bounds do not follow.
func.func @far_numbers() {
  %i = stablehlo.iota dim = 0 : tensor<4xi64>
  %c = stablehlo.constant dense<9007199254740990> : tensor<4xi64>
  %m = stablehlo.constant dense<9007199254740992> : tensor<4xi64>
  %s = stablehlo.add %i, %c : tensor<4xi64>
  %r = stablehlo.minimum %s, %m : tensor<4xi64>
  check.expect_eq_const %r, dense<[9007199254740990, 9007199254740991, 9007199254740992, 9007199254740992]> : tensor<4xi64>
  return
}
