// SPDX-License-Identifier: Apache-2.0
// Custom calls by which JAX exports operations that StableHLO has no form for.

func.func @mhlo_top_k() {
  %x = stablehlo.constant dense<[[3.0, 1.0, 2.0], [5.0, 9.0, 7.0]]> : tensor<2x3xf32>
  %v, %i = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %v, dense<[[3.0, 2.0], [9.0, 7.0]]> : tensor<2x2xf32>
  check.expect_eq_const %i, dense<[[0, 2], [1, 2]]> : tensor<2x2xi32>
  %w, %j = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 1 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x1xi32>)
  check.expect_eq_const %w, dense<[[1.0], [5.0]]> : tensor<2x1xf32>
  check.expect_eq_const %j, dense<[[1], [0]]> : tensor<2x1xi32>
  %c = stablehlo.custom_call @mhlo.copy(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq %c, %x : tensor<2x3xf32>, tensor<2x3xf32>
  return
}

func.func @dynamic_top_k() {
  %x = stablehlo.constant dense<[4, 8, 6]> : tensor<3xi32>
  %k = stablehlo.constant dense<2> : tensor<i32>
  %v, %i = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<3xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>)
  %s = stablehlo.reshape %v : (tensor<?xi32>) -> tensor<2xi32>
  check.expect_eq_const %s, dense<[8, 6]> : tensor<2xi32>
  %t = stablehlo.reshape %i : (tensor<?xi32>) -> tensor<2xi32>
  check.expect_eq_const %t, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func private @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// A cumulative sum, as jax.numpy.cumsum of an open dimension: a window of three, padded before.
func.func @dynamic_reduce_window() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %window = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %padding = stablehlo.constant dense<[[0, 0], [2, 0]]> : tensor<2x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %window, %one, %one, %one, %padding) {called_computations = [@sum]} : (tensor<2x3xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xi32>
  %1 = stablehlo.reshape %0 : (tensor<?x?xi32>) -> tensor<6xi32>
  check.expect_eq_const %1, dense<[1, 3, 6, 4, 9, 15]> : tensor<6xi32>
  return
}

func.func @dynamic_rng_bit_generator() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %s, %b = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  %t, %c = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %r = stablehlo.reshape %b : (tensor<?x?xui32>) -> tensor<2x3xui32>
  check.expect_eq %r, %c : tensor<2x3xui32>, tensor<2x3xui32>
  check.expect_eq %s, %t : tensor<2xui64>, tensor<2xui64>
  return
}

func.func @shape_refinement_operand_wrapper() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %shape = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %shape) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<3xi32>, tensor<1xi64>) -> tensor<?xi32>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  check.expect_eq_const %1, dense<3> : tensor<i32>
  return
}
