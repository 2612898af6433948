// SPDX-License-Identifier: Apache-2.0
// Additive scatters into zeros whose result is added to an array. Bits are compared, as a -0 of the
// array becomes a 0.

func.func @one_update_for_each_row() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  %i = stablehlo.constant dense<[[[2]], [[0]], [[7]]]> : tensor<3x1x1xi32>
  %u = stablehlo.constant dense<[[-1.5], [-0.0], [5.0]]> : tensor<3x1xf32>
  %s = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<3x1x1xi32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %x = stablehlo.constant dense<[[1.0, -0.0, 1.5, 3.0], [-0.0, 2.0, -0.0, 0x7F800000], [4.0, -0.0, 6.0, 0.0]]> : tensor<3x4xf32>
  %r = stablehlo.add %s, %x : tensor<3x4xf32>
  %bits = stablehlo.bitcast_convert %r : (tensor<3x4xf32>) -> tensor<3x4xui32>
  %want = stablehlo.constant dense<[[1.0, 0.0, 0.0, 3.0], [0.0, 2.0, 0.0, 0x7F800000], [4.0, 0.0, 6.0, 0.0]]> : tensor<3x4xf32>
  %want_bits = stablehlo.bitcast_convert %want : (tensor<3x4xf32>) -> tensor<3x4xui32>
  check.expect_eq %bits, %want_bits : tensor<3x4xui32>, tensor<3x4xui32>
  return
}

// As the gradient of x[jnp.arange(3), i] has it, and read from the other side; the array has other
// readers.
func.func @counted_rows() {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<bf16>) -> tensor<3x2xbf16>
  %rows = stablehlo.iota dim = 0 : tensor<3x1xi32>
  %i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
  %n = stablehlo.concatenate %rows, %i, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  %u = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %s = "stablehlo.scatter"(%zeros, %n, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %c = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %c : tensor<bf16>
  }) : (tensor<3x2xbf16>, tensor<3x2xi32>, tensor<3xbf16>) -> tensor<3x2xbf16>
  %x = stablehlo.constant dense<[[0.5, 256.0], [-0.0, -2.0], [8.0, 0.0]]> : tensor<3x2xbf16>
  %y = stablehlo.negate %x : tensor<3x2xbf16>
  %r = stablehlo.add %y, %s : tensor<3x2xbf16>
  check.expect_eq_const %r, dense<[[-0.5, -255.0], [0.0, 4.0], [-5.0, 0.0]]> : tensor<3x2xbf16>
  check.expect_eq_const %y, dense<[[-0.5, -256.0], [0.0, 2.0], [-8.0, 0.0]]> : tensor<3x2xbf16>
  return
}

// Updates that meet: of integers the sums are the same, of floats the zeros stay.
func.func @updates_that_meet() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %i = stablehlo.constant dense<[[2], [0], [2], [9]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[1, 2, 2147483647, 4]> : tensor<4xi32>
  %s = "stablehlo.scatter"(%zeros, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
  }) : (tensor<4xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<4xi32>
  %x = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %r = stablehlo.add %s, %x : tensor<4xi32>
  check.expect_eq_const %r, dense<[12, 20, -2147483618, 40]> : tensor<4xi32>
  %fzero = stablehlo.constant dense<0.0> : tensor<f32>
  %fzeros = stablehlo.broadcast_in_dim %fzero, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %fu = stablehlo.constant dense<[16777216.0, 2.0, 1.0, 4.0]> : tensor<4xf32>
  %fs = "stablehlo.scatter"(%fzeros, %i, %fu) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>
  %fx = stablehlo.constant dense<[1.0, 2.0, 1.0, 4.0]> : tensor<4xf32>
  %fr = stablehlo.add %fs, %fx : tensor<4xf32>
  check.expect_eq_const %fr, dense<[3.0, 2.0, 16777216.0, 4.0]> : tensor<4xf32>
  return
}
