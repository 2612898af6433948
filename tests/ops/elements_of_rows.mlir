// SPDX-License-Identifier: Apache-2.0
// Elements at pairs of numbers, the same ones of each matrix (x[:, i, j]): read, written and
// combined, also twice and outside.

func.func @read() {
  %x = stablehlo.iota dim = 0 : tensor<24xf32>
  %y = stablehlo.reshape %x : (tensor<24xf32>) -> tensor<2x3x4xf32>
  %i = stablehlo.constant dense<[[0, 0], [2, 3], [1, 1], [9, 9], [2, 0]]> : tensor<5x2xi32>
  %r = "stablehlo.gather"(%y, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 1>}> : (tensor<2x3x4xf32>, tensor<5x2xi32>) -> tensor<2x5xf32>
  %want = stablehlo.constant dense<[[0.0, 11.0, 5.0, 11.0, 8.0], [12.0, 23.0, 17.0, 23.0, 20.0]]> : tensor<2x5xf32>
  check.expect_eq %r, %want : tensor<2x5xf32>, tensor<2x5xf32>
  return
}

func.func @written() {
  %zero = stablehlo.constant dense<0> : tensor<i16>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i16>) -> tensor<2x2x3xi16>
  %i = stablehlo.constant dense<[[1, 0], [0, 2], [0, 5], [-1, 0]]> : tensor<4x2xi32>
  %u = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi16>
  %r = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i16>, %b: tensor<i16>):
      stablehlo.return %b : tensor<i16>
  }) : (tensor<2x2x3xi16>, tensor<4x2xi32>, tensor<2x4xi16>) -> tensor<2x2x3xi16>
  %want = stablehlo.constant dense<[[[0, 0, 2], [1, 0, 0]], [[0, 0, 6], [5, 0, 0]]]> : tensor<2x2x3xi16>
  check.expect_eq %r, %want : tensor<2x2x3xi16>, tensor<2x2x3xi16>
  return
}

// The numbers name the dimensions in the other order; some places are met twice.
func.func @added() {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %x = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<3x2x3xf32>
  %i = stablehlo.constant dense<[[2, 0], [0, 1], [2, 0], [1, 2]]> : tensor<4x2xi32>
  %u = stablehlo.constant dense<[[0.5, 1.0, 2.0, 9.0], [4.0, 8.0, 16.0, 9.0], [32.0, 64.0, 128.0, 9.0]]> : tensor<3x4xf32>
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1, 2], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) : (tensor<3x2x3xf32>, tensor<4x2xi32>, tensor<3x4xf32>) -> tensor<3x2x3xf32>
  %want = stablehlo.constant dense<[[[1.0, 1.0, 3.5], [2.0, 1.0, 1.0]], [[1.0, 1.0, 21.0], [9.0, 1.0, 1.0]], [[1.0, 1.0, 161.0], [65.0, 1.0, 1.0]]]> : tensor<3x2x3xf32>
  check.expect_eq %r, %want : tensor<3x2x3xf32>, tensor<3x2x3xf32>
  return
}

func.func @or_of_rows() {
  %x = stablehlo.constant dense<[[1, 2], [4, 8], [16, 32]]> : tensor<3x2xi32>
  %i = stablehlo.constant dense<[[2], [0], [2], [7]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[[1, 1], [6, 5], [64, 3], [9, 9]]> : tensor<4x2xi32>
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.or %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<4x1xi32>, tensor<4x2xi32>) -> tensor<3x2xi32>
  %want = stablehlo.constant dense<[[7, 7], [4, 8], [81, 35]]> : tensor<3x2xi32>
  check.expect_eq %r, %want : tensor<3x2xi32>, tensor<3x2xi32>
  return
}
