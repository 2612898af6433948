// SPDX-License-Identifier: Apache-2.0
func.func @main() {
  %f = stablehlo.constant dense<3.0> : tensor<f32>
  %n = stablehlo.convert %f : (tensor<f32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %ok = stablehlo.compare EQ, %n, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %four, %n) {error_message = "wanted {0}, got {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  check.expect_eq_const %n, dense<3> : tensor<i32>
  return
}
