// SPDX-License-Identifier: Apache-2.0
// Assertions about shapes that hold: known before the run, and only in it.

func.func @known() {
  %x = stablehlo.constant dense<1.0> : tensor<4xf32>
  %open = stablehlo.convert %x : (tensor<4xf32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %open, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %ok = stablehlo.compare EQ, %n, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %n) {api_version = 2 : i32, error_message = "expected 4, got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  check.expect_eq_const %n, dense<4> : tensor<i32>
  return
}

func.func @of_the_run() {
  %f = stablehlo.constant dense<4.0> : tensor<f32>
  %n = stablehlo.convert %f : (tensor<f32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %ok = stablehlo.compare EQ, %n, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %n) {api_version = 2 : i32, error_message = "expected 4, got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  check.expect_eq_const %n, dense<4> : tensor<i32>
  return
}
