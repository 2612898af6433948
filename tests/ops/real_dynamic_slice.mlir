// SPDX-License-Identifier: Apache-2.0
// Starts, limits and strides as values.

func.func @strided() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %a2 = stablehlo.constant dense<[5]> : tensor<1xi64>
  %a3 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %r = "stablehlo.real_dynamic_slice"(%a0, %a1, %a2, %a3) {} : (tensor<5xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<2xi32>)
  check.expect_eq_const %r, dense<[-1, 7]> : tensor<2xi32>
  return
}
