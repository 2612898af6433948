// SPDX-License-Identifier: Apache-2.0
// Lower and upper factors.

func.func @lower() {
  %a0 = stablehlo.constant dense<[[4.0, 2.0, -2.0], [2.0, 10.0, 5.0], [-2.0, 5.0, 6.0]]> : tensor<3x3xf64>
  %r = "stablehlo.cholesky"(%a0) {lower = true} : (tensor<3x3xf64>) -> (tensor<3x3xf64>)
  %w0 = stablehlo.constant dense<[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 2.0, 1.0]]> : tensor<3x3xf64>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<3x3xf64>, tensor<3x3xf64>
  return
}

func.func @upper() {
  %a0 = stablehlo.constant dense<[[4.0, 2.0, -2.0], [2.0, 10.0, 5.0], [-2.0, 5.0, 6.0]]> : tensor<3x3xf64>
  %r = "stablehlo.cholesky"(%a0) {lower = false} : (tensor<3x3xf64>) -> (tensor<3x3xf64>)
  %w0 = stablehlo.constant dense<[[2.0, 1.0, -1.0], [0.0, 3.0, 2.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<3x3xf64>, tensor<3x3xf64>
  return
}
