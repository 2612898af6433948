// SPDX-License-Identifier: Apache-2.0
// Along each dimension, of several types.

func.func @rows() {
  %r = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> (tensor<3x2xi32>)
  check.expect_eq_const %r, dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi32>
  return
}

func.func @halves() {
  %r = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> (tensor<2x4xbf16>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x4xbf16>) -> tensor<2x4xui16>
  check.expect_eq_const %b0, dense<[[0, 16256, 16384, 16448], [0, 16256, 16384, 16448]]> : tensor<2x4xui16>
  return
}

func.func @complex() {
  %r = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> (tensor<3xcomplex<f32>>)
  %w0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  return
}

// More numbers than are made at once: each is the one before it and one more.
func.func @long() {
  %r = stablehlo.iota dim = 0 : tensor<10000x2xi32>
  %low = stablehlo.slice %r [0:9999, 0:2] : (tensor<10000x2xi32>) -> tensor<9999x2xi32>
  %high = stablehlo.slice %r [1:10000, 0:2] : (tensor<10000x2xi32>) -> tensor<9999x2xi32>
  %step = stablehlo.subtract %high, %low : tensor<9999x2xi32>
  check.expect_eq_const %step, dense<1> : tensor<9999x2xi32>
  %last = stablehlo.slice %r [9999:10000, 0:2] : (tensor<10000x2xi32>) -> tensor<1x2xi32>
  check.expect_eq_const %last, dense<9999> : tensor<1x2xi32>
  return
}
