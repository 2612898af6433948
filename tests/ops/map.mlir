// SPDX-License-Identifier: Apache-2.0
// A computation for each element.

func.func @product() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %r = "stablehlo.map"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.multiply %x, %y : tensor<i32>
  stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>)
  check.expect_eq_const %r, dense<[9, 1, 4, 49, 25]> : tensor<5xi32>
  return
}
