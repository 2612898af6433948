// SPDX-License-Identifier: Apache-2.0
// Regions that work in wider integers, or in another precision of floats, than what they are given.

func.func @wider_integers() {
  %x = stablehlo.constant dense<[[100, 100, 100], [-100, 27, 1]]> : tensor<2x3xi8>
  %init = stablehlo.constant dense<1> : tensor<i32>
  %r = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xi8>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[301, -71]> : tensor<2xi32>
  func.return
}

func.func @wider_floats() {
  %x = stablehlo.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %init = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xbf16>, tensor<bf16>) -> tensor<f32>
  check.expect_eq_const %r, dense<258.0> : tensor<f32>
  func.return
}

func.func @window() {
  %x = stablehlo.constant dense<[200, 100, 50, 250]> : tensor<4xui8>
  %init = stablehlo.constant dense<0> : tensor<ui8>
  %r = "stablehlo.reduce_window"(%x, %init) ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %s : tensor<ui32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xui8>, tensor<ui8>) -> tensor<3xui32>
  check.expect_eq_const %r, dense<[300, 150, 300]> : tensor<3xui32>
  func.return
}

func.func @scatter() {
  %x = stablehlo.constant dense<[100, 2, 3]> : tensor<3xi8>
  %at = stablehlo.constant dense<[[0], [0], [2]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[100, 100, -5]> : tensor<3xi16>
  %r = "stablehlo.scatter"(%x, %at, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3xi8>, tensor<3x1xi32>, tensor<3xi16>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[300, 2, -2]> : tensor<3xi32>
  func.return
}

func.func @select_and_scatter() {
  %x = stablehlo.constant dense<[1.0, 3.0, 5.0, 2.0]> : tensor<4xbf16>
  %s = stablehlo.constant dense<[257.0, 0.5]> : tensor<2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = "stablehlo.select_and_scatter"(%x, %s, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xbf16>, tensor<2xf32>, tensor<bf16>) -> tensor<4xf32>
  check.expect_eq_const %r, dense<[0.0, 257.0, 0.5, 0.0]> : tensor<4xf32>
  func.return
}
