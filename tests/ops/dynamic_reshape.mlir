// SPDX-License-Identifier: Apache-2.0
// A shape that is known after all.

func.func @matrix() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<[2, 6]> : tensor<2xi64>
  %r = "stablehlo.dynamic_reshape"(%a0, %a1) {} : (tensor<3x4xi32>, tensor<2xi64>) -> (tensor<2x6xi32>)
  check.expect_eq_const %r, dense<[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]> : tensor<2x6xi32>
  return
}
