// SPDX-License-Identifier: Apache-2.0
// The largest, equal ones by index.

func.func @two() {
  %a0 = stablehlo.constant dense<[[1, 9, 9, 3], [4, 4, 0, -1]]> : tensor<2x4xi32>
  %r:2 = chlo.top_k(%a0, k = 2) : tensor<2x4xi32> -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %r#0, dense<[[9, 9], [4, 4]]> : tensor<2x2xi32>
  check.expect_eq_const %r#1, dense<[[1, 2], [0, 1]]> : tensor<2x2xi32>
  return
}
