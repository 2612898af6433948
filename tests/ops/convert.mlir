// SPDX-License-Identifier: Apache-2.0
// Between floats, integers, booleans and complex numbers.

func.func @to_integer() {
  %a0 = stablehlo.constant dense<[-1.5, 0.0, 2.5, 3.0e+02]> : tensor<4xf32>
  %r = "stablehlo.convert"(%a0) {} : (tensor<4xf32>) -> (tensor<4xi32>)
  check.expect_eq_const %r, dense<[-1, 0, 2, 300]> : tensor<4xi32>
  return
}

func.func @to_pred() {
  %a0 = stablehlo.constant dense<[-1.5, 0.0, 2.5, 3.0e+02]> : tensor<4xf32>
  %r = "stablehlo.convert"(%a0) {} : (tensor<4xf32>) -> (tensor<4xi1>)
  check.expect_eq_const %r, dense<[true, false, true, true]> : tensor<4xi1>
  return
}

func.func @to_bf16() {
  %a0 = stablehlo.constant dense<[1.0039062, 2.57e+02]> : tensor<2xf32>
  %r = "stablehlo.convert"(%a0) {} : (tensor<2xf32>) -> (tensor<2xbf16>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %b0, dense<[16256, 17280]> : tensor<2xui16>
  return
}

func.func @wraps() {
  %a0 = stablehlo.constant dense<[300, -1]> : tensor<2xi32>
  %r = "stablehlo.convert"(%a0) {} : (tensor<2xi32>) -> (tensor<2xui8>)
  check.expect_eq_const %r, dense<[44, 255]> : tensor<2xui8>
  return
}

func.func @to_complex() {
  %a0 = stablehlo.constant dense<[-1.5, 0.0, 2.5, 3.0e+02]> : tensor<4xf32>
  %r = "stablehlo.convert"(%a0) {} : (tensor<4xf32>) -> (tensor<4xcomplex<f32>>)
  %w0 = stablehlo.constant dense<[(-1.5, 0.0), (0.0, 0.0), (2.5, 0.0), (3.0e+02, 0.0)]> : tensor<4xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}
