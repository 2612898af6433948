// SPDX-License-Identifier: Apache-2.0
// Rows are added by number; one beyond the end is left out. Windows that reach outside are left out whole.

func.func @rows() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = stablehlo.constant dense<[2, 2, 9]> : tensor<3xi64>
  %u = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
  %r = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false} : (tensor<3x2xi32>, tensor<3xi64>, tensor<3x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [45, 66]]> : tensor<3x2xi32>
  return
}

// Whole columns by number, in order; numbers outside are left out.
func.func @columns() {
  %a = stablehlo.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi32>
  %i = stablehlo.constant dense<[[2, 0], [2, -1], [3, 0]]> : tensor<3x2xi32>
  %u = stablehlo.constant dense<[[[[10, 20], [30, 40], [50, 60]]], [[[70, 80], [90, 100], [110, 120]]]]> : tensor<2x1x3x2xi32>
  %j = stablehlo.reshape %i : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
  %r = "stablehlo.scatter"(%a, %j, %u) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false} : (tensor<2x1x3xi32>, tensor<3x2x1xi32>, tensor<2x1x3x2xi32>) -> tensor<2x1x3xi32>
  check.expect_eq_const %r, dense<[[[81, 2, 43]], [[204, 5, 166]]]> : tensor<2x1x3xi32>
  %o = "stablehlo.scatter"(%a, %j, %u) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %y : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false} : (tensor<2x1x3xi32>, tensor<3x2x1xi32>, tensor<2x1x3x2xi32>) -> tensor<2x1x3xi32>
  check.expect_eq_const %o, dense<[[[60, 2, 30]], [[120, 5, 90]]]> : tensor<2x1x3xi32>
  return
}

func.func @windows() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %i = stablehlo.constant dense<[[0, 1], [2, 0], [-1, 0]]> : tensor<3x2xi64>
  %u = stablehlo.constant dense<[[[10, 20], [30, 40]], [[1, 1], [1, 1]], [[2, 2], [2, 2]]]> : tensor<3x2x2xi32>
  %r = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false} : (tensor<3x3xi32>, tensor<3x2xi64>, tensor<3x2x2xi32>) -> tensor<3x3xi32>
  check.expect_eq_const %r, dense<[[1, 12, 23], [4, 35, 46], [7, 8, 9]]> : tensor<3x3xi32>
  return
}

// Vectors of no numbers: each of them is an update of the whole operand.
func.func @no_numbers() {
  %x = stablehlo.constant dense<100> : tensor<1xi32>
  %v = stablehlo.constant dense<[[1], [2], [3], [4], [5]]> : tensor<5x1xi32>
  %i = stablehlo.constant dense<0> : tensor<5x0xi32>
  %r = "stablehlo.scatter"(%x, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<1xi32>, tensor<5x0xi32>, tensor<5x1xi32>) -> tensor<1xi32>
  check.expect_eq_const %r, dense<115> : tensor<1xi32>
  return
}
