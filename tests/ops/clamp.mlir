// SPDX-License-Identifier: Apache-2.0
// Bounds as scalars and as tensors; NaN stays.

func.func @scalars() {
  %a0 = stablehlo.constant dense<0> : tensor<i32>
  %a1 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a2 = stablehlo.constant dense<4> : tensor<i32>
  %r = "stablehlo.clamp"(%a0, %a1, %a2) {} : (tensor<i32>, tensor<5xi32>, tensor<i32>) -> (tensor<5xi32>)
  check.expect_eq_const %r, dense<[3, 0, 2, 4, 4]> : tensor<5xi32>
  return
}

func.func @tensors() {
  %a0 = stablehlo.constant dense<[-2.5, -1.0, 1.5, 2.99e+02]> : tensor<4xf32>
  %a1 = stablehlo.constant dense<[-9.0, 0x7FC00000, 9.0, 9.0]> : tensor<4xf32>
  %a2 = stablehlo.constant dense<[-5.0e-01, 1.0, 3.5, 3.01e+02]> : tensor<4xf32>
  %r = "stablehlo.clamp"(%a0, %a1, %a2) {} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  %w0 = stablehlo.constant dense<[-2.5, 0x7FC00000, 3.5, 2.99e+02]> : tensor<4xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<4xf32>, tensor<4xf32>
  return
}
