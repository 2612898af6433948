// SPDX-License-Identifier: Apache-2.0
// Operands that say how much to pad or where to cut, known only at run time (they come from
// floats), within results of static shapes.

func.func @pad() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %v = stablehlo.constant dense<9> : tensor<i32>
  %fl = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %fh = stablehlo.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %fi = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %low = stablehlo.convert %fl : (tensor<2xf32>) -> tensor<2xi64>
  %high = stablehlo.convert %fh : (tensor<2xf32>) -> tensor<2xi64>
  %in = stablehlo.convert %fi : (tensor<2xf32>) -> tensor<2xi64>
  %r = stablehlo.dynamic_pad %x, %v, %low, %high, %in : (tensor<2x3xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x6xi32>
  check.expect_eq_const %r, dense<[[9, 9, 9, 9, 9, 9], [9, 2, 9, 3, 9, 9], [9, 5, 9, 6, 9, 9]]> : tensor<3x6xi32>
  return
}

func.func @pad_of_nothing() {
  %x = stablehlo.constant dense<> : tensor<0xf32>
  %v = stablehlo.constant dense<2.5> : tensor<f32>
  %f = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %e = stablehlo.convert %f : (tensor<1xf32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_pad %x, %v, %e, %e, %e : (tensor<0xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<2.5> : tensor<2xf32>
  return
}

func.func @crop_everything() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
  %v = stablehlo.constant dense<-7> : tensor<i8>
  %fl = stablehlo.constant dense<[-5.0]> : tensor<1xf32>
  %fh = stablehlo.constant dense<[4.0]> : tensor<1xf32>
  %fi = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %low = stablehlo.convert %fl : (tensor<1xf32>) -> tensor<1xi64>
  %high = stablehlo.convert %fh : (tensor<1xf32>) -> tensor<1xi64>
  %in = stablehlo.convert %fi : (tensor<1xf32>) -> tensor<1xi64>
  %r = stablehlo.dynamic_pad %x, %v, %low, %high, %in : (tensor<3xi8>, tensor<i8>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi8>
  check.expect_eq_const %r, dense<-7> : tensor<2xi8>
  return
}

func.func @slice() {
  %x = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15], [20, 21, 22, 23, 24, 25]]> : tensor<3x6xi32>
  %fs = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %fl = stablehlo.constant dense<[3.0, 5.0]> : tensor<2xf32>
  %ft = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %start = stablehlo.convert %fs : (tensor<2xf32>) -> tensor<2xi32>
  %limit = stablehlo.convert %fl : (tensor<2xf32>) -> tensor<2xi32>
  %step = stablehlo.convert %ft : (tensor<2xf32>) -> tensor<2xi32>
  %r = stablehlo.real_dynamic_slice %x, %start, %limit, %step : (tensor<3x6xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[10, 12, 14], [20, 22, 24]]> : tensor<2x3xi32>
  return
}

func.func @slice_of_nothing() {
  %x = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %f = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  %at = stablehlo.convert %f : (tensor<1xf32>) -> tensor<1xui8>
  %r = stablehlo.real_dynamic_slice %x, %at, %at, %at : (tensor<3xi64>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<0xi64>
  check.expect_eq_const %r, dense<> : tensor<0xi64>
  return
}

// Result shapes are static, so shapes, positions and sizes need not be known before.
func.func @told_twice() {
  %f = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %shape = stablehlo.convert %f : (tensor<2xf32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %i, dense<[[0, 0, 0], [1, 1, 1]]> : tensor<2x3xi32>
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1] : (tensor<3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %b, dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>
  %s = stablehlo.dynamic_reshape %i, %shape : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[0, 0, 0], [1, 1, 1]]> : tensor<2x3xi32>
  %fs = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %sizes = stablehlo.convert %fs : (tensor<2xf32>) -> tensor<2xi32>
  %at = stablehlo.constant dense<[[1, 1], [0, 5]]> : tensor<2x2xi32>
  %y = stablehlo.constant dense<[[0, 1, 2], [10, 11, 12]]> : tensor<2x3xi32>
  %g = "stablehlo.dynamic_gather"(%y, %at, %sizes) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>} : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %g, dense<[[11, 12], [1, 2]]> : tensor<2x2xi32>
  return
}

// Stride, dilations of both sides, unequal and negative edges.
func.func @convolution() {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0], [4.0], [5.0]]]> : tensor<1x5x1xf32>
  %k = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %f = stablehlo.constant dense<[[1.0, -1.0]]> : tensor<1x2xf32>
  %edges = stablehlo.convert %f : (tensor<1x2xf32>) -> tensor<1x2xi64>
  %r = "stablehlo.dynamic_conv"(%x, %k, %edges) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, window_strides = array<i64: 2>, lhs_dilation = array<i64: 2>, rhs_dilation = array<i64: 3>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<1x5x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x3x1xf32>
  %same = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, window_strides = array<i64: 2>, padding = dense<[[1, -1]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 2>, rhs_dilation = array<i64: 3>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<1x5x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  check.expect_eq_const %r, dense<[[[20.0], [30.0], [40.0]]]> : tensor<1x3x1xf32>
  check.expect_eq %r, %same : tensor<1x3x1xf32>
  return
}
