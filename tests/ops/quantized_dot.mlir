// SPDX-License-Identifier: Apache-2.0
// Products of integers, with zero points; floats with quantized weights.

func.func @symmetric_to_i32() {
  %a0 = stablehlo.constant dense<[[-127, 91, 116, 33, -88, -98, -119], [-39, 93, -67, 83, -109, -114, -7], [-90, 100, -51, -16, -121, 30, 52]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[8, -29, 14, -47], [-24, -19, -97, 6], [127, 117, -81, -120], [-40, 72, -71, -122], [53, 60, 89, -45], [-110, -38, 25, -49], [-102, -47, 103, 58]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:0>>, tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[28466, 21939, -44883, -9571], [-6896, -4378, -23305, 10390], [-23974, -17253, -10356, 19893]]> : tensor<3x4xi32>
  return
}

func.func @symmetric_to_i8() {
  %a0 = stablehlo.constant dense<[[[-34, 27, 64, -103, 35, 7, 99], [117, 8, -60, -53, 73, 81, -105], [-38, 49, -35, 127, -91, -26, -70]], [[65, -37, 19, 110, 71, 111, 1], [-37, 107, -100, 65, -63, 22, 31], [29, -112, -124, 10, -24, -15, -58]]]> : tensor<2x3x7xi8>
  %a1 = stablehlo.constant dense<[[[23, 5, -96, -61], [111, -68, 107, 107], [-98, 17, 109, -28], [-19, 123, -104, 18], [83, -98, 43, 2], [-55, 127, -106, 88], [-34, 97, -98, -37]], [[47, 124, 34, -68], [15, 71, -49, -108], [-50, -105, -40, 64], [-61, 25, -104, -72], [-19, -13, -120, -99], [-7, 114, -31, -8], [82, 106, 109, 4]]]> : tensor<2x7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<2x3x7xi8>) -> tensor<2x3x7x!quant.uniform<i8:f32, 0.5:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<2x7x4xi8>) -> tensor<2x7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x7x!quant.uniform<i8:f32, 0.5:0>>, tensor<2x7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 60.0:5>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x3x4x!quant.uniform<i8:f32, 60.0:5>>) -> tensor<2x3x4xi8>
  check.expect_eq_const %r0, dense<[[[-1, -8, 36, 2], [37, -25, -8, 16], [8, 26, 0, 27]], [[-10, 42, -36, -26], [14, 50, 7, -24], [7, 7, 20, 12]]]> : tensor<2x3x4xi8>
  return
}

func.func @asymmetric_to_i32() {
  %a0 = stablehlo.constant dense<[[38, -107, 5, -23, -109, -118, -5], [15, -66, 80, -100, -81, 27, -18], [-50, -58, 109, 105, -112, 48, 18]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[73, 44, 80, 29], [66, 111, -30, 126], [115, -47, 98, -86], [-17, 34, -63, 13], [-53, 6, -111, 57], [44, -74, -78, -24], [57, 9, 113, 18]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:-128>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:-128>>, tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[33458, 7435, 30079, 444], [48574, -5848, 23323, -4626], [48826, -3629, 13681, -6955]]> : tensor<3x4xi32>
  return
}

func.func @asymmetric_to_i8() {
  %a0 = stablehlo.constant dense<[[[-107, 98, -34, 63, 104, -63, -107], [7, 81, 54, -63, 118, -66, 68], [-118, 41, -38, 88, -47, -81, -8]], [[0, -53, -117, 18, 35, -96, -14], [-126, -86, -71, 13, 9, -19, -30], [-14, -46, 35, -48, -58, -92, 20]]]> : tensor<2x3x7xi8>
  %a1 = stablehlo.constant dense<[[[-114, 63, -14, 114], [1, -85, 48, -75], [-52, 7, 37, -79], [-99, 27, -18, 97], [-107, -12, 41, 5], [69, 83, -15, 107], [93, 93, 82, -9]], [[69, -62, 10, -59], [-116, -52, -22, -11], [-67, 90, 117, -124], [39, 126, 16, -80], [-122, -84, -92, -29], [-59, -16, 55, -60], [-60, 9, 106, -6]]]> : tensor<2x7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<2x3x7xi8>) -> tensor<2x3x7x!quant.uniform<i8:f32, 0.5:-128>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<2x7x4xi8>) -> tensor<2x7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x7x!quant.uniform<i8:f32, 0.5:-128>>, tensor<2x7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 60.0:5>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x3x4x!quant.uniform<i8:f32, 60.0:5>>) -> tensor<2x3x4xi8>
  check.expect_eq_const %r0, dense<[[[-86, -11, 47, 14], [-66, 34, 85, 0], [-39, 19, 46, 19]], [[-44, -7, 9, -55], [-62, 21, 29, -58], [-56, 21, 68, -77]]]> : tensor<2x3x4xi8>
  return
}

func.func @unsigned_to_i32() {
  %a0 = stablehlo.constant dense<[[76, 164, 52, 168, 179, 246, 70], [238, 83, 118, 170, 231, 213, 68], [175, 246, 179, 112, 55, 72, 91]]> : tensor<3x7xui8>
  %a1 = stablehlo.constant dense<[[-11, 52, -31, 4], [106, 47, -90, -52], [-18, -60, -54, -63], [107, 56, -119, -105], [14, -68, 78, -56], [99, 89, 3, 27], [67, 74, 28, -41]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xui8>) -> tensor<3x7x!quant.uniform<u8:f32, 0.5:128>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<u8:f32, 0.5:128>>, tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[18546, 8530, 424, 1216], [4531, 2678, 2791, -2013], [316, 1276, -19825, -3388]]> : tensor<3x4xi32>
  return
}

func.func @unsigned_to_i8() {
  %a0 = stablehlo.constant dense<[[[155, 214, 44, 0, 167, 73, 108], [132, 182, 229, 61, 90, 247, 8], [94, 255, 35, 200, 14, 159, 243]], [[11, 219, 49, 139, 132, 13, 31], [143, 52, 167, 133, 228, 142, 221], [73, 37, 53, 108, 230, 130, 136]]]> : tensor<2x3x7xui8>
  %a1 = stablehlo.constant dense<[[[-37, 11, -28, -33], [-3, -3, -45, -34], [-53, -95, 127, -55], [33, 94, -65, -67], [-60, 122, 34, 23], [-103, -83, 127, -49], [22, -38, -68, 104]], [[-111, 66, 125, 69], [97, -115, 11, -128], [-105, 44, -107, -56], [-32, -31, -20, -41], [-46, -119, 58, 98], [-91, 120, 113, 22], [66, -44, 43, -85]]]> : tensor<2x7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<2x3x7xui8>) -> tensor<2x3x7x!quant.uniform<u8:f32, 0.5:128>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<2x7x4xi8>) -> tensor<2x7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x7x!quant.uniform<u8:f32, 0.5:128>>, tensor<2x7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 60.0:5>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x3x4x!quant.uniform<i8:f32, 60.0:5>>) -> tensor<2x3x4xi8>
  check.expect_eq_const %r0, dense<[[[9, 17, -17, 28], [-38, -48, 82, -41], [35, -7, -54, 15]], [[74, -61, -42, -15], [-22, -1, 22, 27], [8, -11, 20, 51]]]> : tensor<2x3x4xi8>
  return
}

func.func @short_to_i32() {
  %a0 = stablehlo.constant dense<[[0, 6, -7, -7, -2, 6, -5], [-3, 7, -6, -4, -7, 5, 4], [1, -1, 2, 4, 5, -6, -1]]> : tensor<3x7xi4>
  %a1 = stablehlo.constant dense<[[97, -105, 125, -109], [11, 45, 9, -125], [-32, -105, -115, -5], [57, -67, 3, 27], [-43, 124, -28, 71], [-60, -14, 66, -5], [31, 85, -8, -75]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi4>) -> tensor<3x7x!quant.uniform<i4:f32, 0.5:3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i4:f32, 0.5:3>>, tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[-721, 828, 1174, -38], [-308, 1041, 704, -785], [181, 102, -786, 1237]]> : tensor<3x4xi32>
  return
}

func.func @short_to_i8() {
  %a0 = stablehlo.constant dense<[[[4, -5, -8, -2, -1, 4, -8], [-2, 2, 3, -5, 7, -7, -1], [-5, 3, 7, -6, -6, -1, 2]], [[0, 7, -2, -2, -2, -4, -3], [0, -6, 5, -5, -4, 1, 5], [5, 4, 2, 2, 6, 1, 6]]]> : tensor<2x3x7xi4>
  %a1 = stablehlo.constant dense<[[[31, -99, -21, 97], [-40, 22, 45, -123], [62, -49, -116, 77], [124, -110, 122, 124], [82, 60, 110, -37], [10, -101, -24, 102], [8, -56, 119, -4]], [[86, -81, 96, 109], [119, 110, -54, 53], [90, -22, 12, 75], [43, -85, 55, -37], [68, -5, -12, -111], [120, -48, -110, 78], [-88, 85, 22, 102]]]> : tensor<2x7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<2x3x7xi4>) -> tensor<2x3x7x!quant.uniform<i4:f32, 0.5:3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<2x7x4xi8>) -> tensor<2x7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x7x!quant.uniform<i4:f32, 0.5:3>>, tensor<2x7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<2x3x4x!quant.uniform<i8:f32, 60.0:5>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<2x3x4x!quant.uniform<i8:f32, 60.0:5>>) -> tensor<2x3x4xi8>
  check.expect_eq_const %r0, dense<[[[3, 7, 3, 5], [4, 10, 4, 1], [2, 8, 1, 3]], [[3, 6, 5, 4], [1, 5, 5, 6], [5, 5, 5, 5]]]> : tensor<2x3x4xi8>
  return
}

func.func @both_zero_points() {
  %a0 = stablehlo.constant dense<[[74, 46, 0, -33, 21, 88, 36], [53, -56, 90, 33, 50, 64, -80], [41, 117, -121, -23, 64, -48, 108]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[125, 74, -27, -40], [-40, 54, -7, -72], [-37, -66, 70, -86], [-101, 71, -85, -37], [-6, 41, 110, 80], [45, -3, -37, -69], [73, -34, 96, -4]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32, 0.25:9>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>, tensor<7x4x!quant.uniform<i8:f32, 0.25:9>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[15105, 3124, 1078, -12548], [-2456, 715, -3307, -9404], [11331, 13781, 9672, 7078]]> : tensor<3x4xi32>
  return
}

func.func @both_zero_points_scaled() {
  %a0 = stablehlo.constant dense<[[125, -38, 31, 33, -78, 71, 1], [-34, 54, -54, -100, -93, -67, 63], [-92, 41, -106, -11, -41, 45, 12]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[122, 232, 223, 214], [80, 201, 57, 193], [196, 227, 1, 106], [92, 124, 18, 95], [58, 48, 123, 91], [52, 201, 103, 108], [230, 111, 171, 147]]> : tensor<7x4xui8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xui8>) -> tensor<7x4x!quant.uniform<u8:f32, 0.25:100>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>, tensor<7x4x!quant.uniform<u8:f32, 0.25:100>>) -> tensor<3x4x!quant.uniform<i8:f32, 60.0:5>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 60.0:5>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[19, 67, 25, 32], [24, -12, 24, 16], [-19, -23, 1, -6]]> : tensor<3x4xi8>
  return
}

func.func @saturated() {
  %a0 = stablehlo.constant dense<[[105, 70, -60, 76, 101, 74, 7], [51, 115, -43, -51, 59, -62, 52], [27, 109, -121, -96, -128, -113, -2]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[23, 71, -80, 26], [59, 41, -49, 87], [41, -96, -34, -28], [0, -119, 101, 76], [63, -95, 34, -84], [-23, -6, 84, 84], [-123, 45, 72, 19]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>, tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<3x4x!quant.uniform<i8:f32, 0.125:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 0.125:0>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[127, -128, 127, 127], [127, 127, -128, 23], [-128, 127, -128, 127]]> : tensor<3x4xi8>
  return
}

func.func @nearly_one() {
  %a0 = stablehlo.constant dense<[[69, -103, -58, 52, -27, -30, 39], [49, -127, 32, 102, 41, -128, 38], [26, 21, -119, 88, -96, 7, -112]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[-48, -39, -88, -6], [124, 24, 27, 97], [125, -16, 8, -52], [-47, -128, 91, -115], [-45, -110, 110, 99], [32, 106, -97, -73], [77, 40, -23, 53]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>, tensor<7x4x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.12500001:4>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32, 0.12500001:4>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[-21862, -9906, -5454, -11772], [-21251, -35450, 17937, -10577], [-21077, -3413, -3240, -17989]]> : tensor<3x4xi32>
  return
}

func.func @f64() {
  %a0 = stablehlo.constant dense<[[25, -123, -64, -6, -99, 68, -127], [87, -90, 51, -1, -8, 32, -35], [48, -92, 104, -118, -22, -45, -126]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[111, 56, 65, 28], [30, 50, -77, 40], [-71, 52, 41, 112], [-65, 65, -37, -77], [12, -55, 18, 74], [-107, -48, 97, -33], [-70, -118, -125, -73]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f64, 0.5:1>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f64, 0.3:0>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f64, 0.5:1>>, tensor<7x4x!quant.uniform<i8:f64, 0.3:0>>) -> tensor<3x4x!quant.uniform<i16:f64, 0.9:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i16:f64, 0.9:0>>) -> tensor<3x4xi16>
  check.expect_eq_const %r0, dense<[[766, 1449, 4900, -1881], [414, 998, 3677, 911], [2730, 2344, 4973, 4564]]> : tensor<3x4xi16>
  return
}

func.func @wide_operands() {
  %a0 = stablehlo.constant dense<[[840, 747, 765, 751, 355, 194, 777], [179, 123, 769, 666, 928, 459, 296], [999, 875, 815, 155, 719, 43, 838]]> : tensor<3x7xi32>
  %a1 = stablehlo.constant dense<[[167, 98, 647, 592], [291, 332, 775, 533], [968, 44, 336, 704], [249, 236, 844, 980], [168, 851, 207, 56], [217, 263, 344, 768], [636, 801, 18, 874]]> : tensor<7x4xi32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi32>) -> tensor<3x7x!quant.uniform<i32:f32, 0.5:1>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi32>) -> tensor<7x4x!quant.uniform<i32:f32, 0.25:0>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i32:f32, 0.5:1>>, tensor<7x4x!quant.uniform<i32:f32, 0.25:0>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[1878390, 1514099, 2164325, 3013434], [1416979, 1394306, 1383775, 2024260], [1909368, 1752633, 1904676, 2584636]]> : tensor<3x4xi32>
  return
}

func.func @channels() {
  %a0 = stablehlo.constant dense<[[-86, -17, 0, -63, -111, 31, -35], [-68, 117, -41, 98, -126, -24, 123], [-105, 112, -112, -1, 121, -15, 102]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[-51, 84, -5, -48], [-82, -117, -123, 48], [94, 88, -44, 109], [45, 68, 88, -63], [30, 14, 42, -125], [82, 31, 115, 66], [-103, 31, 13, 84]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0}>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>, tensor<7x4x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0}>>) -> tensor<3x4x!quant.uniform<i32:f32:1, {0.25:0, 0.125:0, 0.5:0, 1.0:0}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32:1, {0.25:0, 0.125:0, 0.5:0, 1.0:0}>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[5807, -10600, -4317, 20475], [-23942, -14443, -9818, 22948], [-22463, -26860, -3470, -9063]]> : tensor<3x4xi32>
  return
}

func.func @channels_to_tensor() {
  %a0 = stablehlo.constant dense<[[80, 95, -109, -36, 54, 102, 122], [71, -1, 113, -56, -107, -22, -21], [58, 34, -9, -23, -109, -78, -54]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[109, -56, 121, -61], [33, -5, 92, -90], [122, 73, 29, 35], [57, -35, 16, -52], [114, -52, 46, 107], [-63, -75, 29, -29], [-40, 12, -47, 93]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0}>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>, tensor<7x4x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0}>>) -> tensor<3x4x!quant.uniform<i8:f32, 60.0:5>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 60.0:5>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[-27, -38, 127, -15], [43, 32, 64, -128], [8, 20, 51, -128]]> : tensor<3x4xi8>
  return
}

func.func @channels_with_zero_points() {
  %a0 = stablehlo.constant dense<[[77, 121, -116, -80, 43, 33, 118], [122, 17, 82, -49, -36, 70, -123], [63, -79, 56, -1, -72, 80, -49]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[-8, -17, -116, 31], [-128, -26, 119, -27], [-70, -65, -74, -97], [15, -77, 127, -3], [55, 14, 70, 28], [-96, 120, 22, -62], [22, -120, -52, -27]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32:1, {0.5:1, 0.25:0, 1.0:-9, 2.0:3}>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:-3>>, tensor<7x4x!quant.uniform<i8:f32:1, {0.5:1, 0.25:0, 1.0:-9, 2.0:3}>>) -> tensor<3x4x!quant.uniform<i16:f32:1, {3.0:0, 1.0:4, 5.0:0, 2.0:-9}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i16:f32:1, {3.0:0, 1.0:4, 5.0:0, 2.0:-9}>>) -> tensor<3x4xi16>
  check.expect_eq_const %r0, dense<[[-685, -104, 373, 2722], [-1813, 2262, -1778, -3655], [-641, 1426, -2126, -3771]]> : tensor<3x4xi16>
  return
}

func.func @float_with_weights() {
  %a0 = stablehlo.constant dense<[[-1.75, 1.0, 3.75e-01, 1.0, 6.25e-01, 1.75, -1.625], [-1.5, 1.25, 1.0, -8.75e-01, 1.0, 7.5e-01, 1.875], [-1.25e-01, 1.125, -1.25, 1.375, -1.25e-01, 3.75e-01, -8.75e-01]]> : tensor<3x7xf32>
  %a1 = stablehlo.constant dense<[[-117, -86, -80, 77], [13, -18, -42, 114], [-47, 27, 118, 108], [-89, 78, 38, 16], [113, -10, -12, 75], [60, 104, 116, 34], [95, -37, 50, 35]]> : tensor<7x4xi8>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0}>>
  %q = stablehlo.dot_general %a0, %s1, contracting_dims = [1] x [0] : (tensor<3x7xf32>, tensor<7x4x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0}>>) -> tensor<3x4xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x4xf32>) -> tensor<3x4xui32>
  check.expect_eq_const %b0, dense<[[1115971584, 1122254848, 1133723648, 1126858752], [1133228032, 1098874880, 1134592000, 1141870592], [3260694528, 1107861504, 3271770112, 3257729024]]> : tensor<3x4xui32>
  return
}

func.func @float_with_weights_to_quantized() {
  %a0 = stablehlo.constant dense<[[-1.75, 1.0, 3.75e-01, 1.0, 6.25e-01, 1.75, -1.625], [-1.5, 1.25, 1.0, -8.75e-01, 1.0, 7.5e-01, 1.875], [-1.25e-01, 1.125, -1.25, 1.375, -1.25e-01, 3.75e-01, -8.75e-01]]> : tensor<3x7xf32>
  %a1 = stablehlo.constant dense<[[-117, -86, -80, 77], [13, -18, -42, 114], [-47, 27, 118, 108], [-89, 78, 38, 16], [113, -10, -12, 75], [60, 104, 116, 34], [95, -37, 50, 35]]> : tensor<7x4xi8>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0}>>
  %q = stablehlo.dot_general %a0, %s1, contracting_dims = [1] x [0] : (tensor<3x7xf32>, tensor<7x4x!quant.uniform<i8:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0}>>) -> tensor<3x4x!quant.uniform<i8:f32, 2.0:3>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i8:f32, 2.0:3>>) -> tensor<3x4xi8>
  check.expect_eq_const %r0, dense<[[36, 60, 127, 88], [127, 11, 127, 127], [-24, 20, -63, -19]]> : tensor<3x4xi8>
  return
}

func.func @scales_that_are_summed() {
  %a0 = stablehlo.constant dense<[[-80, -60, 50, 101, 110, 57, 35], [37, 107, -20, 118, 25, -126, -38], [31, 4, 57, -55, 89, 90, -2]]> : tensor<3x7xi8>
  %a1 = stablehlo.constant dense<[[-117, -86, -80, 77], [13, -18, -42, 114], [-47, 27, 118, 108], [-89, 78, 38, 16], [113, -10, -12, 75], [60, 104, 116, 34], [95, -37, 50, 35]]> : tensor<7x4xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x7xi8>) -> tensor<3x7x!quant.uniform<i8:f32, 0.5:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<7x4xi8>) -> tensor<7x4x!quant.uniform<i8:f32:0, {0.5:0, 0.25:1, 1.0:2, 2.0:3, 4.0:4, 8.0:5, 0.125:6}>>
  %q = stablehlo.dot_general %s0, %s1, contracting_dims = [1] x [0] : (tensor<3x7x!quant.uniform<i8:f32, 0.5:0>>, tensor<7x4x!quant.uniform<i8:f32:0, {0.5:0, 0.25:1, 1.0:2, 2.0:3, 4.0:4, 8.0:5, 0.125:6}>>) -> tensor<3x4x!quant.uniform<i32:f32, 0.0625:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x4x!quant.uniform<i32:f32, 0.0625:0>>) -> tensor<3x4xi32>
  check.expect_eq_const %r0, dense<[[455163, 471367, 483868, 381935], [-540306, -687096, -883098, -134996], [671258, 465038, 605536, 416538]]> : tensor<3x4xi32>
  return
}
