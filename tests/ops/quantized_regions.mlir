// SPDX-License-Identifier: Apache-2.0
// Reductions, windows, sorts and control flow.

func.func @maximum() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<-128> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.reduce"(%s0, %s1) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.05:-7>>, %y: tensor<!quant.uniform<i8:f32, 0.05:-7>>):
    %z = stablehlo.maximum %x, %y : tensor<!quant.uniform<i8:f32, 0.05:-7>>
    stablehlo.return %z : tensor<!quant.uniform<i8:f32, 0.05:-7>>
  }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3xi8>
  check.expect_eq_const %r0, dense<[73, 118, 67]> : tensor<3xi8>
  return
}

func.func @sum() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<-7> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.reduce"(%s0, %s1) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.05:-7>>, %y: tensor<!quant.uniform<i8:f32, 0.05:-7>>):
    %z = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.05:-7>>
    stablehlo.return %z : tensor<!quant.uniform<i8:f32, 0.05:-7>>
  }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3xi8>
  check.expect_eq_const %r0, dense<[21, 35, -6]> : tensor<3xi8>
  return
}

func.func @wide_sum() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<-7> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.reduce"(%s0, %s1) ({
  ^bb0(%x: tensor<!quant.uniform<i32:f32, 0.05:-7>>, %y: tensor<!quant.uniform<i32:f32, 0.05:-7>>):
    %z = stablehlo.add %x, %y : tensor<!quant.uniform<i32:f32, 0.05:-7>>
    stablehlo.return %z : tensor<!quant.uniform<i32:f32, 0.05:-7>>
  }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x!quant.uniform<i32:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x!quant.uniform<i32:f32, 0.05:-7>>) -> tensor<3xi32>
  check.expect_eq_const %r0, dense<[21, 84, -6]> : tensor<3xi32>
  return
}

func.func @sum_in_another_scale() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<90> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.reduce"(%s0, %s1) ({
  ^bb0(%x: tensor<!quant.uniform<i16:f32, 0.01:40>>, %y: tensor<!quant.uniform<i16:f32, 0.01:40>>):
    %z = stablehlo.add %x, %y : tensor<!quant.uniform<i16:f32, 0.01:40>>
    stablehlo.return %z : tensor<!quant.uniform<i16:f32, 0.01:40>>
  }) {dimensions = array<i64: 1>} : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x!quant.uniform<i16:f32, 0.02:3>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x!quant.uniform<i16:f32, 0.02:3>>) -> tensor<3xi16>
  check.expect_eq_const %r0, dense<[316, 473, 248]> : tensor<3xi16>
  return
}

func.func @applied() {
  %a0 = stablehlo.constant dense<[[7, -8, 7, -1], [-1, -1, -7, 8], [-5, -2, 4, -6]]> : tensor<3x4xi32>
  %a1 = stablehlo.constant dense<0> : tensor<i32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi32>) -> tensor<3x4x!quant.uniform<i32:f32, 0.5:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<i32>) -> tensor<!quant.uniform<i32:f32, 0.5:0>>
  %q = stablehlo.reduce(%s0 init: %s1) applies stablehlo.add across dimensions = [0] : (tensor<3x4x!quant.uniform<i32:f32, 0.5:0>>, tensor<!quant.uniform<i32:f32, 0.5:0>>) -> tensor<4x!quant.uniform<i32:f32, 0.5:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<4x!quant.uniform<i32:f32, 0.5:0>>) -> tensor<4xi32>
  check.expect_eq_const %r0, dense<[1, -11, 4, 1]> : tensor<4xi32>
  return
}

func.func @max_pool() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<-128> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.reduce_window"(%s0, %s1) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.05:-7>>, %y: tensor<!quant.uniform<i8:f32, 0.05:-7>>):
    %z = stablehlo.maximum %x, %y : tensor<!quant.uniform<i8:f32, 0.05:-7>>
    stablehlo.return %z : tensor<!quant.uniform<i8:f32, 0.05:-7>>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>} : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x2x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x2xi8>
  check.expect_eq_const %r0, dense<[[118, 100], [118, 100]]> : tensor<2x2xi8>
  return
}

func.func @scatter() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<[[2], [0], [2]]> : tensor<3x1xi32>
  %a2 = stablehlo.constant dense<[[-92, -18, -15, -47], [12, -14, -111, 97], [10, -112, -62, -121]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s2 = stablehlo.bitcast_convert %a2 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.scatter"(%s0, %a1, %s2) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.05:-7>>, %y: tensor<!quant.uniform<i8:f32, 0.05:-7>>):
    %z = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.05:-7>>
    stablehlo.return %z : tensor<!quant.uniform<i8:f32, 0.05:-7>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<3x1xi32>, tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[0, 66, -73, 19], [-56, 118, 100, -99], [-98, -49, -128, -128]]> : tensor<3x4xi8>
  return
}

func.func @select_and_scatter() {
  %a0 = stablehlo.constant dense<[5, 9, -3, 60]> : tensor<4xi8>
  %a1 = stablehlo.constant dense<[11, -20]> : tensor<2xi8>
  %a2 = stablehlo.constant dense<-7> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.05:-7>>
  %s2 = stablehlo.bitcast_convert %a2 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.select_and_scatter"(%s0, %s1, %s2) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.05:-7>>, %y: tensor<!quant.uniform<i8:f32, 0.05:-7>>):
    %z = stablehlo.compare GE, %x, %y : (tensor<!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.05:-7>>, %y: tensor<!quant.uniform<i8:f32, 0.05:-7>>):
    %z = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.05:-7>>
    stablehlo.return %z : tensor<!quant.uniform<i8:f32, 0.05:-7>>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<2x!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<4xi8>
  check.expect_eq_const %r0, dense<[-7, 11, -7, -20]> : tensor<4xi8>
  return
}

func.func @sort() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.sort"(%s0) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.05:-7>>, %y: tensor<!quant.uniform<i8:f32, 0.05:-7>>):
    %z = stablehlo.compare LT, %x, %y, FLOAT : (tensor<!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[-85, -19, 31, 73], [-99, -56, 100, 118], [-78, -30, 14, 67]]> : tensor<3x4xi8>
  return
}

func.func private @negated(%x: tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>> {
  %y = stablehlo.negate %x : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  return %y : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
}

func.func @called() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = func.call @negated(%s0) : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[5, -87, -45, 71], [42, -128, -114, 85], [16, -81, 64, -28]]> : tensor<3x4xi8>
  return
}

func.func @branch() {
  %a0 = stablehlo.constant dense<false> : tensor<i1>
  %a1 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.if"(%a0) ({
    stablehlo.return %s1 : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  }, {
    %n = stablehlo.negate %s1 : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
    stablehlo.return %n : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  }) : (tensor<i1>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[5, -87, -45, 71], [42, -128, -114, 85], [16, -81, 64, -28]]> : tensor<3x4xi8>
  return
}

func.func @loop() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<0> : tensor<i32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %q:2 = stablehlo.while(%v = %s0, %i = %a1) : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<i32> cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %v, %v : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %j : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<i32>
  }
  %r0 = stablehlo.bitcast_convert %q#0 : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[-103, 127, 127, -128], [-128, 127, 127, -128], [-128, 127, -128, 127]]> : tensor<3x4xi8>
  check.expect_eq_const %q#1, dense<3> : tensor<i32>
  return
}

func.func @mapped() {
  %a0 = stablehlo.constant dense<[[-19, 73, 31, -85], [-56, 118, 100, -99], [-30, 67, -78, 14]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.map"(%s0) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.05:-7>>):
    %y = stablehlo.uniform_dequantize %x : (tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<f32>
    stablehlo.return %y : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x4xf32>) -> tensor<3x4xui32>
  check.expect_eq_const %b0, dense<[[3206125978, 1082130432, 1072902963, 3229194650], [3223112909, 1086849024, 1084961587, 3230872371], [3214095155, 1080872141, 3227726643, 1065772647]]> : tensor<3x4xui32>
  return
}
