// SPDX-License-Identifier: Apache-2.0
// A splat, elements, nothing.

func.func @elements() {
  %r = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func @splat() {
  %r = stablehlo.constant dense<1.5> : tensor<2x2xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x2xf32>) -> tensor<2x2xui32>
  check.expect_eq_const %b0, dense<[[1069547520, 1069547520], [1069547520, 1069547520]]> : tensor<2x2xui32>
  return
}
