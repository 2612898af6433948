// SPDX-License-Identifier: Apache-2.0
// Values pass unchanged.

func.func @two_values() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<1.5> : tensor<f32>
  %r:2 = stablehlo.optimization_barrier %a, %b : tensor<2xi32>, tensor<f32>
  check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<1.5> : tensor<f32>
  return
}
