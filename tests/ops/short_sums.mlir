// SPDX-License-Identifier: Apache-2.0
// Short sums of f32 products are folded in order and each product is rounded: terms that cancel leave
// what those steps leave, not what a fused product would.

func.func @convolution() {
  %x = stablehlo.constant dense<[[[2.8210852, -1.4033475, 0.3323157], [3.8813534, 6.4196997, -1.1568974]]]> : tensor<1x2x3xf32>
  %k = stablehlo.constant dense<[[[1.3717421, 2.4691358, -1.2345679]], [[-2.7182818, 1.6180340, -0.1412135]]]> : tensor<2x1x3xf32>
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<1x2x3xf32>, tensor<2x1x3xf32>) -> tensor<1x2x1xf32>
  %a = stablehlo.reshape %x : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %b = stablehlo.reshape %k : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %p = stablehlo.multiply %a, %b : tensor<2x3xf32>
  %p0 = stablehlo.slice %p [0:2, 0:1] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %p1 = stablehlo.slice %p [0:2, 1:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %p2 = stablehlo.slice %p [0:2, 2:3] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %s = stablehlo.add %p0, %p1 : tensor<2x1xf32>
  %t = stablehlo.add %s, %p2 : tensor<2x1xf32>
  %w = stablehlo.reshape %t : (tensor<2x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq %r, %w : tensor<1x2x1xf32>, tensor<1x2x1xf32>
  return
}

// (1 + 2^-12)^2 rounds to 1 + 2^-11: nothing is left of the last bit once 1 + 2^-11 is taken away.
func.func @dot() {
  %x = stablehlo.constant dense<[[-1.00048828125, 1.000244140625]]> : tensor<1x2xf32>
  %y = stablehlo.constant dense<[[1.0], [1.000244140625]]> : tensor<2x1xf32>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<0.0> : tensor<1x1xf32>
  return
}
