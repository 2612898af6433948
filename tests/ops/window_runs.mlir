// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters whose windows are several dense runs of their array.

// x[i, :, j], x[i, :, j] += u, and an overwriting one, of which the second window is outside.
func.func @columns_of_matrices() {
  %x = stablehlo.iota dim = 0 : tensor<24xi32>
  %m = stablehlo.reshape %x : (tensor<24xi32>) -> tensor<2x3x4xi32>
  %n = stablehlo.constant dense<[[1, 2], [0, 4], [1, 2]]> : tensor<3x2xi32>
  %g = "stablehlo.gather"(%m, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 1>}> : (tensor<2x3x4xi32>, tensor<3x2xi32>) -> tensor<3x3xi32>
  check.expect_eq_const %g, dense<[[14, 18, 22], [3, 7, 11], [14, 18, 22]]> : tensor<3x3xi32>
  %u = stablehlo.constant dense<[[100, 200, 300], [7, 7, 7], [1000, 2000, 3000]]> : tensor<3x3xi32>
  %s = "stablehlo.scatter"(%m, %n, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
  }) : (tensor<2x3x4xi32>, tensor<3x2xi32>, tensor<3x3xi32>) -> tensor<2x3x4xi32>
  check.expect_eq_const %s, dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 1114, 15], [16, 17, 2218, 19], [20, 21, 3322, 23]]]> : tensor<2x3x4xi32>
  %o = "stablehlo.scatter"(%m, %n, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 2], scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
  }) : (tensor<2x3x4xi32>, tensor<3x2xi32>, tensor<3x3xi32>) -> tensor<2x3x4xi32>
  check.expect_eq_const %o, dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 1000, 15], [16, 17, 2000, 19], [20, 21, 3000, 23]]]> : tensor<2x3x4xi32>
  return
}

// Crops of two rows and columns of images of bf16; a crop that reaches beyond an image is moved
// inside by a gather, and left out by a scatter.
func.func @crops() {
  %x = stablehlo.iota dim = 0 : tensor<24xbf16>
  %m = stablehlo.reshape %x : (tensor<24xbf16>) -> tensor<2x3x4xbf16>
  %n = stablehlo.constant dense<[[1, 1], [2, 0]]> : tensor<2x2xi32>
  %g = "stablehlo.gather"(%m, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<2x3x4xbf16>, tensor<2x2xi32>) -> tensor<2x2x2xbf16>
  check.expect_eq_const %g, dense<[[[5.0, 6.0], [9.0, 10.0]], [[16.0, 17.0], [20.0, 21.0]]]> : tensor<2x2x2xbf16>
  %s = "stablehlo.scatter"(%m, %n, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %c = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %c : tensor<bf16>
  }) : (tensor<2x3x4xbf16>, tensor<2x2xi32>, tensor<2x2x2xbf16>) -> tensor<2x3x4xbf16>
  check.expect_eq_const %s, dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 10.0, 12.0, 7.0], [8.0, 18.0, 20.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xbf16>
  return
}

// Windows of one element whose dimensions stay, as those of jnp.searchsorted: each is one number's.
// Numbers outside of the array are moved inside.
func.func @single_elements() {
  %x = stablehlo.constant dense<[[10, 11, 12], [20, 21, 22]]> : tensor<2x3xi32>
  %n = stablehlo.constant dense<[[[2], [0]], [[1], [5]], [[-1], [1]]]> : tensor<3x2x1xi32>
  %g = "stablehlo.gather"(%x, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 3], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<3x2x1xi32>) -> tensor<1x3x2x1xi32>
  check.expect_eq_const %g, dense<[[[[12], [10]], [[11], [12]], [[10], [11]]]]> : tensor<1x3x2x1xi32>
  %b = "stablehlo.gather"(%x, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<3x2x1xi32>) -> tensor<3x1x2xi32>
  check.expect_eq_const %b, dense<[[[12, 20]], [[11, 22]], [[10, 21]]]> : tensor<3x1x2xi32>
  return
}
