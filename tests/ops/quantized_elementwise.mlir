// SPDX-License-Identifier: Apache-2.0
// Dequantized, computed, quantized.

func.func @abs_alike() {
  %a0 = stablehlo.constant dense<[[-44, -98, -116, -45, 23], [-4, -122, 99, -23, -126], [-8, -31, 103, 37, -109]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.abs %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[4, 58, 76, 5, 23], [-4, 82, 99, -17, 86], [-8, -9, 103, 37, 69]]> : tensor<3x5xi8>
  return
}

func.func @abs_other_scales() {
  %a0 = stablehlo.constant dense<[[120, 70, 120, -125, -16], [78, 122, 106, 83, -84], [18, -56, -51, 100, 40]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.abs %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, 127, 24, 98], [127, 127, 127, 127, 13], [127, 48, 54, 127, 127]]> : tensor<3x5xi8>
  return
}

func.func @abs_rows() {
  %a0 = stablehlo.constant dense<[[-56, -78, 94, 10, 120], [110, -87, 82, -52, -4], [63, -61, 30, 106, 52]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.abs %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[124, 179, 255, 59, 255], [121, 118, 116, 111, 101], [254, 250, 188, 255, 232]]> : tensor<3x5xui8>
  return
}

func.func @abs_storages() {
  %a0 = stablehlo.constant dense<[[27572, -424, -10946, -2034, -9537], [5300, 5960, -5261, 19580, -15790], [11783, 21646, -10664, -22994, 3261]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.abs %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, 566, 15597, 2866, 13584], [7531, 8474, 7476, 27931, 22517], [16793, 30883, 15194, 32767, 4619]]> : tensor<3x5xi16>
  return
}

func.func @abs_f64() {
  %a0 = stablehlo.constant dense<[[90, 43, -77, 111, -36], [81, -83, 68, -32, -93], [72, 6, -6, -62, -84]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.abs %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[900, 430, 770, 1110, 360], [810, 830, 680, 320, 930], [720, 60, 60, 620, 840]]> : tensor<3x5xi16>
  return
}

func.func @cbrt_alike() {
  %a0 = stablehlo.constant dense<[[7, 60, 73, 1, 84], [-34, -62, -107, -74, -93], [-113, -72, 35, -109, 6]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.cbrt %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[11, 25, 27, 9, 29], [-45, -56, -66, -59, -63], [-67, -59, 19, -66, 11]]> : tensor<3x5xi8>
  return
}

func.func @cbrt_other_scales() {
  %a0 = stablehlo.constant dense<[[-24, -10, 49, -52, -46], [36, -85, 34, 25, 27], [38, 66, 60, 38, 7]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.cbrt %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[32, 34, 42, 26, 28], [40, 16, 40, 39, 39], [41, 44, 43, 41, 37]]> : tensor<3x5xi8>
  return
}

func.func @cbrt_rows() {
  %a0 = stablehlo.constant dense<[[82, 10, -46, 20, 3], [-72, 108, -127, -112, 89], [65, -70, 4, -8, 8]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.cbrt %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[92, 59, 0, 66, 52], [82, 120, 78, 79, 119], [152, 104, 137, 116, 140]]> : tensor<3x5xui8>
  return
}

func.func @cbrt_storages() {
  %a0 = stablehlo.constant dense<[[-761, 24853, 11645, 24120, -17454], [-4041, 5015, -23083, -16489, 25528], [4670, 15143, 24172, 13853, -13762]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.cbrt %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-1344, 4129, 3198, 4088, -3746], [-2315, 2405, -4108, -3676, 4166], [2348, 3494, 4091, 3391, -3463]]> : tensor<3x5xi16>
  return
}

func.func @cbrt_f64() {
  %a0 = stablehlo.constant dense<[[81, 83, -11, 65, -34], [-71, 8, -53, 90, 54], [-95, 86, 64, 14, 86]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.cbrt %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[448, 452, -230, 416, -336], [-429, 207, -389, 464, 391], [-473, 457, 414, 250, 457]]> : tensor<3x5xi16>
  return
}

func.func @ceil_alike() {
  %a0 = stablehlo.constant dense<[[8, -86, 12, -85, 44], [15, -79, 41, 9, 53], [29, -77, 79, 115, -29]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.ceil %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[13, -53, 13, -53, 47], [47, -53, 47, 13, 80], [47, -53, 80, 127, -20]]> : tensor<3x5xi8>
  return
}

func.func @ceil_other_scales() {
  %a0 = stablehlo.constant dense<[[-42, -107, 77, -97, 63], [-32, -124, 9, -62, -110], [-9, -73, -30, -124, 105]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.ceil %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[68, -7, 127, 18, 127], [93, -32, 127, 43, -7], [118, 43, 93, -32, 127]]> : tensor<3x5xi8>
  return
}

func.func @ceil_rows() {
  %a0 = stablehlo.constant dense<[[51, 35, 3, 98, 104], [-87, 101, 65, -2, 112], [-72, 89, 33, 113, 6]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.ceil %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[209, 159, 59, 255, 255], [100, 120, 120, 100, 140], [0, 255, 198, 255, 148]]> : tensor<3x5xui8>
  return
}

func.func @ceil_storages() {
  %a0 = stablehlo.constant dense<[[30080, 5947, 22806, 30739, 18519], [-8087, -21751, 27419, 26483, -19401], [-31439, 18809, -30406, 31460, -6088]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.ceil %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, 8531, 32767, 32767, 27103], [-11469, -30040, 32767, 32767, -27183], [-32768, 27103, -32768, 32767, -8611]]> : tensor<3x5xi16>
  return
}

func.func @ceil_f64() {
  %a0 = stablehlo.constant dense<[[-127, -43, 102, -81, -9], [86, -64, -113, -86, 60], [-128, 90, 105, -60, -110]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.ceil %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-1000, -333, 1333, -667, 0], [1000, -333, -1000, -667, 667], [-1000, 1000, 1333, -333, -1000]]> : tensor<3x5xi16>
  return
}

func.func @cosine_alike() {
  %a0 = stablehlo.constant dense<[[89, -40, -61, -44, 34], [50, -107, 87, -104, -123], [121, -127, 7, 91, -26]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.cosine %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-53, 8, -9, 5, -22], [-37, -49, -53, -47, -53], [-35, -53, 3, -53, 13]]> : tensor<3x5xi8>
  return
}

func.func @cosine_other_scales() {
  %a0 = stablehlo.constant dense<[[98, -79, -54, -45, 23], [-121, -98, 127, -71, 100], [-110, -1, -62, -19, -123]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.cosine %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-29, 5, -24, -30, 18], [5, 18, 2, -4, -28], [15, -1, -15, -22, 3]]> : tensor<3x5xi8>
  return
}

func.func @cosine_rows() {
  %a0 = stablehlo.constant dense<[[-67, -34, 34, -29, -10], [39, -125, 99, -114, -43], [87, 113, 111, -47, -69]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.cosine %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 27, 0, 38, 59], [119, 106, 111, 108, 118], [129, 120, 118, 118, 131]]> : tensor<3x5xui8>
  return
}

func.func @cosine_storages() {
  %a0 = stablehlo.constant dense<[[-6106, -12081, 3644, -30802, -2316], [-9831, 11686, -1929, -28910, -8726], [23084, -946, -27319, 29194, -16027]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.cosine %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[1366, 1224, -1292, 1128, -1009], [-1352, 870, -541, -1190, -1134], [-697, 796, -865, -906, -1396]]> : tensor<3x5xi16>
  return
}

func.func @cosine_f64() {
  %a0 = stablehlo.constant dense<[[-44, 54, 31, -83, -52], [-61, 108, 122, -82, -89], [-56, -12, -59, 60, -99]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.cosine %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[83, -16, 199, -265, 4], [-85, -332, -290, -259, -297], [-36, 312, -66, -76, -328]]> : tensor<3x5xi16>
  return
}

func.func @exponential_alike() {
  %a0 = stablehlo.constant dense<[[96, -107, -120, 23, -121], [-8, -94, 43, -117, 72], [-32, 81, 81, 104, -19]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.exponential %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, -18, -18, 101, -18], [28, -16, 127, -18, 127], [3, 127, 127, 127, 14]]> : tensor<3x5xi8>
  return
}

func.func @exponential_other_scales() {
  %a0 = stablehlo.constant dense<[[78, 13, -37, 104, -113], [23, 13, 89, 3, 75], [-79, -7, 104, 56, -20]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.exponential %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, 127, 127, 6], [127, 127, 127, 127, 127], [64, 127, 127, 127, 127]]> : tensor<3x5xi8>
  return
}

func.func @exponential_rows() {
  %a0 = stablehlo.constant dense<[[-4, -55, 64, 101, 119], [66, -22, -38, 105, -58], [-8, 98, -117, 1, 2]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.exponential %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[76, 14, 255, 255, 255], [138, 116, 113, 155, 111], [130, 255, 128, 140, 143]]> : tensor<3x5xui8>
  return
}

func.func @exponential_storages() {
  %a0 = stablehlo.constant dense<[[-9876, -18509, 1789, 6395, 2060], [12021, -5904, 21057, -23457, -30431], [-10269, 9011, -5203, 32320, -31367]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.exponential %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-40, -40, 8508, 32767, 11169], [32767, -36, 32767, -40, -40], [-40, 32767, -32, 32767, -40]]> : tensor<3x5xi16>
  return
}

func.func @exponential_f64() {
  %a0 = stablehlo.constant dense<[[-49, 17, -111, 74, 71], [-29, -14, -61, 79, -1], [21, -36, 91, 45, 70]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.exponential %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[77, 555, 12, 3069, 2805], [140, 219, 53, 3566, 323], [626, 113, 5111, 1286, 2722]]> : tensor<3x5xi16>
  return
}

func.func @exponential_minus_one_alike() {
  %a0 = stablehlo.constant dense<[[101, 79, -43, 25, -100], [47, -69, -109, 87, 117], [-108, -126, 100, -66, 79]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.exponential_minus_one %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, -37, 75, -50], [127, -46, -51, 127, 127], [-51, -52, 127, -45, 127]]> : tensor<3x5xi8>
  return
}

func.func @exponential_minus_one_other_scales() {
  %a0 = stablehlo.constant dense<[[-111, -21, -1, 3, 19], [20, 46, -27, -22, -55], [33, -112, 54, 100, -27]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.exponential_minus_one %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-18, 127, 127, 127, 127], [127, 127, 127, 127, 127], [127, -18, 127, 127, 127]]> : tensor<3x5xi8>
  return
}

func.func @exponential_minus_one_rows() {
  %a0 = stablehlo.constant dense<[[92, 94, 50, -40, -65], [-45, 122, -125, 54, -107], [-56, -103, 93, 91, -82]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.exponential_minus_one %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[255, 255, 255, 0, 0], [92, 146, 86, 113, 87], [118, 118, 255, 255, 118]]> : tensor<3x5xui8>
  return
}

func.func @exponential_minus_one_storages() {
  %a0 = stablehlo.constant dense<[[6477, -24335, 13877, -30427, 8159], [-263, -25144, -13431, -12611, 16299], [3677, -5691, 5274, -27181, 4594]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.exponential_minus_one %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, -1469, 32767, -1469, 32767], [-370, -1469, -1469, -1469, 32767], [32767, -1464, 32767, -1469, 32767]]> : tensor<3x5xi16>
  return
}

func.func @exponential_minus_one_f64() {
  %a0 = stablehlo.constant dense<[[11, 84, 120, -104, 103], [-94, -43, 18, 68, -90], [103, -43, 57, -74, 86]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.exponential_minus_one %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[130, 3810, 11866, -319, 6992], [-313, -242, 239, 2230, -311], [6992, -242, 1510, -297, 4066]]> : tensor<3x5xi16>
  return
}

func.func @floor_alike() {
  %a0 = stablehlo.constant dense<[[-105, 29, 123, 97, 62], [108, -12, -86, 108, -43], [-55, 99, -14, 82, 91]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.floor %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-120, 13, 113, 80, 47], [80, -20, -87, 80, -53], [-87, 80, -20, 80, 80]]> : tensor<3x5xi8>
  return
}

func.func @floor_other_scales() {
  %a0 = stablehlo.constant dense<[[-1, -14, -68, -55, 101], [-123, 26, 75, 63, -73], [-127, -101, 10, -17, -70]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.floor %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[93, 93, 18, 43, 127], [-57, 127, 127, 127, 18], [-57, -32, 118, 93, 18]]> : tensor<3x5xi8>
  return
}

func.func @floor_rows() {
  %a0 = stablehlo.constant dense<[[-115, 26, -113, -83, 11], [49, -1, 125, -87, 49], [47, 42, -50, -3, -102]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.floor %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 59, 0, 0, 59], [100, 80, 120, 80, 100], [218, 208, 28, 118, 0]]> : tensor<3x5xui8>
  return
}

func.func @floor_storages() {
  %a0 = stablehlo.constant dense<[[-5135, -29928, -16780, -8899, -28306], [16622, -13734, 3380, -9737, -11670], [31288, 32022, 616, 5347, 20781]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.floor %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-8611, -32768, -24326, -12897, -32768], [22817, -20040, 4246, -14326, -17183], [32767, 32767, -40, 7103, 28531]]> : tensor<3x5xi16>
  return
}

func.func @floor_f64() {
  %a0 = stablehlo.constant dense<[[-67, -13, -21, 89, -25], [-124, -121, -76, 21, 4], [19, 21, 63, 123, 121]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.floor %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-1000, -333, -333, 667, -333], [-1333, -1333, -1000, 0, 0], [0, 0, 333, 1000, 1000]]> : tensor<3x5xi16>
  return
}

func.func @log_alike() {
  %a0 = stablehlo.constant dense<[[-92, 123, -78, -102, 60], [-7, -25, -18, -63, -116], [11, -5, -11, 110, 94]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.log %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[0, 29, 0, 0, 9], [-51, 0, -114, 0, 0], [-22, -47, -64, 25, 21]]> : tensor<3x5xi8>
  return
}

func.func @log_other_scales() {
  %a0 = stablehlo.constant dense<[[16, 109, -113, 43, -90], [-97, 10, -109, 26, -48], [50, -10, -92, -74, 94]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.log %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[37, 52, 0, 42, -24], [-54, 36, 0, 39, 17], [43, 31, -30, 0, 50]]> : tensor<3x5xi8>
  return
}

func.func @log_rows() {
  %a0 = stablehlo.constant dense<[[55, -85, 3, -81, -6], [-76, -43, 73, 73, -29], [88, -102, -105, -71, 33]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.log %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[68, 0, 0, 0, 0], [0, 0, 93, 93, 0], [157, 0, 0, 0, 147]]> : tensor<3x5xui8>
  return
}

func.func @log_storages() {
  %a0 = stablehlo.constant dense<[[23115, 8356, 5219, -31604, -26311], [28605, -22364, -4558, -5853, 21132], [-5481, 28127, 21648, -4519, 23342]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.log %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[4446, 2993, 2320, 0, 0], [4751, 0, 0, 0, 4318], [0, 4727, 4353, 0, 4460]]> : tensor<3x5xi16>
  return
}

func.func @log_f64() {
  %a0 = stablehlo.constant dense<[[-106, 114, -36, -13, -35], [-11, -48, -124, -110, -53], [-40, -19, 83, 46, -128]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.log %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[0, 410, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 304, 107, 0]]> : tensor<3x5xi16>
  return
}

func.func @log_plus_one_alike() {
  %a0 = stablehlo.constant dense<[[-48, 59, 24, 7, 29], [-51, 110, -111, 5, -105], [-15, -46, 59, -24, 112]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.log_plus_one %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-81, 20, 8, 0, 10], [-109, 33, 0, -1, 0], [-15, -70, 20, -24, 33]]> : tensor<3x5xi8>
  return
}

func.func @log_plus_one_other_scales() {
  %a0 = stablehlo.constant dense<[[-112, -50, 63, -50, -10], [-99, 70, -92, -113, -88], [83, 62, 2, 7, 110]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.log_plus_one %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-30, 24, 48, 24, 36], [-6, 49, 1, -33, 5], [51, 48, 38, 39, 54]]> : tensor<3x5xi8>
  return
}

func.func @log_plus_one_rows() {
  %a0 = stablehlo.constant dense<[[49, -73, 85, 35, -11], [51, -9, 86, 47, 72], [43, 90, 123, 46, 92]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.log_plus_one %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[78, 0, 96, 68, 6], [108, 97, 112, 107, 110], [151, 157, 160, 151, 158]]> : tensor<3x5xui8>
  return
}

func.func @log_plus_one_storages() {
  %a0 = stablehlo.constant dense<[[-9393, -9603, -29838, 20621, -3719], [13467, 9507, 10893, -6469, 17775], [-10880, 29020, 22757, -21313, -4528]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.log_plus_one %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[0, 0, 0, 4351, 0], [3777, 3320, 3497, 0, 4149], [0, 4820, 4486, 0, 0]]> : tensor<3x5xi16>
  return
}

func.func @log_plus_one_f64() {
  %a0 = stablehlo.constant dense<[[-126, 44, 67, 61, -70], [-113, -56, 49, -73, 0], [44, -32, -34, -114, -19]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.log_plus_one %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[0, 281, 367, 347, 0], [0, 0, 301, 0, 0], [281, -1073, 0, 0, -281]]> : tensor<3x5xi16>
  return
}

func.func @logistic_alike() {
  %a0 = stablehlo.constant dense<[[54, 63, 125, 3, -38], [-28, -53, -128, -78, 69], [-50, -114, 52, 10, 15]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.logistic %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[10, 11, 13, 2, -8], [-5, -11, -19, -15, 11], [-10, -18, 10, 4, 5]]> : tensor<3x5xi8>
  return
}

func.func @logistic_other_scales() {
  %a0 = stablehlo.constant dense<[[-60, -1, 7, 28, -17], [-119, 81, 21, -60, 15], [-66, 83, 7, 36, 92]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.logistic %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[15, 18, 18, 18, 18], [0, 18, 18, 15, 18], [14, 18, 18, 18, 18]]> : tensor<3x5xi8>
  return
}

func.func @logistic_rows() {
  %a0 = stablehlo.constant dense<[[25, 36, -25, 97, -64], [-1, 58, -123, -44, 114], [78, 16, 14, 66, 119]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.logistic %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[52, 54, 25, 59, 12], [110, 113, 104, 108, 115], [138, 138, 137, 138, 138]]> : tensor<3x5xui8>
  return
}

func.func @logistic_storages() {
  %a0 = stablehlo.constant dense<[[-27345, -8924, -31042, -5554, 17241], [25902, 28313, 7239, -3901, -23618], [15734, -25246, -19418, 17288, 22518]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.logistic %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-40, -40, -40, -34, 1389], [1389, 1389, 1388, -12, -40], [1389, -40, -40, 1389, 1389]]> : tensor<3x5xi16>
  return
}

func.func @logistic_f64() {
  %a0 = stablehlo.constant dense<[[8, -13, 37, 115, 60], [13, 73, 7, 68, -27], [4, 0, -29, 24, 54]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.logistic %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[187, 135, 251, 323, 286], [199, 300, 184, 295, 103], [177, 167, 98, 224, 278]]> : tensor<3x5xi16>
  return
}

func.func @negate_alike() {
  %a0 = stablehlo.constant dense<[[48, 7, 61, -25, -123], [-42, -122, -119, -2, -45], [28, -6, -32, 97, -32]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.negate %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-88, -47, -101, -15, 83], [2, 82, 79, -38, 5], [-68, -34, -8, -128, -8]]> : tensor<3x5xi8>
  return
}

func.func @negate_other_scales() {
  %a0 = stablehlo.constant dense<[[-3, 96, -28, 34, -37], [-3, 124, -87, -100, -16], [-115, -95, -75, -12, 54]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.negate %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-128, -128, -97, -128, -86], [-128, -128, -23, -7, -112], [12, -13, -38, -117, -128]]> : tensor<3x5xi8>
  return
}

func.func @negate_rows() {
  %a0 = stablehlo.constant dense<[[113, 30, -32, -98, 101], [-88, 98, -112, 66, -68], [-90, 25, -113, 29, -94]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.negate %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 0, 64, 229, 0], [118, 81, 123, 87, 114], [255, 78, 255, 70, 255]]> : tensor<3x5xui8>
  return
}

func.func @negate_storages() {
  %a0 = stablehlo.constant dense<[[-31404, -24249, -25705, 15182, -27490], [-539, -10992, -21917, -18306, -1370], [-650, -3607, 15306, -18146, 1654]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.negate %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, 32767, 32767, -21729, 32767], [730, 15663, 31270, 26111, 1917], [889, 5113, -21906, 25883, -2403]]> : tensor<3x5xi16>
  return
}

func.func @negate_f64() {
  %a0 = stablehlo.constant dense<[[-97, 93, 85, 0, 59], [3, 110, -9, 56, 123], [14, -107, 70, -111, 63]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.negate %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[970, -930, -850, 0, -590], [-30, -1100, 90, -560, -1230], [-140, 1070, -700, 1110, -630]]> : tensor<3x5xi16>
  return
}

func.func @round_nearest_afz_alike() {
  %a0 = stablehlo.constant dense<[[-81, 54, 20, 68, 31], [-42, 104, 62, -93, -125], [-62, -88, -78, 61, 29]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.round_nearest_afz %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-87, 47, 13, 80, 47], [-53, 113, 47, -87, -120], [-53, -87, -87, 47, 13]]> : tensor<3x5xi8>
  return
}

func.func @round_nearest_afz_other_scales() {
  %a0 = stablehlo.constant dense<[[-115, -78, -45, 93, 89], [20, 13, -105, 33, -2], [-92, 45, -1, -48, -63]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.round_nearest_afz %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-32, 18, 68, 127, 127], [127, 127, -7, 127, 118], [-7, 127, 118, 68, 43]]> : tensor<3x5xi8>
  return
}

func.func @round_nearest_afz_rows() {
  %a0 = stablehlo.constant dense<[[52, -107, -28, 54, -39], [62, 94, -26, -94, 59], [53, 82, 9, -124, -108]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.round_nearest_afz %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[159, 0, 0, 159, 0], [120, 120, 100, 80, 120], [238, 255, 148, 0, 0]]> : tensor<3x5xui8>
  return
}

func.func @round_nearest_afz_storages() {
  %a0 = stablehlo.constant dense<[[-22167, 26131, 21008, 28876, -30683], [2591, -8341, 31680, -28373, -9810], [-27580, -2900, -5673, 8671, 26822]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.round_nearest_afz %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-31469, 32767, 29960, 32767, -32768], [4246, -11469, 32767, -32768, -14326], [-32768, -4326, -8611, 12817, 32767]]> : tensor<3x5xi16>
  return
}

func.func @round_nearest_afz_f64() {
  %a0 = stablehlo.constant dense<[[-49, 23, 36, -27, 34], [72, -53, 31, 25, 88], [-117, 92, 25, -76, 107]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.round_nearest_afz %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-333, 333, 333, -333, 333], [667, -667, 333, 333, 1000], [-1333, 1000, 333, -667, 1000]]> : tensor<3x5xi16>
  return
}

func.func @round_nearest_even_alike() {
  %a0 = stablehlo.constant dense<[[-90, -24, 48, 23, -105], [-74, -65, -85, 2, 89], [-1, -122, 69, 36, -55]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.round_nearest_even %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-87, -20, 47, 13, -120], [-87, -53, -87, 13, 80], [13, -120, 80, 47, -53]]> : tensor<3x5xi8>
  return
}

func.func @round_nearest_even_other_scales() {
  %a0 = stablehlo.constant dense<[[-125, -42, 118, -108, -57], [69, -114, 57, 55, 74], [-42, 104, 95, -38, 33]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.round_nearest_even %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-32, 68, 127, -7, 43], [127, -32, 127, 127, 127], [68, 127, 127, 68, 127]]> : tensor<3x5xi8>
  return
}

func.func @round_nearest_even_rows() {
  %a0 = stablehlo.constant dense<[[107, -114, -118, 118, -83], [-44, 52, -5, -123, -81], [80, -65, -63, -34, 110]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.round_nearest_even %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[255, 0, 0, 255, 0], [100, 100, 100, 80, 80], [255, 0, 0, 58, 255]]> : tensor<3x5xui8>
  return
}

func.func @round_nearest_even_storages() {
  %a0 = stablehlo.constant dense<[[-30921, 1405, -17141, 10514, -15069], [6186, 31907, 4191, -7191, 15097], [-15173, 28733, -6018, -17113, 17419]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.round_nearest_even %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-32768, 1389, -24326, 15674, -21469], [8531, 32767, 5674, -10040, 21389], [-21469, 32767, -8611, -24326, 24246]]> : tensor<3x5xi16>
  return
}

func.func @round_nearest_even_f64() {
  %a0 = stablehlo.constant dense<[[29, -7, 60, 29, 98], [36, 34, 37, 115, 47], [123, 3, -50, 113, -70]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.round_nearest_even %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[333, 0, 667, 333, 1000], [333, 333, 333, 1000, 333], [1333, 0, -667, 1000, -667]]> : tensor<3x5xi16>
  return
}

func.func @rsqrt_alike() {
  %a0 = stablehlo.constant dense<[[-5, -111, -112, -98, -17], [-99, 48, 59, -28, 20], [-4, 40, 29, 21, -15]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.rsqrt %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[30, 0, 0, 0, 91], [0, 3, 2, 0, 10], [28, 5, 7, 10, 66]]> : tensor<3x5xi8>
  return
}

func.func @rsqrt_other_scales() {
  %a0 = stablehlo.constant dense<[[-113, -77, 42, 63, -17], [83, -53, 98, 7, -12], [120, 23, 84, 34, -98]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.rsqrt %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[0, 16, 2, 2, 5], [1, 9, 1, 4, 5], [1, 3, 1, 3, 72]]> : tensor<3x5xi8>
  return
}

func.func @rsqrt_rows() {
  %a0 = stablehlo.constant dense<[[-52, -19, 67, -107, -68], [-23, -54, -4, 20, -49], [-80, 98, -85, 83, 32]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.rsqrt %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 0, 34, 0, 0], [0, 0, 0, 149, 0], [0, 130, 0, 130, 132]]> : tensor<3x5xui8>
  return
}

func.func @rsqrt_storages() {
  %a0 = stablehlo.constant dense<[[-17798, -8065, 6061, 19016, 3164], [1461, -26520, -27111, 31173, 9170], [12439, 16455, -18865, 1751, 17575]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.rsqrt %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[0, 0, 540, 288, 763], [1142, 0, 0, 216, 432], [365, 312, 0, 1040, 301]]> : tensor<3x5xi16>
  return
}

func.func @rsqrt_f64() {
  %a0 = stablehlo.constant dense<[[-67, 93, -17, 60, 91], [31, 46, -33, 112, -113], [24, -70, -55, -19, 57]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.rsqrt %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[0, 200, 0, 248, 202], [346, 284, 0, 182, 0], [393, 0, 0, 0, 255]]> : tensor<3x5xi16>
  return
}

func.func @sign_alike() {
  %a0 = stablehlo.constant dense<[[-21, -14, -111, 122, -52], [-22, 56, 89, -107, -60], [-3, -38, 120, 92, 19]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.sign %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-53, 13, -53, 13, -53], [-53, 13, 13, -53, -53], [13, -53, 13, 13, 13]]> : tensor<3x5xi8>
  return
}

func.func @sign_other_scales() {
  %a0 = stablehlo.constant dense<[[-16, 74, -5, 100, 105], [-128, 125, -26, 31, 0], [24, -58, -100, 92, 82]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.sign %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[18, 18, 18, 18, 18], [-32, 18, 18, 18, 18], [18, 18, -7, 18, 18]]> : tensor<3x5xi8>
  return
}

func.func @sign_rows() {
  %a0 = stablehlo.constant dense<[[13, -52, 93, 15, -26], [82, -7, 15, 76, 41], [83, 64, -128, 100, -113]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.sign %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[59, 0, 59, 59, 0], [120, 80, 120, 120, 120], [138, 138, 118, 138, 118]]> : tensor<3x5xui8>
  return
}

func.func @sign_storages() {
  %a0 = stablehlo.constant dense<[[28605, -32490, -4268, 26492, 13209], [10586, -19484, -6212, 18785, -25838], [32609, 1037, 2195, 1484, -12137]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.sign %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[1389, -1469, -1469, 1389, 1389], [1389, -1469, -1469, 1389, -1469], [1389, 1389, 1389, 1389, -1469]]> : tensor<3x5xi16>
  return
}

func.func @sign_f64() {
  %a0 = stablehlo.constant dense<[[15, -12, 13, -37, -95], [35, 76, 42, 4, -24], [-109, -69, -84, -59, 116]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.sign %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[333, -333, 333, -333, -333], [333, 333, 333, 333, -333], [-333, -333, -333, -333, 333]]> : tensor<3x5xi16>
  return
}

func.func @sine_alike() {
  %a0 = stablehlo.constant dense<[[75, 60, 99, 92, 98], [99, -112, -42, 80, -113], [-85, 2, -33, 44, -93]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.sine %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-10, 3, -34, -27, -33], [-34, -32, -40, -15, -31], [-51, 0, -33, 11, -47]]> : tensor<3x5xi8>
  return
}

func.func @sine_other_scales() {
  %a0 = stablehlo.constant dense<[[-17, -50, 90, -113, -4], [-117, 40, -28, -77, -51], [118, -94, 57, -103, 120]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.sine %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-28, 8, -9, -22, -32], [-26, 9, -18, 16, 9], [-32, 0, 18, -11, -32]]> : tensor<3x5xi8>
  return
}

func.func @sine_rows() {
  %a0 = stablehlo.constant dense<[[34, -96, -121, 24, -106], [-59, -44, 74, 6, -38], [125, 92, -81, 25, 33]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.sine %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[49, 55, 42, 59, 59], [88, 91, 113, 101, 92], [127, 124, 133, 118, 131]]> : tensor<3x5xui8>
  return
}

func.func @sine_storages() {
  %a0 = stablehlo.constant dense<[[-3782, 28800, 1463, -17649, -30865], [19789, 4092, 19137, -27189, 12719], [30493, -14030, 3167, 31926, 1183]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.sine %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[814, -757, 1380, 1292, 708], [1113, -1202, 365, -1304, 177], [-1179, -1460, -76, 657, 1282]]> : tensor<3x5xi16>
  return
}

func.func @sine_f64() {
  %a0 = stablehlo.constant dense<[[41, -68, 78, 119, 45], [89, 91, 10, -127, -9], [-126, 12, -114, 53, 4]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.sine %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[314, -297, 239, -138, 325], [151, 133, 99, 207, -89], [199, 117, 92, 333, 40]]> : tensor<3x5xi16>
  return
}

func.func @sqrt_alike() {
  %a0 = stablehlo.constant dense<[[-6, -94, -57, -105, 76], [117, -44, 7, 100, 64], [-16, 50, -106, 79, -23]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.sqrt %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[2, 0, 0, 0, 37], [48, 0, 10, 43, 33], [-8, 28, 0, 37, 0]]> : tensor<3x5xi8>
  return
}

func.func @sqrt_other_scales() {
  %a0 = stablehlo.constant dense<[[-63, -41, -60, 101, 84], [-44, 53, 67, 59, -100], [-32, 70, -21, 88, -68]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.sqrt %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[27, 36, 28, 72, 69], [35, 62, 65, 63, -7], [39, 66, 43, 70, 25]]> : tensor<3x5xi8>
  return
}

func.func @sqrt_rows() {
  %a0 = stablehlo.constant dense<[[102, 71, -104, 57, -31], [-21, 65, -108, -81, 80], [-51, 125, 90, -119, -41]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.sqrt %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[127, 110, 0, 101, 0], [0, 116, 0, 0, 118], [0, 178, 170, 0, 0]]> : tensor<3x5xui8>
  return
}

func.func @sqrt_storages() {
  %a0 = stablehlo.constant dense<[[-23670, 26235, -30250, -11476, -28721], [-32764, -28988, -24009, 9101, -14597], [-10176, 16582, 3923, -17530, 31139]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.sqrt %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[0, 7277, 0, 0, 0], [0, 0, 0, 4270, 0], [0, 5777, 2790, 0, 7932]]> : tensor<3x5xi16>
  return
}

func.func @sqrt_f64() {
  %a0 = stablehlo.constant dense<[[75, -44, -39, 118, -16], [-75, -118, -76, 69, 6], [70, 115, -4, -85, -16]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.sqrt %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[500, 0, 0, 627, 0], [0, 0, 0, 480, 141], [483, 619, 0, 0, 0]]> : tensor<3x5xi16>
  return
}

func.func @tan_alike() {
  %a0 = stablehlo.constant dense<[[70, -22, 97, -72, 124], [29, -31, 17, 0, 28], [124, 66, 76, -100, -51]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.tan %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-36, -22, -7, -128, 61], [127, -31, 47, 3, 127], [61, -41, -29, 11, -65]]> : tensor<3x5xi8>
  return
}

func.func @tan_other_scales() {
  %a0 = stablehlo.constant dense<[[-12, -48, -42, 53, 31], [106, 15, 35, -13, 50], [79, -51, -90, 23, -1]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.tan %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[70, -22, -13, 114, 0], [23, -22, 6, 59, 61], [-20, -28, 7, -10, -110]]> : tensor<3x5xi8>
  return
}

func.func @tan_rows() {
  %a0 = stablehlo.constant dense<[[22, -24, 92, 76, 61], [115, -124, -90, 68, -78], [-56, 0, 102, 11, -22]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.tan %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 0, 0, 123, 31], [141, 36, 73, 115, 79], [176, 128, 255, 114, 97]]> : tensor<3x5xui8>
  return
}

func.func @tan_storages() {
  %a0 = stablehlo.constant dense<[[-21721, 13756, -9270, 14631, 10614], [15341, 20510, 31908, -6547, 6384], [17573, 31008, 3926, -29187, 17918]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.tan %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[356, 3525, 183, -2694, 3520], [-589, -15933, 726, -426, 105], [-4754, -657, 1386, -1888, -1962]]> : tensor<3x5xi16>
  return
}

func.func @tan_f64() {
  %a0 = stablehlo.constant dense<[[71, 45, 76, -109, -81], [27, 84, -96, 45, -114], [-58, 43, -28, 127, -82]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.tan %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-533, 1485, -388, -43, 287], [350, -239, 89, 1485, -95], [1951, 1156, -372, 263, 270]]> : tensor<3x5xi16>
  return
}

func.func @tanh_alike() {
  %a0 = stablehlo.constant dense<[[43, -110, -122, -74, 93], [10, 85, -115, -108, -123], [83, -27, 117, 116, 32]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.tanh %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[12, -53, -53, -51, 13], [4, 13, -53, -53, -53], [13, -27, 13, 13, 11]]> : tensor<3x5xi8>
  return
}

func.func @tanh_other_scales() {
  %a0 = stablehlo.constant dense<[[93, 19, -113, -43, 35], [-110, -23, 6, -2, -72], [109, -49, -84, 94, -24]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.tanh %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[18, 18, -21, 18, 18], [-19, 18, 18, 18, 15], [18, 18, 10, 18, 18]]> : tensor<3x5xi8>
  return
}

func.func @tanh_rows() {
  %a0 = stablehlo.constant dense<[[-98, -19, 49, 83, 48], [51, 12, -63, -57, -114], [73, 123, -122, 65, -121]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.tanh %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 0, 59, 59, 59], [109, 102, 88, 89, 84], [138, 138, 118, 138, 118]]> : tensor<3x5xui8>
  return
}

func.func @tanh_storages() {
  %a0 = stablehlo.constant dense<[[25607, 23915, -24181, -29923, -29294], [-16031, 19420, 9424, -19772, -14260], [1429, 20494, -20401, -10743, -6452]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %q = stablehlo.tanh %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[1389, 1389, -1469, -1469, -1469], [-1469, 1389, 1389, -1469, -1469], [1234, 1389, -1469, -1469, -1469]]> : tensor<3x5xi16>
  return
}

func.func @tanh_f64() {
  %a0 = stablehlo.constant dense<[[58, -13, 71, 40, 48], [20, 36, 90, -29, -14], [99, -123, 57, 73, -66]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %q = stablehlo.tanh %s0 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[313, -124, 324, 278, 298], [179, 264, 330, -234, -132], [332, -333, 312, 325, -321]]> : tensor<3x5xi16>
  return
}

func.func @atan2_alike() {
  %a0 = stablehlo.constant dense<[[-113, 57, 71, 18, 40], [-15, -85, 37, 99, 39], [113, -52, -17, -60, 15]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[14, -96, -82, 89, 69], [112, 36, -61, -95, -122], [97, -24, -124, 31, 79]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.atan2 %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-61, 58, 52, -9, 0], [-19, -49, 53, 51, 67], [8, -77, 84, -42, -9]]> : tensor<3x5xi8>
  return
}

func.func @atan2_other_scales() {
  %a0 = stablehlo.constant dense<[[-88, -17, 47, -96, -82], [-34, -128, -116, 23, -104], [39, 83, 114, 103, -100]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-43, -46, -18, 98, -58], [109, -12, 73, 72, -59], [-22, -97, -106, -18, -3]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.atan2 %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[57, 38, 34, -4, 56], [18, -52, -20, 27, -82], [34, 38, 37, 33, 72]]> : tensor<3x5xi8>
  return
}

func.func @atan2_rows() {
  %a0 = stablehlo.constant dense<[[59, 52, 45, 8, -77], [-101, -119, -46, 53, -7], [-60, 61, 117, 40, 126]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[10, -62, -85, -104, -8], [2, -123, 19, 37, 54], [62, -78, -66, -103, -63]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.atan2 %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[73, 122, 134, 157, 0], [68, 53, 75, 119, 96], [120, 153, 149, 156, 148]]> : tensor<3x5xui8>
  return
}

func.func @atan2_storages() {
  %a0 = stablehlo.constant dense<[[-14187, -30545, -15944, -32100, -1227], [30865, 16717, 18095, -12212, 9715], [-8925, -16520, -15545, 16417, -18480]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[-4, -4, 0, 6, -7], [3, -8, 1, -7, 5], [1, 2, -7, 0, -4]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.atan2 %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-2434, -2354, -2311, -2217, -3853], [2176, 2433, 2204, -2561, 2028], [-2284, -2258, -2503, 2230, -2400]]> : tensor<3x5xi16>
  return
}

func.func @atan2_f64() {
  %a0 = stablehlo.constant dense<[[-40, 95, -118, 60, 83], [-115, 14, 4, 59, 63], [-107, 23, -104, -109, 81]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[15, 12, 9, 5, 11], [10, 5, 6, 4, 1], [8, 1, 8, 6, 15]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.atan2 %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-200, 411, -500, 655, 426], [-476, 877, 969, 695, 773], [-524, 922, -524, -574, 316]]> : tensor<3x5xi16>
  return
}

func.func @divide_alike() {
  %a0 = stablehlo.constant dense<[[-27, -128, -11, -35, 104], [5, 44, -16, -112, 27], [70, -58, -100, 37, -114]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-35, 112, -96, 93, -29], [-36, 87, -79, 64, -100], [-13, 56, -107, -36, -65]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.divide %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-4, -47, -24, -24, -128], [-72, 0, -22, -57, -40], [127, -37, 11, -128, 50]]> : tensor<3x5xi8>
  return
}

func.func @divide_other_scales() {
  %a0 = stablehlo.constant dense<[[-91, -73, -13, 71, -31], [99, 31, 16, -80, 2], [65, -81, 22, 23, -103]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-15, 115, -107, 29, -61], [77, -23, 67, 26, -82], [-91, 97, -65, 99, 15]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.divide %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-38, 8, -56, 127, -74], [127, -128, 106, 47, -82], [-117, 6, -119, 73, -23]]> : tensor<3x5xi8>
  return
}

func.func @divide_rows() {
  %a0 = stablehlo.constant dense<[[38, -85, -9, 85, 86], [51, -92, 89, -36, 93], [-45, -32, -55, -79, 46]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-34, 7, -20, 96, 78], [66, 68, -60, 0, -53], [-27, -9, -96, -40, -37]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.divide %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 0, 4, 54, 64], [115, 71, 73, 255, 68], [145, 164, 134, 148, 116]]> : tensor<3x5xui8>
  return
}

func.func @divide_storages() {
  %a0 = stablehlo.constant dense<[[-20855, 23905, -11681, 16560, 6430], [7965, -13648, -10065, -24875, 31793], [-4082, 9182, -22041, -18925, 25069]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[3, -4, 3, 2, -6], [5, 0, 6, -4, -3], [-2, 4, 0, -3, -3]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.divide %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-32768, -22807, -27852, 32767, -4414], [9442, 32767, -9626, 23650, -32768], [6439, 14535, 32767, 22490, -29884]]> : tensor<3x5xi16>
  return
}

func.func @divide_f64() {
  %a0 = stablehlo.constant dense<[[-96, -9, -65, -43, 127], [104, 88, 24, -125, -82], [-98, -127, -98, 50, 86]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[5, 3, 13, 1, 6], [6, 11, 13, 3, 4], [10, 15, 12, 14, 14]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.divide %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[1280, 72, -520, 246, -2540], [-2080, 1173, 192, 1000, 820], [-1960, -726, -980, 333, 573]]> : tensor<3x5xi16>
  return
}

func.func @maximum_alike() {
  %a0 = stablehlo.constant dense<[[98, 50, 0, -41, 92], [23, 92, -49, -117, 21], [-63, -126, 30, 125, 0]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[122, 53, -37, -116, 120], [73, 11, -100, 92, -98], [-19, -89, 27, -16, 96]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.maximum %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[122, 53, 0, -41, 120], [73, 92, -49, 92, 21], [-19, -89, 30, 125, 96]]> : tensor<3x5xi8>
  return
}

func.func @maximum_other_scales() {
  %a0 = stablehlo.constant dense<[[22, 38, 73, -110, 75], [-67, 74, 46, 65, -88], [51, 109, -28, 119, -53]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-87, 58, -38, 91, 67], [-18, -101, -105, -64, -107], [26, 78, 93, 15, -115]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.maximum %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, 127, 37, 127], [34, 127, 127, 127, 8], [127, 127, 83, 127, 52]]> : tensor<3x5xi8>
  return
}

func.func @maximum_rows() {
  %a0 = stablehlo.constant dense<[[-93, -64, 78, 93, -98], [57, 89, 102, 59, -77], [-68, -35, 10, -77, 4]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-125, 104, -25, -75, 94], [-51, -123, 101, 91, -88], [-9, 50, 2, 90, -115]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.maximum %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 255, 229, 255, 255], [111, 117, 120, 118, 84], [110, 228, 148, 255, 136]]> : tensor<3x5xui8>
  return
}

func.func @maximum_storages() {
  %a0 = stablehlo.constant dense<[[28594, -4133, -14244, -8137, -15886], [-20527, -22377, 31298, 8352, -10135], [30792, 20771, 11171, -19138, 16321]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[7, -3, 1, -8, -8], [4, 3, 3, -2, -8], [4, 4, 4, -6, -7]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.maximum %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, -1754, -40, -3897, -3897], [1246, 817, 32767, 11891, -3897], [32767, 29633, 15919, -3040, 23276]]> : tensor<3x5xi16>
  return
}

func.func @maximum_f64() {
  %a0 = stablehlo.constant dense<[[50, -17, -36, -39, 115], [60, -20, 59, -65, -104], [101, -5, 68, -18, -10]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[9, 4, 2, 6, 14], [1, 11, 8, 15, 7], [12, 10, 5, 14, 8]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.maximum %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[500, -170, -360, -167, 1150], [600, 250, 590, 583, -83], [1010, 167, 680, 500, 0]]> : tensor<3x5xi16>
  return
}

func.func @minimum_alike() {
  %a0 = stablehlo.constant dense<[[83, -114, 102, 7, -10], [110, 41, 29, 15, -56], [-120, 116, 69, -120, -94]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-73, -121, 15, -4, 9], [-4, -100, -78, 0, 112], [20, 119, 7, 36, -125]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.minimum %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-73, -121, 15, -4, -10], [-4, -100, -78, 0, -56], [-120, 116, 7, -120, -125]]> : tensor<3x5xi8>
  return
}

func.func @minimum_other_scales() {
  %a0 = stablehlo.constant dense<[[119, 77, 46, -50, -27], [-73, 25, -115, -40, 20], [-49, 112, -113, 60, -96]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-65, -127, 83, 47, -9], [33, -65, 57, 37, -23], [-85, -49, 60, -35, 24]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.minimum %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-41, -72, 33, 15, -13], [8, -41, -26, 10, -20], [-51, -33, -23, -26, -2]]> : tensor<3x5xi8>
  return
}

func.func @minimum_rows() {
  %a0 = stablehlo.constant dense<[[24, -63, -113, 14, 16], [-84, -56, 94, 10, 40], [41, -13, -67, 21, -72]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[4, -49, 2, 74, -55], [-92, 13, -20, 22, -42], [76, -91, -9, -65, -66]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.minimum %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[44, 0, 0, 69, 0], [81, 88, 95, 101, 91], [210, 0, 0, 0, 0]]> : tensor<3x5xui8>
  return
}

func.func @minimum_storages() {
  %a0 = stablehlo.constant dense<[[-29052, 11852, -15318, 28056, -8524], [21456, 10891, -22556, 28755, -19492], [-393, 8148, -25833, 2308, -19979]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[4, -5, -8, 0, 1], [-6, 2, -4, 7, 1], [-4, -1, 0, 5, 0]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.minimum %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-32768, -2611, -21923, -469, -12217], [-3040, 389, -32263, 2531, -27886], [-2183, -897, -32768, 1674, -28581]]> : tensor<3x5xi16>
  return
}

func.func @minimum_f64() {
  %a0 = stablehlo.constant dense<[[-28, -120, 59, 21, 111], [-33, -51, 29, -122, 74], [1, -98, 113, -90, 64]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[2, 10, 15, 0, 7], [10, 0, 5, 2, 12], [6, 3, 7, 7, 14]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.minimum %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-500, -1200, 583, -667, -83], [-330, -667, -250, -1220, 333], [-167, -980, -83, -900, 500]]> : tensor<3x5xi16>
  return
}

func.func @multiply_alike() {
  %a0 = stablehlo.constant dense<[[126, -108, -41, -16, 54], [-19, -29, -86, -58, -57], [-106, 122, -35, 96, -68]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[86, -69, -109, -67, 104], [18, 74, -64, 49, 77], [-42, -16, 9, -115, 55]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.multiply %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 109, 36, -26, 127], [-19, -45, 67, -99, -128], [37, -3, -33, -128, -128]]> : tensor<3x5xi8>
  return
}

func.func @multiply_other_scales() {
  %a0 = stablehlo.constant dense<[[-117, -94, 93, -85, -4], [-51, 22, -100, 3, -29], [10, 127, -9, 41, 121]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[54, 41, 92, -10, -16], [-98, 10, 25, 65, -16], [-63, -64, -118, 32, 116]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.multiply %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-29, -1, 127, -12, -53], [-128, 14, -7, 127, -41], [-128, -128, -128, 95, 127]]> : tensor<3x5xi8>
  return
}

func.func @multiply_rows() {
  %a0 = stablehlo.constant dense<[[108, 127, -64, -123, 4], [0, -1, 116, -81, 80], [-119, 82, 81, 65, 12]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[20, 97, -103, 44, -92], [115, 122, -104, 81, -39], [-19, -60, -43, 92, -86]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.multiply %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[255, 255, 255, 0, 0], [99, 99, 76, 87, 94], [255, 0, 0, 255, 0]]> : tensor<3x5xui8>
  return
}

func.func @multiply_storages() {
  %a0 = stablehlo.constant dense<[[-21364, -19594, -30251, -2603, 27478], [26965, 599, 13784, -14928, 3224], [-20, -19450, -22122, 17694, 16660]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[-3, -3, 0, -3, 2], [3, 6, -4, 4, 7], [3, 4, -7, 5, -2]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.multiply %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, 32767, 12925, 4422, 11736], [23073, 1244, -29577, -19233, 8250], [-57, -25047, 32767, 30293, -21460]]> : tensor<3x5xi16>
  return
}

func.func @multiply_f64() {
  %a0 = stablehlo.constant dense<[[-66, 66, -44, -70, 8], [111, 121, 110, -102, -26], [92, 12, -73, 24, 52]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[1, 11, 7, 0, 9], [12, 10, 13, 1, 8], [11, 11, 8, 12, 7]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.multiply %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[1155, 495, 110, 1400, 20], [1110, 605, 1375, 1785, 0], [690, 90, 0, 240, -130]]> : tensor<3x5xi16>
  return
}

func.func @power_alike() {
  %a0 = stablehlo.constant dense<[[-54, 9, 38, 94, -101], [-74, 48, 77, -29, 52], [-57, 108, -50, -65, -61]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-49, -32, 93, 109, -75], [99, -40, -74, -106, -72], [-46, 100, 115, -63, -6]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.power %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[0, 15, 127, 127, 0], [0, 2, -14, 0, -10], [0, 127, 0, 0, 0]]> : tensor<3x5xi8>
  return
}

func.func @power_other_scales() {
  %a0 = stablehlo.constant dense<[[-108, 105, 26, 46, 82], [107, 34, 13, 107, -2], [-6, 40, 118, 54, 14]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[112, -42, 52, 31, 39], [-22, 36, 6, -101, -87], [-99, -24, 110, -81, -19]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.power %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[0, -4, 127, 69, 116], [1, 81, 21, -7, -6], [-6, 2, 127, -6, 5]]> : tensor<3x5xi8>
  return
}

func.func @power_rows() {
  %a0 = stablehlo.constant dense<[[-60, 7, 37, 79, 61], [-47, -38, 69, 48, 68], [-53, -73, 80, 52, 43]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[19, -39, 76, -73, -42], [106, -103, 32, 121, -112], [27, -89, -80, 49, -102]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.power %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 72, 255, 9, 16], [0, 0, 118, 108, 133], [0, 0, 128, 255, 128]]> : tensor<3x5xui8>
  return
}

func.func @power_storages() {
  %a0 = stablehlo.constant dense<[[-19838, 10396, 5839, 8737, -15681], [6627, 5569, 23809, 11662, 3692], [-11666, -28801, 29940, 29803, 11439]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[2, 3, -3, -4, -3], [-3, 5, 3, -3, -5], [-6, -3, -5, -2, 4]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.power %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[0, 5781, 132, 15, 0], [108, 11176, 9531, 35, 96], [0, 0, -37, 27, 12767]]> : tensor<3x5xi16>
  return
}

func.func @power_f64() {
  %a0 = stablehlo.constant dense<[[-41, -44, 117, -6, -3], [62, 107, 106, 103, 88], [-69, -19, 103, -21, -126]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[13, 13, 13, 2, 6], [10, 15, 3, 10, 9], [1, 3, 1, 2, 6]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.power %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[0, 0, 1601, 0, 0], [455, 2566, 78, 586, 425], [0, 0, 46, 0, 0]]> : tensor<3x5xi16>
  return
}

func.func @remainder_alike() {
  %a0 = stablehlo.constant dense<[[-59, -41, -128, -99, 7], [-98, 108, -46, -94, -13], [-104, -43, -73, -70, 57]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-92, 97, -78, 37, -89], [-54, -119, -62, -86, -24], [31, -65, 25, -46, -16]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.remainder %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-59, -41, -70, -42, 7], [-30, 9, -46, -28, -17], [-53, -43, -28, -44, -19]]> : tensor<3x5xi8>
  return
}

func.func @remainder_other_scales() {
  %a0 = stablehlo.constant dense<[[9, 33, -84, 63, -41], [-23, -105, -115, -52, -92], [85, 58, -16, -110, -111]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[102, -61, 61, -80, -67], [74, 35, 116, 23, -127], [55, -26, 18, 26, -79]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.remainder %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[30, -1, 13, 31, -3], [18, -13, -26, -7, 3], [16, 2, -7, -8, -21]]> : tensor<3x5xi8>
  return
}

func.func @remainder_rows() {
  %a0 = stablehlo.constant dense<[[-70, -18, -97, -28, -66], [99, 38, -15, 74, -78], [-7, -17, 82, 111, 37]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[79, -61, 88, -12, -126], [-90, 71, -9, 125, -97], [71, 36, -63, -69, 108]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.remainder %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 0, 0, 9, 0], [101, 107, 99, 114, 84], [114, 94, 166, 212, 202]]> : tensor<3x5xui8>
  return
}

func.func @remainder_storages() {
  %a0 = stablehlo.constant dense<[[19187, -13759, 18835, -16732, -9478], [-30570, -19804, -18665, 437, -23761], [-3639, -10333, -8246, -16766, -14958]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[4, 4, 3, 0, 2], [-8, 4, -4, 2, -6], [7, 2, 0, -7, -1]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.remainder %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[370, -410, 296, -371, -294], [-1283, -46, -990, 156, -984], [-96, -230, -249, -3420, -837]]> : tensor<3x5xi16>
  return
}

func.func @remainder_f64() {
  %a0 = stablehlo.constant dense<[[-42, -91, -45, -92, -10], [-127, -42, 77, -62, -76], [-111, 85, 44, -42, -98]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[7, 15, 5, 1, 15], [8, 7, 3, 14, 4], [10, 14, 4, 6, 2]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.remainder %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-3, -327, -200, -337, -100], [0, -3, 353, -120, -93], [-110, 350, 107, -87, -480]]> : tensor<3x5xi16>
  return
}

func.func @subtract_alike() {
  %a0 = stablehlo.constant dense<[[-92, -121, -19, 101, -32], [-105, 43, -7, 7, -110], [120, -103, -11, -34, 94]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-107, -46, -124, 92, 70], [119, -36, -23, -105, 16], [-54, -1, 32, -85, 2]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.subtract %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-5, -95, 85, -11, -122], [-128, 59, -4, 92, -128], [127, -122, -63, 31, 72]]> : tensor<3x5xi8>
  return
}

func.func @subtract_other_scales() {
  %a0 = stablehlo.constant dense<[[-68, 125, -82, -19, 47], [-47, 22, 44, 118, 44], [89, -75, 113, -45, 112]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[27, 112, -78, 76, 88], [11, -90, 88, -42, 92], [-87, 80, 30, 7, -95]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.subtract %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[21, 127, 56, 58, 127], [55, 127, 127, 127, 127], [127, -14, 127, 60, 127]]> : tensor<3x5xi8>
  return
}

func.func @subtract_rows() {
  %a0 = stablehlo.constant dense<[[-71, -108, -43, -84, 0], [110, 31, -93, -50, 127], [86, -43, -93, 79, 56]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-30, 42, 3, -114, -50], [97, 125, -59, 72, -97], [10, 108, 127, 26, -43]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.subtract %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 0, 0, 84, 134], [103, 81, 93, 76, 145], [255, 0, 0, 234, 255]]> : tensor<3x5xui8>
  return
}

func.func @subtract_storages() {
  %a0 = stablehlo.constant dense<[[-1816, 2046, -31492, -32251, 12318], [3637, 22370, -8626, 11039, 1900], [-14633, -6505, -11547, -23588, -10100]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[5, 0, 1, 5, 0], [6, -3, 6, -5, -5], [6, -6, -1, -8, -1]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.subtract %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-4349, 3311, -32768, -32768, 17986], [3013, 32767, -14506, 18301, 5246], [-23087, -6333, -15679, -29880, -13611]]> : tensor<3x5xi16>
  return
}

func.func @subtract_f64() {
  %a0 = stablehlo.constant dense<[[83, 68, 12, -77, 123], [110, -44, -43, -70, 16], [-44, 47, -60, -39, -56]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[4, 5, 3, 4, 13], [6, 12, 5, 2, 4], [13, 4, 13, 8, 9]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.subtract %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[1163, 930, 537, -437, 813], [1267, -773, -180, -200, 493], [-857, 803, -1017, -390, -643]]> : tensor<3x5xi16>
  return
}

func.func @compare() {
  %a0 = stablehlo.constant dense<[[113, 27, 32, -101, 67], [51, -113, -33, 21, -94], [-55, 70, -28, 96, 34]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[115, 120, 39, 71, 54], [-47, 96, 60, -1, 30], [-58, 107, 105, -61, -40]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.compare LT, %s0, %s1, FLOAT : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5xi1>
  check.expect_eq_const %q, dense<[[false, false, false, true, false], [false, true, false, false, true], [false, false, false, false, false]]> : tensor<3x5xi1>
  return
}

func.func @select() {
  %a0 = stablehlo.constant dense<[[true, true, true, true, false], [true, false, false, true, false], [true, false, true, false, true]]> : tensor<3x5xi1>
  %a1 = stablehlo.constant dense<[[113, 27, 32, -101, 67], [51, -113, -33, 21, -94], [-55, 70, -28, 96, 34]]> : tensor<3x5xi8>
  %a2 = stablehlo.constant dense<[[115, 120, 39, 71, 54], [-47, 96, 60, -1, 30], [-58, 107, 105, -61, -40]]> : tensor<3x5xi8>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s2 = stablehlo.bitcast_convert %a2 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.select %a0, %s1, %s2 : (tensor<3x5xi1>, tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, 127, -8, 18], [127, 40, 22, 127, 6], [49, 45, 83, -39, 127]]> : tensor<3x5xi8>
  return
}

func.func @select_alike() {
  %a0 = stablehlo.constant dense<[[true, true, true, true, false], [true, false, false, true, false], [true, false, true, false, true]]> : tensor<3x5xi1>
  %a1 = stablehlo.constant dense<[[115, 120, 39, 71, 54], [-47, 96, 60, -1, 30], [-58, 107, 105, -61, -40]]> : tensor<3x5xi8>
  %a2 = stablehlo.constant dense<[[47, -28, -32, 64, -127], [-64, -28, 25, -44, 0], [118, -3, -117, 24, 109]]> : tensor<3x5xi8>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %s2 = stablehlo.bitcast_convert %a2 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.select %a0, %s1, %s2 : (tensor<3x5xi1>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[115, 120, 39, 71, -127], [-47, -28, 25, -1, 0], [-58, -3, 105, 24, -40]]> : tensor<3x5xi8>
  return
}

func.func @clamp() {
  %a0 = stablehlo.constant dense<-20> : tensor<i8>
  %a1 = stablehlo.constant dense<[[113, 27, 32, -101, 67], [51, -113, -33, 21, -94], [-55, 70, -28, 96, 34]]> : tensor<3x5xi8>
  %a2 = stablehlo.constant dense<60> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.02:3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s2 = stablehlo.bitcast_convert %a2 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.clamp %s0, %s1, %s2 : (tensor<!quant.uniform<i8:f32, 0.02:3>>, tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[22, 22, 22, -8, 22], [22, -18, 22, 22, 1], [22, 22, 22, 22, 22]]> : tensor<3x5xi8>
  return
}

func.func @clamp_alike() {
  %a0 = stablehlo.constant dense<-20> : tensor<i8>
  %a1 = stablehlo.constant dense<[[115, 120, 39, 71, 54], [-47, 96, 60, -1, 30], [-58, 107, 105, -61, -40]]> : tensor<3x5xi8>
  %a2 = stablehlo.constant dense<60> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.02:3>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %s2 = stablehlo.bitcast_convert %a2 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.clamp %s0, %s1, %s2 : (tensor<!quant.uniform<i8:f32, 0.02:3>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>, tensor<!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[60, 60, 39, 60, 54], [-20, 60, 60, -1, 30], [-20, 60, 60, -20, -20]]> : tensor<3x5xi8>
  return
}

func.func @float_and_quantized() {
  %a0 = stablehlo.constant dense<[[2.24, 2.34, 7.1999997e-01, 1.36, 1.02], [-1.0, 1.86, 1.14, -8.0e-02, 5.3999996e-01], [-1.22, 2.08, 2.04, -1.28, -8.5999995e-01]]> : tensor<3x5xf32>
  %a1 = stablehlo.constant dense<[[113, 27, 32, -101, 67], [51, -113, -33, 21, -94], [-55, 70, -28, 96, 34]]> : tensor<3x5xi8>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.multiply %a0, %s1 : (tensor<3x5xf32>, tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, 112, -9, 127], [-128, -37, 88, -19, -3], [-76, 127, 127, -128, -128]]> : tensor<3x5xi8>
  return
}

func.func @quantized_to_float() {
  %a0 = stablehlo.constant dense<[[113, 27, 32, -101, 67], [51, -113, -33, 21, -94], [-55, 70, -28, 96, 34]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[115, 120, 39, 71, 54], [-47, 96, 60, -1, 30], [-58, 107, 105, -61, -40]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.subtract %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[1090948957, 1082151404, 1086073078, 3216276193, 1089113949], [1091095757, 3223364567, 1074622628, 1086597366, 3195388556], [1079907451, 1087205540, 1070050838, 1093748654, 1089596294]]> : tensor<3x5xui32>
  return
}

func.func @reduce_precision() {
  %a0 = stablehlo.constant dense<[[113, 27, 32, -101, 67], [51, -113, -33, 21, -94], [-55, 70, -28, 96, 34]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %q = stablehlo.reduce_precision %s0, format = e5m2 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, 127, -8, 127], [127, -23, 80, 127, 1], [43, 127, 80, 127, 127]]> : tensor<3x5xi8>
  return
}
