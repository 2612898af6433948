// SPDX-License-Identifier: Apache-2.0
// One number in the shape of the operand.

func.func @floats() {
  %a0 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %r = "chlo.constant_like"(%a0) {value = 1.5 : f32} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1069547520, 1069547520, 1069547520], [1069547520, 1069547520, 1069547520]]> : tensor<2x3xui32>
  return
}

func.func @halves() {
  %a0 = stablehlo.constant dense<[-3.0, 2.0, -1.0]> : tensor<3xbf16>
  %r = "chlo.constant_like"(%a0) {value = 0.3 : bf16} : (tensor<3xbf16>) -> (tensor<3xbf16>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3xbf16>) -> tensor<3xui16>
  check.expect_eq_const %b0, dense<[16026, 16026, 16026]> : tensor<3xui16>
  return
}

func.func @integers() {
  %a0 = stablehlo.constant dense<[-1, 1, 3]> : tensor<3xi32>
  %r = "chlo.constant_like"(%a0) {value = -7 : i32} : (tensor<3xi32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[-7, -7, -7]> : tensor<3xi32>
  return
}

func.func @complex() {
  %a0 = stablehlo.constant dense<[(0.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = "chlo.constant_like"(%a0) {value = 2.0 : f32} : (tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>)
  %w0 = stablehlo.constant dense<[(2.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  return
}

func.func @nothing() {
  %a0 = stablehlo.constant dense<> : tensor<0x2xf32>
  %r = "chlo.constant_like"(%a0) {value = 2.0 : f32} : (tensor<0x2xf32>) -> (tensor<0x2xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<0x2xf32>) -> tensor<0x2xui32>
  check.expect_eq_const %b0, dense<> : tensor<0x2xui32>
  return
}
