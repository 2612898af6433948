// SPDX-License-Identifier: Apache-2.0
// Sums of arrays that are padded with zeros around different elements.

// Three parts of a row with a gap before the last one; -0 + 0 is +0.
func.func @parts_of_rows() {
  %a = stablehlo.constant dense<[[1.0], [-0.0]]> : tensor<2x1xf32>
  %b = stablehlo.constant dense<[[2.0, 3.0], [4.0, 5.0]]> : tensor<2x2xf32>
  %c = stablehlo.constant dense<[[-6.0], [7.0]]> : tensor<2x1xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %c, %z, low = [0, 4], high = [0, 1], interior = [0, 0] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x6xf32>
  %1 = stablehlo.pad %a, %z, low = [0, 0], high = [0, 5], interior = [0, 0] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x6xf32>
  %2 = stablehlo.pad %b, %z, low = [0, 1], high = [0, 3], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x6xf32>
  %s = stablehlo.add %0, %1 : tensor<2x6xf32>
  %r = stablehlo.add %2, %s : tensor<2x6xf32>
  check.expect_eq_const %r, dense<[[1.0, 2.0, 3.0, 0.0, -6.0, 0.0], [0.0, 4.0, 5.0, 0.0, 7.0, 0.0]]> : tensor<2x6xf32>
  %u = stablehlo.bitcast_convert %r : (tensor<2x6xf32>) -> tensor<2x6xui32>
  %first = stablehlo.slice %u [1:2, 0:1] : (tensor<2x6xui32>) -> tensor<1x1xui32>
  check.expect_eq_const %first, dense<0> : tensor<1x1xui32>
  %t = stablehlo.add %r, %s : tensor<2x6xf32>
  check.expect_eq_const %t, dense<[[2.0, 2.0, 3.0, 0.0, -12.0, 0.0], [0.0, 4.0, 5.0, 0.0, 14.0, 0.0]]> : tensor<2x6xf32>
  return
}

// Numbers of 2 x 2 matrices, and of every third place; -0 + 0 is +0.
func.func @other_shapes() {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.constant dense<[[[1.0]], [[-0.0]]]> : tensor<2x1x1xf32>
  %b = stablehlo.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %0 = stablehlo.pad %a, %z, low = [0, 1, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  %1 = stablehlo.pad %b, %z, low = [0, 0, 1], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x2x2xf32>
  %s = stablehlo.add %0, %1 : tensor<2x2x2xf32>
  %u = stablehlo.bitcast_convert %s : (tensor<2x2x2xf32>) -> tensor<2x2x2xui32>
  %w = stablehlo.constant dense<[[[0.0, 2.0], [1.0, 0.0]], [[0.0, 3.0], [0.0, 0.0]]]> : tensor<2x2x2xf32>
  %v = stablehlo.bitcast_convert %w : (tensor<2x2x2xf32>) -> tensor<2x2x2xui32>
  check.expect_eq %u, %v : tensor<2x2x2xui32>, tensor<2x2x2xui32>
  %t = stablehlo.add %s, %0 : tensor<2x2x2xf32>
  check.expect_eq_const %t, dense<[[[0.0, 2.0], [2.0, 0.0]], [[0.0, 3.0], [0.0, 0.0]]]> : tensor<2x2x2xf32>
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = stablehlo.pad %c, %z, low = [0], high = [2], interior = [2] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.pad %c, %z, low = [2], high = [0], interior = [2] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  %r = stablehlo.add %3, %2 : tensor<6xf32>
  check.expect_eq_const %r, dense<[1.0, 0.0, 1.0, 2.0, 0.0, 2.0]> : tensor<6xf32>
  return
}

// Each of 20 numbers from an array of its own, more than are joined at once.
func.func @twenty_numbers() {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %x = stablehlo.iota dim = 0 : tensor<20xi32>
  %c0 = stablehlo.slice %x [0:1] : (tensor<20xi32>) -> tensor<1xi32>
  %p0 = stablehlo.pad %c0, %z, low = [0], high = [19], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %c1 = stablehlo.slice %x [1:2] : (tensor<20xi32>) -> tensor<1xi32>
  %p1 = stablehlo.pad %c1, %z, low = [1], high = [18], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s1 = stablehlo.add %p0, %p1 : tensor<20xi32>
  %c2 = stablehlo.slice %x [2:3] : (tensor<20xi32>) -> tensor<1xi32>
  %p2 = stablehlo.pad %c2, %z, low = [2], high = [17], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s2 = stablehlo.add %s1, %p2 : tensor<20xi32>
  %c3 = stablehlo.slice %x [3:4] : (tensor<20xi32>) -> tensor<1xi32>
  %p3 = stablehlo.pad %c3, %z, low = [3], high = [16], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s3 = stablehlo.add %s2, %p3 : tensor<20xi32>
  %c4 = stablehlo.slice %x [4:5] : (tensor<20xi32>) -> tensor<1xi32>
  %p4 = stablehlo.pad %c4, %z, low = [4], high = [15], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s4 = stablehlo.add %s3, %p4 : tensor<20xi32>
  %c5 = stablehlo.slice %x [5:6] : (tensor<20xi32>) -> tensor<1xi32>
  %p5 = stablehlo.pad %c5, %z, low = [5], high = [14], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s5 = stablehlo.add %s4, %p5 : tensor<20xi32>
  %c6 = stablehlo.slice %x [6:7] : (tensor<20xi32>) -> tensor<1xi32>
  %p6 = stablehlo.pad %c6, %z, low = [6], high = [13], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s6 = stablehlo.add %s5, %p6 : tensor<20xi32>
  %c7 = stablehlo.slice %x [7:8] : (tensor<20xi32>) -> tensor<1xi32>
  %p7 = stablehlo.pad %c7, %z, low = [7], high = [12], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s7 = stablehlo.add %s6, %p7 : tensor<20xi32>
  %c8 = stablehlo.slice %x [8:9] : (tensor<20xi32>) -> tensor<1xi32>
  %p8 = stablehlo.pad %c8, %z, low = [8], high = [11], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s8 = stablehlo.add %s7, %p8 : tensor<20xi32>
  %c9 = stablehlo.slice %x [9:10] : (tensor<20xi32>) -> tensor<1xi32>
  %p9 = stablehlo.pad %c9, %z, low = [9], high = [10], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s9 = stablehlo.add %s8, %p9 : tensor<20xi32>
  %c10 = stablehlo.slice %x [10:11] : (tensor<20xi32>) -> tensor<1xi32>
  %p10 = stablehlo.pad %c10, %z, low = [10], high = [9], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s10 = stablehlo.add %s9, %p10 : tensor<20xi32>
  %c11 = stablehlo.slice %x [11:12] : (tensor<20xi32>) -> tensor<1xi32>
  %p11 = stablehlo.pad %c11, %z, low = [11], high = [8], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s11 = stablehlo.add %s10, %p11 : tensor<20xi32>
  %c12 = stablehlo.slice %x [12:13] : (tensor<20xi32>) -> tensor<1xi32>
  %p12 = stablehlo.pad %c12, %z, low = [12], high = [7], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s12 = stablehlo.add %s11, %p12 : tensor<20xi32>
  %c13 = stablehlo.slice %x [13:14] : (tensor<20xi32>) -> tensor<1xi32>
  %p13 = stablehlo.pad %c13, %z, low = [13], high = [6], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s13 = stablehlo.add %s12, %p13 : tensor<20xi32>
  %c14 = stablehlo.slice %x [14:15] : (tensor<20xi32>) -> tensor<1xi32>
  %p14 = stablehlo.pad %c14, %z, low = [14], high = [5], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s14 = stablehlo.add %s13, %p14 : tensor<20xi32>
  %c15 = stablehlo.slice %x [15:16] : (tensor<20xi32>) -> tensor<1xi32>
  %p15 = stablehlo.pad %c15, %z, low = [15], high = [4], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s15 = stablehlo.add %s14, %p15 : tensor<20xi32>
  %c16 = stablehlo.slice %x [16:17] : (tensor<20xi32>) -> tensor<1xi32>
  %p16 = stablehlo.pad %c16, %z, low = [16], high = [3], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s16 = stablehlo.add %s15, %p16 : tensor<20xi32>
  %c17 = stablehlo.slice %x [17:18] : (tensor<20xi32>) -> tensor<1xi32>
  %p17 = stablehlo.pad %c17, %z, low = [17], high = [2], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s17 = stablehlo.add %s16, %p17 : tensor<20xi32>
  %c18 = stablehlo.slice %x [18:19] : (tensor<20xi32>) -> tensor<1xi32>
  %p18 = stablehlo.pad %c18, %z, low = [18], high = [1], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s18 = stablehlo.add %s17, %p18 : tensor<20xi32>
  %c19 = stablehlo.slice %x [19:20] : (tensor<20xi32>) -> tensor<1xi32>
  %p19 = stablehlo.pad %c19, %z, low = [19], high = [0], interior = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<20xi32>
  %s19 = stablehlo.add %s18, %p19 : tensor<20xi32>
  %want = stablehlo.iota dim = 0 : tensor<20xi32>
  check.expect_eq %s19, %want : tensor<20xi32>, tensor<20xi32>
  return
}
