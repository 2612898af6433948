// SPDX-License-Identifier: Apache-2.0
// By elements, by a scalar.

func.func @elements() {
  %a0 = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[-1.5, 0.0, 2.5, 3.0e+02]> : tensor<4xf32>
  %a2 = stablehlo.constant dense<[1.5, -0.0, -2.5, -3.0e+02]> : tensor<4xf32>
  %r = "stablehlo.select"(%a0, %a1, %a2) {} : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %b0, dense<[3217031168, 2147483648, 1075838976, 3281387520]> : tensor<4xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<false> : tensor<i1>
  %a1 = stablehlo.constant dense<[-1.5, 0.0, 2.5, 3.0e+02]> : tensor<4xf32>
  %a2 = stablehlo.constant dense<[1.5, -0.0, -2.5, -3.0e+02]> : tensor<4xf32>
  %r = "stablehlo.select"(%a0, %a1, %a2) {} : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %b0, dense<[1069547520, 2147483648, 3223322624, 3281387520]> : tensor<4xui32>
  return
}
