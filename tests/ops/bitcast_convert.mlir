// SPDX-License-Identifier: Apache-2.0
// The same bits; wider, narrower.

func.func @equal() {
  %a0 = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %r = "stablehlo.bitcast_convert"(%a0) {} : (tensor<2xf32>) -> (tensor<2xi32>)
  check.expect_eq_const %r, dense<[1065353216, -2147483648]> : tensor<2xi32>
  return
}

func.func @narrower() {
  %a0 = stablehlo.constant dense<[16909060, -1]> : tensor<2xi32>
  %r = "stablehlo.bitcast_convert"(%a0) {} : (tensor<2xi32>) -> (tensor<2x4xui8>)
  check.expect_eq_const %r, dense<[[4, 3, 2, 1], [255, 255, 255, 255]]> : tensor<2x4xui8>
  return
}

func.func @wider() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xui16>
  %r = "stablehlo.bitcast_convert"(%a0) {} : (tensor<2x4xui16>) -> (tensor<2xui64>)
  check.expect_eq_const %r, dense<[844433520132096, 1970350607106052]> : tensor<2xui64>
  return
}
