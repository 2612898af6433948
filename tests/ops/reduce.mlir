// SPDX-License-Identifier: Apache-2.0
// Reducers, NaN, no elements.

func.func @add() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.add %x, %y : tensor<i32>
  stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<3x4xi32>, tensor<i32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[6, 22, 38]> : tensor<3xi32>
  return
}

func.func @maximum() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.maximum %x, %y : tensor<i32>
  stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<3x4xi32>, tensor<i32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[3, 7, 11]> : tensor<3xi32>
  return
}

func.func @multiply() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %r = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.multiply %x, %y : tensor<i32>
  stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<3x4xi32>, tensor<i32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[0, 840, 7920]> : tensor<3xi32>
  return
}

func.func @or() {
  %a0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
  %s = stablehlo.or %x, %y : tensor<i32>
  stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<3x4xi32>, tensor<i32>) -> (tensor<3xi32>)
  check.expect_eq_const %r, dense<[3, 7, 11]> : tensor<3xi32>
  return
}

func.func @nan() {
  %a0 = stablehlo.constant dense<[[1.5, 0x7FC00000, 2.0], [4.0, 5.0, -6.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %s = stablehlo.maximum %x, %y : tensor<f32>
  stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>)
  %w0 = stablehlo.constant dense<[0x7FC00000, 5.0]> : tensor<2xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0x4xf32>
  %a1 = stablehlo.constant dense<7.0> : tensor<f32>
  %r = "stablehlo.reduce"(%a0, %a1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %s = stablehlo.add %x, %y : tensor<f32>
  stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<0x4xf32>, tensor<f32>) -> (tensor<4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %b0, dense<[1088421888, 1088421888, 1088421888, 1088421888]> : tensor<4xui32>
  return
}

// The initial value, whichever of the dimensions have no elements.
func.func @empty_to_scalars() {
  %i = stablehlo.constant dense<7.0> : tensor<f32>
  %a = stablehlo.constant dense<> : tensor<0xf32>
  %b = stablehlo.constant dense<> : tensor<2x0xf32>
  %c = stablehlo.constant dense<> : tensor<0x1xf32>
  %d = stablehlo.constant dense<> : tensor<3x0x2xf32>
  %ra = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
  %rb = stablehlo.reduce(%b init: %i) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<f32>
  %rb1 = stablehlo.reduce(%b init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
  %rc = stablehlo.reduce(%c init: %i) applies stablehlo.multiply across dimensions = [0] : (tensor<0x1xf32>, tensor<f32>) -> tensor<1xf32>
  %rd = stablehlo.reduce(%d init: %i) applies stablehlo.minimum across dimensions = [0, 1, 2] : (tensor<3x0x2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %ra, dense<7.0> : tensor<f32>
  check.expect_eq_const %rb, dense<7.0> : tensor<f32>
  check.expect_eq_const %rb1, dense<7.0> : tensor<2xf32>
  check.expect_eq_const %rc, dense<7.0> : tensor<1xf32>
  check.expect_eq_const %rd, dense<7.0> : tensor<f32>
  return
}

// Bodies that map before they combine: both sides alike, and the element alone.
func.func @mapped() {
  %x = stablehlo.constant dense<[[1.0, -3.0, 2.0], [-0.5, 0.25, -0.0]]> : tensor<2x3xf32>
  %i = stablehlo.constant dense<-2.0> : tensor<f32>
  %size = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %p = stablehlo.abs %a : tensor<f32>
    %q = stablehlo.abs %b : tensor<f32>
    %s = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  check.expect_eq_const %size, dense<[3.0, 2.0]> : tensor<2xf32>
  %squares = stablehlo.reduce(%x init: %i) across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %p = stablehlo.multiply %b, %b : tensor<f32>
    %s = stablehlo.add %p, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  check.expect_eq_const %squares, dense<12.3125> : tensor<f32>
  return
}

func.func @exclusive_or() {
  %x = stablehlo.constant dense<[[1, 3, 4], [255, 8, 7]]> : tensor<2x3xui8>
  %i = stablehlo.constant dense<16> : tensor<ui8>
  %r = stablehlo.reduce(%x init: %i) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[22, 224]> : tensor<2xui8>
  %p = stablehlo.constant dense<[true, true, true, false]> : tensor<4xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %q = stablehlo.reduce(%p init: %t) applies stablehlo.xor across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %q, dense<false> : tensor<i1>
  return
}
