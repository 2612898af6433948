// SPDX-License-Identifier: Apache-2.0
// Element-wise work on, and reductions of, what was repeated: arrays of more than 32 KiB.

func.func @repeated_twice() {
  %x = stablehlo.iota dim = 0 : tensor<64xf32>
  %n = stablehlo.constant dense<-3.0> : tensor<64x256xf32>
  %w = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>
  %m = stablehlo.multiply %n, %w : tensor<64x256xf32>
  %s = stablehlo.reshape %m : (tensor<64x256xf32>) -> tensor<4096x4xf32>
  %v = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<4096x4xf32>) -> tensor<4096x3x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.constant dense<0.5> : tensor<f32>
  %a = stablehlo.reduce(%v init: %p) applies stablehlo.add across dimensions = [1] : (tensor<4096x3x4xf32>, tensor<f32>) -> tensor<4096x4xf32>
  %b = stablehlo.reshape %a : (tensor<4096x4xf32>) -> tensor<64x256xf32>
  %r = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  %k = stablehlo.constant dense<-2304.0> : tensor<64xf32>
  %c = stablehlo.constant dense<128.0> : tensor<64xf32>
  %0 = stablehlo.multiply %k, %x : tensor<64xf32>
  %want = stablehlo.add %0, %c : tensor<64xf32>
  check.expect_eq %r, %want : tensor<64xf32>, tensor<64xf32>
  return
}

// Sums of bf16 accumulate in f32; 8-bit integers wrap.
func.func @sums_of_narrow_types() {
  %x = stablehlo.iota dim = 0 : tensor<64xbf16>
  %i = stablehlo.iota dim = 0 : tensor<64xi8>
  %w = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<64xbf16>) -> tensor<64x257xbf16>
  %v = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<64xi8>) -> tensor<515x64xi8>
  %p = stablehlo.constant dense<1.0> : tensor<bf16>
  %q = stablehlo.constant dense<-7> : tensor<i8>
  %a = stablehlo.reduce(%w init: %p) applies stablehlo.add across dimensions = [1] : (tensor<64x257xbf16>, tensor<bf16>) -> tensor<64xbf16>
  %b = stablehlo.reduce(%v init: %q) applies stablehlo.add across dimensions = [0] : (tensor<515x64xi8>, tensor<i8>) -> tensor<64xi8>
  %f = stablehlo.iota dim = 0 : tensor<64xf32>
  %k = stablehlo.constant dense<257.0> : tensor<64xf32>
  %one = stablehlo.constant dense<1.0> : tensor<64xf32>
  %0 = stablehlo.multiply %k, %f : tensor<64xf32>
  %1 = stablehlo.add %0, %one : tensor<64xf32>
  %wanta = stablehlo.convert %1 : (tensor<64xf32>) -> tensor<64xbf16>
  %t = stablehlo.constant dense<3> : tensor<64xi8>
  %seven = stablehlo.constant dense<7> : tensor<64xi8>
  %2 = stablehlo.multiply %t, %i : tensor<64xi8>
  %wantb = stablehlo.subtract %2, %seven : tensor<64xi8>
  check.expect_eq %a, %wanta : tensor<64xbf16>, tensor<64xbf16>
  check.expect_eq %b, %wantb : tensor<64xi8>, tensor<64xi8>
  return
}

// Of columns of a larger array, and with the initial value as the extreme.
func.func @extremes_and_masks() {
  %x = stablehlo.iota dim = 0 : tensor<40x3xi32>
  %c = stablehlo.slice %x [0:40, 1:2] : (tensor<40x3xi32>) -> tensor<40x1xi32>
  %w = stablehlo.broadcast_in_dim %c, dims = [0, 2] : (tensor<40x1xi32>) -> tensor<40x300x2xi32>
  %twenty = stablehlo.constant dense<20> : tensor<i32>
  %h = stablehlo.reduce(%w init: %twenty) applies stablehlo.maximum across dimensions = [1, 2] : (tensor<40x300x2xi32>, tensor<i32>) -> tensor<40xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %o = stablehlo.reduce(%w init: %one) applies stablehlo.or across dimensions = [1] : (tensor<40x300x2xi32>, tensor<i32>) -> tensor<40x2xi32>
  %i = stablehlo.iota dim = 0 : tensor<40xi32>
  %ts = stablehlo.constant dense<20> : tensor<40xi32>
  %wanth = stablehlo.maximum %i, %ts : tensor<40xi32>
  %j = stablehlo.iota dim = 0 : tensor<40x2xi32>
  %os = stablehlo.constant dense<1> : tensor<40x2xi32>
  %wanto = stablehlo.or %j, %os : tensor<40x2xi32>
  check.expect_eq %h, %wanth : tensor<40xi32>, tensor<40xi32>
  check.expect_eq %o, %wanto : tensor<40x2xi32>, tensor<40x2xi32>
  return
}

// Indices out of bounds are clamped, in the smaller array as well.
func.func @gathered_rows() {
  %x = stablehlo.iota dim = 0 : tensor<32x128xf32>
  %i = stablehlo.iota dim = 0 : tensor<128x1xi32>
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}> : (tensor<32x128xf32>, tensor<128x1xi32>) -> tensor<128x128xf32>
  %n = stablehlo.negate %g : tensor<128x128xf32>
  %f = stablehlo.iota dim = 0 : tensor<128x128xf32>
  %most = stablehlo.constant dense<31.0> : tensor<128x128xf32>
  %0 = stablehlo.minimum %f, %most : tensor<128x128xf32>
  %want = stablehlo.negate %0 : tensor<128x128xf32>
  check.expect_eq %n, %want : tensor<128x128xf32>, tensor<128x128xf32>
  return
}

// A gather whose result is seen as another shape: its windows lie along a dimension in the middle.
func.func @gathered_and_reshaped() {
  %x = stablehlo.iota dim = 0 : tensor<8x16xf32>
  %c = stablehlo.iota dim = 1 : tensor<4x200xi32>
  %g = "stablehlo.gather"(%x, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 16>}> : (tensor<8x16xf32>, tensor<4x200xi32>) -> tensor<4x16x200xf32>
  %r = stablehlo.reshape %g : (tensor<4x16x200xf32>) -> tensor<200x64xf32>
  %n = stablehlo.negate %r : tensor<200x64xf32>
  %b = stablehlo.reshape %n : (tensor<200x64xf32>) -> tensor<4x16x200xf32>
  %f = stablehlo.iota dim = 2 : tensor<4x16x200xf32>
  %most = stablehlo.constant dense<7.0> : tensor<4x16x200xf32>
  %0 = stablehlo.minimum %f, %most : tensor<4x16x200xf32>
  %want = stablehlo.negate %0 : tensor<4x16x200xf32>
  check.expect_eq %b, %want : tensor<4x16x200xf32>, tensor<4x16x200xf32>
  return
}
