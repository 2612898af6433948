// SPDX-License-Identifier: Apache-2.0
// bf16's bits; overflow.

func.func @bf16() {
  %a0 = stablehlo.constant dense<[1.0039062, 3.4e+38, -0.0, 0x7F800000]> : tensor<4xf32>
  %r = "stablehlo.reduce_precision"(%a0) {exponent_bits = 8 : i32, mantissa_bits = 7 : i32} : (tensor<4xf32>) -> (tensor<4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %b0, dense<[1065353216, 2139095040, 2147483648, 2139095040]> : tensor<4xui32>
  return
}

func.func @f16() {
  %a0 = stablehlo.constant dense<[6.552e+04, 1.0009766, 1.0e-09]> : tensor<3xf32>
  %r = "stablehlo.reduce_precision"(%a0) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<3xf32>) -> (tensor<3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %b0, dense<[2139095040, 1065361408, 0]> : tensor<3xui32>
  return
}
