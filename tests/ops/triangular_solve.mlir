// SPDX-License-Identifier: Apache-2.0
// As given and transposed.

func.func @plain() {
  %a0 = stablehlo.constant dense<[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 2.0, 1.0]]> : tensor<3x3xf64>
  %a1 = stablehlo.constant dense<[[2.0, 4.0], [10.0, 14.0], [10.0, 12.0]]> : tensor<3x2xf64>
  %r = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>)
  %w0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf64>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<3x2xf64>, tensor<3x2xf64>
  return
}

func.func @transposed() {
  %a0 = stablehlo.constant dense<[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 2.0, 1.0]]> : tensor<3x3xf64>
  %a1 = stablehlo.constant dense<[[0.0, 2.0], [19.0, 24.0], [5.0, 6.0]]> : tensor<3x2xf64>
  %r = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>)
  %w0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf64>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<3x2xf64>, tensor<3x2xf64>
  return
}
