// SPDX-License-Identifier: Apache-2.0
// Stored integers move; a quantized dimension moves along.

func.func @reshape() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.reshape %s0 : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x6x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x6x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x6xi8>
  check.expect_eq_const %r0, dense<[[115, 86, 25, -127, -29, -69], [-109, -99, -11, 55, 27, -49]]> : tensor<2x6xi8>
  return
}

func.func @reshape_rows() {
  %a0 = stablehlo.constant dense<[[-23, 18, 79, -115], [15, -54, -61, 116], [87, 104, -64, -39]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>
  %q = stablehlo.reshape %s0 : (tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>) -> tensor<1x3x2x2x!quant.uniform<i8:f32:1, {0.5:-3, 0.25:0, 0.1:5}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<1x3x2x2x!quant.uniform<i8:f32:1, {0.5:-3, 0.25:0, 0.1:5}>>) -> tensor<1x3x2x2xi8>
  check.expect_eq_const %r0, dense<[[[[-23, 18], [79, -115]], [[15, -54], [-61, 116]], [[87, 104], [-64, -39]]]]> : tensor<1x3x2x2xi8>
  return
}

func.func @transpose() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.transpose %s0, dims = [1, 0] : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<4x3x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<4x3x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<4x3xi8>
  check.expect_eq_const %r0, dense<[[115, -29, -11], [86, -69, 55], [25, -109, 27], [-127, -99, -49]]> : tensor<4x3xi8>
  return
}

func.func @transpose_columns() {
  %a0 = stablehlo.constant dense<[[17, 174, 18, 115], [102, 130, 37, 144], [222, 197, 213, 132]]> : tensor<3x4xui8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xui8>) -> tensor<3x4x!quant.uniform<u8:f32:1, {0.5:0, 0.25:255, 1.0:7, 2.0:128}>>
  %q = stablehlo.transpose %s0, dims = [1, 0] : (tensor<3x4x!quant.uniform<u8:f32:1, {0.5:0, 0.25:255, 1.0:7, 2.0:128}>>) -> tensor<4x3x!quant.uniform<u8:f32:0, {0.5:0, 0.25:255, 1.0:7, 2.0:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<4x3x!quant.uniform<u8:f32:0, {0.5:0, 0.25:255, 1.0:7, 2.0:128}>>) -> tensor<4x3xui8>
  check.expect_eq_const %r0, dense<[[17, 102, 222], [174, 130, 197], [18, 37, 213], [115, 144, 132]]> : tensor<4x3xui8>
  return
}

func.func @broadcast_rows() {
  %a0 = stablehlo.constant dense<[[-23, 18, 79, -115], [15, -54, -61, 116], [87, 104, -64, -39]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>
  %q = stablehlo.broadcast_in_dim %s0, dims = [1, 2] : (tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>) -> tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5:-3, 0.25:0, 0.1:5}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5:-3, 0.25:0, 0.1:5}>>) -> tensor<2x3x4xi8>
  check.expect_eq_const %r0, dense<[[[-23, 18, 79, -115], [15, -54, -61, 116], [87, 104, -64, -39]], [[-23, 18, 79, -115], [15, -54, -61, 116], [87, 104, -64, -39]]]> : tensor<2x3x4xi8>
  return
}

func.func @broadcast_one() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127]]> : tensor<1x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<1x4xi8>) -> tensor<1x4x!quant.uniform<i8:f32:0, {0.5:3}>>
  %q = stablehlo.broadcast_in_dim %s0, dims = [0, 1] : (tensor<1x4x!quant.uniform<i8:f32:0, {0.5:3}>>) -> tensor<3x4x!quant.uniform<i8:f32:0, {0.5:3, 0.5:3, 0.5:3}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32:0, {0.5:3, 0.5:3, 0.5:3}>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[115, 86, 25, -127], [115, 86, 25, -127], [115, 86, 25, -127]]> : tensor<3x4xi8>
  return
}

func.func @broadcast() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.broadcast %s0, sizes = [2] : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x3x4xi8>
  check.expect_eq_const %r0, dense<[[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]], [[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]]> : tensor<2x3x4xi8>
  return
}

func.func @slice() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.slice %s0 [0:3:2, 1:4] : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x3x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x3xi8>
  check.expect_eq_const %r0, dense<[[86, 25, -127], [55, 27, -49]]> : tensor<2x3xi8>
  return
}

func.func @reverse() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.reverse %s0, dims = [1] : tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[-127, 25, 86, 115], [-99, -109, -69, -29], [-49, 27, 55, -11]]> : tensor<3x4xi8>
  return
}

func.func @concatenate() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<[[115, 86, 25, -127]]> : tensor<1x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<1x4xi8>) -> tensor<1x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.concatenate %s0, %s1, dim = 0 : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<1x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<4x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<4x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<4x4xi8>
  check.expect_eq_const %r0, dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49], [115, 86, 25, -127]]> : tensor<4x4xi8>
  return
}

func.func @pad() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<-7> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.pad %s0, %s1, low = [1, 1], high = [0, 0], interior = [0, 1] : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<4x8x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<4x8x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<4x8xi8>
  check.expect_eq_const %r0, dense<[[-7, -7, -7, -7, -7, -7, -7, -7], [-7, 115, -7, 86, -7, 25, -7, -127], [-7, -29, -7, -69, -7, -109, -7, -99], [-7, -11, -7, 55, -7, 27, -7, -49]]> : tensor<4x8xi8>
  return
}

func.func @gather() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<[[2, 1], [0, 3]]> : tensor<2x2xi32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = "stablehlo.gather"(%s0, %a1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<2x2xi32>) -> tensor<2x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2xi8>
  check.expect_eq_const %r0, dense<[55, -127]> : tensor<2xi8>
  return
}

func.func @dynamic_slice() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<9> : tensor<i32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.dynamic_slice %s0, %a1, %a2, sizes = [2, 2] : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<i32>, tensor<i32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x2x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<2x2xi8>
  check.expect_eq_const %r0, dense<[[-109, -99], [27, -49]]> : tensor<2x2xi8>
  return
}

func.func @dynamic_update_slice() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<[[115, 86], [-29, -69]]> : tensor<2x2xi8>
  %a2 = stablehlo.constant dense<1> : tensor<i32>
  %a3 = stablehlo.constant dense<9> : tensor<i32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.dynamic_update_slice %s0, %s1, %a2, %a3 : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<2x2x!quant.uniform<i8:f32, 0.05:-7>>, tensor<i32>, tensor<i32>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[115, 86, 25, -127], [-29, -69, 115, 86], [-11, 55, -29, -69]]> : tensor<3x4xi8>
  return
}

func.func @dynamic_broadcast_in_dim() {
  %a0 = stablehlo.constant dense<[[115, 86, 25, -127]]> : tensor<1x4xi8>
  %a1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<1x4xi8>) -> tensor<1x4x!quant.uniform<i8:f32, 0.05:-7>>
  %q = stablehlo.dynamic_broadcast_in_dim %s0, %a1, dims = [0, 1] : (tensor<1x4x!quant.uniform<i8:f32, 0.05:-7>>, tensor<2xi32>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[115, 86, 25, -127], [115, 86, 25, -127], [115, 86, 25, -127]]> : tensor<3x4xi8>
  return
}

func.func @optimization_barrier() {
  %a0 = stablehlo.constant dense<[[-23, 18, 79, -115], [15, -54, -61, 116], [87, 104, -64, -39]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>
  %q = stablehlo.optimization_barrier %s0 : tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[-23, 18, 79, -115], [15, -54, -61, 116], [87, 104, -64, -39]]> : tensor<3x4xi8>
  return
}

func.func @tuple() {
  %a0 = stablehlo.constant dense<[[-23, 18, 79, -115], [15, -54, -61, 116], [87, 104, -64, -39]]> : tensor<3x4xi8>
  %a1 = stablehlo.constant dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x4xi8>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %p = stablehlo.tuple %s0, %s1 : tuple<tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>, tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>>
  %q = stablehlo.get_tuple_element %p[1] : (tuple<tensor<3x4x!quant.uniform<i8:f32:0, {0.5:-3, 0.25:0, 0.1:5}>>, tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.05:-7>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[115, 86, 25, -127], [-29, -69, -109, -99], [-11, 55, 27, -49]]> : tensor<3x4xi8>
  return
}
