// SPDX-License-Identifier: Apache-2.0
func.func @main() {
  %x = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %f = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  %start = stablehlo.convert %f : (tensor<1xf32>) -> tensor<1xi32>
  %limit = stablehlo.constant dense<[4]> : tensor<1xi32>
  %step = stablehlo.constant dense<[1]> : tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %x, %start, %limit, %step : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[2, 0]> : tensor<2xi32>
  return
}
