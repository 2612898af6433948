// SPDX-License-Identifier: Apache-2.0
// A shape that is known after all.

func.func @rows() {
  %a0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %r = "stablehlo.dynamic_iota"(%a0) {iota_dimension = 1 : i64} : (tensor<2xi64>) -> (tensor<2x3xi32>)
  check.expect_eq_const %r, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  return
}
