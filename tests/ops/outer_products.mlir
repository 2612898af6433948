// SPDX-License-Identifier: Apache-2.0
// Dots whose elements are single products: no contracting dimension, or those of one element. Every
// factor has eight bits, so all precisions agree.

func.func @outer() {
  %x = stablehlo.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[0.5, 4.0]> : tensor<2xf32>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<3xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %r, dense<[[0.5, 4.0], [-1.0, -8.0], [1.5, 12.0]]> : tensor<3x2xf32>
  return
}

// Batches in another order than the operands' dimensions, free ones on both sides.
func.func @batches() {
  %x = stablehlo.iota dim = 1 : tensor<4x6x5xi32>
  %0 = stablehlo.iota dim = 0 : tensor<4x6x5xi32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x6x5xi32>
  %a = stablehlo.add %x, %1 : tensor<4x6x5xi32>
  %b = stablehlo.iota dim = 1 : tensor<5x3x4xi32>
  %r = stablehlo.dot_general %a, %b, batching_dims = [2, 0] x [0, 2], contracting_dims = [] x [] : (tensor<4x6x5xi32>, tensor<5x3x4xi32>) -> tensor<5x4x6x3xi32>
  %at0 = stablehlo.iota dim = 1 : tensor<5x4x6x3xi32>
  %sq = stablehlo.multiply %at0, %at0 : tensor<5x4x6x3xi32>
  %at1 = stablehlo.iota dim = 2 : tensor<5x4x6x3xi32>
  %left = stablehlo.add %sq, %at1 : tensor<5x4x6x3xi32>
  %right = stablehlo.iota dim = 3 : tensor<5x4x6x3xi32>
  %want = stablehlo.multiply %left, %right : tensor<5x4x6x3xi32>
  check.expect_eq %r, %want : tensor<5x4x6x3xi32>, tensor<5x4x6x3xi32>
  return
}

// Contracting dimensions of one element; the results of narrow operands are wide.
func.func @sums_of_one_product() {
  %x = stablehlo.constant dense<[[100], [-128]]> : tensor<2x1xi8>
  %y = stablehlo.constant dense<[[127, -128]]> : tensor<1x2xi8>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x1xi8>, tensor<1x2xi8>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[12700, -12800], [-16256, 16384]]> : tensor<2x2xi32>
  %a = stablehlo.constant dense<[[1.5], [3.0]]> : tensor<2x1xbf16>
  %b = stablehlo.constant dense<[[1.0078125, -2.5]]> : tensor<1x2xbf16>
  %s = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x1xbf16>, tensor<1x2xbf16>) -> tensor<2x2xf32>
  check.expect_eq_const %s, dense<[[1.51171875, -3.75], [3.0234375, -7.5]]> : tensor<2x2xf32>
  return
}

// A sum that starts at 0 is +0 where its only product is -0.
func.func @zeros_of_both_signs() {
  %x = stablehlo.constant dense<[-0.0, 1.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = stablehlo.bitcast_convert %r : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %b, dense<0> : tensor<2xui32>
  return
}
