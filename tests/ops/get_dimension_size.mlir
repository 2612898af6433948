// SPDX-License-Identifier: Apache-2.0
// The size, as i32.

func.func @second() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = "stablehlo.get_dimension_size"(%a0) {dimension = 1 : i64} : (tensor<3x4xi32>) -> (tensor<i32>)
  check.expect_eq_const %r, dense<4> : tensor<i32>
  return
}
