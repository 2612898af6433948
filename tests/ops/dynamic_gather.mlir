// SPDX-License-Identifier: Apache-2.0
// Slice sizes that are known after all; starts are clamped.

func.func @rows() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<[2, 0, 9, -4]> : tensor<4xi64>
  %a2 = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  %r = "stablehlo.dynamic_gather"(%a0, %a1, %a2) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false} : (tensor<3x4xi32>, tensor<4xi64>, tensor<2xi64>) -> (tensor<4x4xi32>)
  check.expect_eq_const %r, dense<[[8, 9, 10, 11], [0, 1, 2, 3], [8, 9, 10, 11], [0, 1, 2, 3]]> : tensor<4x4xi32>
  return
}
