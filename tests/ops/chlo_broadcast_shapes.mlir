// SPDX-License-Identifier: Apache-2.0
// Numpy's broadcasting, and dimensions placed by an attribute.

func.func @row() {
  %a0 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %r = chlo.broadcast_add %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 1084227584, 1065353216], [3229614080, 3212836864, 0]]> : tensor<2x3xui32>
  return
}

func.func @row_first() {
  %a0 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %a1 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %r = chlo.broadcast_subtract %a0, %a1 : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[3229614080, 3212836864, 3225419776], [1073741824, 1084227584, 3221225472]]> : tensor<2x3xui32>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[[-2.0], [-3.0]]> : tensor<2x1xf32>
  %r = chlo.broadcast_multiply %a0, %a1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[3233808384, 3233808384, 3229614080], [1091567616, 1091567616, 3225419776]]> : tensor<2x3xui32>
  return
}

func.func @both() {
  %a0 = stablehlo.constant dense<[[-2.0], [-3.0]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %r = chlo.broadcast_maximum %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[3212836864, 1073741824, 3212836864], [3212836864, 1073741824, 3212836864]]> : tensor<2x3xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_minimum %a0, %a1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 1073741824, 1073741824], [3225419776, 3225419776, 1065353216]]> : tensor<2x3xui32>
  return
}

func.func @placed() {
  %a0 = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %a1 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %r = "chlo.broadcast_add"(%a0, %a1) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 1073741824, 1065353216], [3221225472, 3221225472, 1073741824]]> : tensor<2x3xui32>
  return
}

func.func @power() {
  %a0 = stablehlo.constant dense<[[4.0, 4.0, 3.0], [4.0, 4.0, 2.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %r = chlo.broadcast_power %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %w0 = stablehlo.constant dense<[[2.5e-01, 1.6e+01, 3.3333334e-01], [2.5e-01, 1.6e+01, 5.0e-01]]> : tensor<2x3xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<2x3xf32>, tensor<2x3xf32>
  return
}

func.func @quotient() {
  %a0 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 4.0, 8.0]> : tensor<3xf32>
  %r = chlo.broadcast_divide %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1069547520, 1061158912, 1048576000], [3217031168, 3208642560, 1040187392]]> : tensor<2x3xui32>
  return
}

func.func @complex() {
  %a0 = stablehlo.constant dense<[[3.0, 3.0, 2.0], [-3.0, -3.0, 1.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %r = chlo.broadcast_complex %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  %w0 = stablehlo.constant dense<[[(3.0, -1.0), (3.0, 2.0), (2.0, -1.0)], [(-3.0, -1.0), (-3.0, 2.0), (1.0, -1.0)]]> : tensor<2x3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
  return
}

func.func @bits_and() {
  %a0 = stablehlo.constant dense<[[6], [-7]]> : tensor<2x1xi32>
  %a1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = chlo.broadcast_and %a0, %a1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[0, 2, 2], [1, 0, 1]]> : tensor<2x3xi32>
  return
}

func.func @bits_or() {
  %a0 = stablehlo.constant dense<[[6], [-7]]> : tensor<2x1xi32>
  %a1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = chlo.broadcast_or %a0, %a1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[7, 6, 7], [-7, -5, -5]]> : tensor<2x3xi32>
  return
}

func.func @bits_xor() {
  %a0 = stablehlo.constant dense<[[6], [-7]]> : tensor<2x1xi32>
  %a1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = chlo.broadcast_xor %a0, %a1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[7, 4, 5], [-8, -5, -6]]> : tensor<2x3xi32>
  return
}

func.func @bits_shift_left() {
  %a0 = stablehlo.constant dense<[[6], [-7]]> : tensor<2x1xi32>
  %a1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = chlo.broadcast_shift_left %a0, %a1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[12, 24, 48], [-14, -28, -56]]> : tensor<2x3xi32>
  return
}

func.func @bits_shift_right_arithmetic() {
  %a0 = stablehlo.constant dense<[[6], [-7]]> : tensor<2x1xi32>
  %a1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = chlo.broadcast_shift_right_arithmetic %a0, %a1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[3, 1, 0], [-4, -2, -1]]> : tensor<2x3xi32>
  return
}

func.func @bits_remainder() {
  %a0 = stablehlo.constant dense<[[6], [-7]]> : tensor<2x1xi32>
  %a1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = chlo.broadcast_remainder %a0, %a1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[0, 0, 0], [0, -1, -1]]> : tensor<2x3xi32>
  return
}

func.func @bits_shift_right_logical() {
  %a0 = stablehlo.constant dense<[[6], [-7]]> : tensor<2x1xi32>
  %a1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = chlo.broadcast_shift_right_logical %a0, %a1 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[3, 1, 0], [2147483644, 1073741822, 536870911]]> : tensor<2x3xi32>
  return
}

func.func @atan2() {
  %a0 = stablehlo.constant dense<[[0.0], [0.0]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %r = chlo.broadcast_atan2 %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xui32>
  return
}

func.func @next_after() {
  %a0 = stablehlo.constant dense<[[1.0], [1.0]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf32>
  %r = chlo.broadcast_next_after %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1065353215, 1065353215, 1065353215], [1065353215, 1065353215, 1065353215]]> : tensor<2x3xui32>
  return
}

func.func @zeta() {
  %a0 = stablehlo.constant dense<[[2.0], [2.0]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %r = chlo.broadcast_zeta %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %w0 = stablehlo.constant dense<[[1.644934, 1.644934, 1.644934], [1.644934, 1.644934, 1.644934]]> : tensor<2x3xf32>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<2x3xf32>, tensor<2x3xf32>
  return
}

func.func @polygamma() {
  %a0 = stablehlo.constant dense<[[1.0], [1.0]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %r = chlo.broadcast_polygamma %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %w0 = stablehlo.constant dense<[[1.644934, 1.644934, 1.644934], [1.644934, 1.644934, 1.644934]]> : tensor<2x3xf32>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<2x3xf32>, tensor<2x3xf32>
  return
}

func.func @nothing() {
  %a0 = stablehlo.constant dense<> : tensor<0x3xf32>
  %a1 = stablehlo.constant dense<[-1.0, 2.0, -1.0]> : tensor<3xf32>
  %r = chlo.broadcast_add %a0, %a1 : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<0x3xf32>) -> tensor<0x3xui32>
  check.expect_eq_const %b0, dense<> : tensor<0x3xui32>
  return
}
