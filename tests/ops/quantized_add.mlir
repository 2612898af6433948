// SPDX-License-Identifier: Apache-2.0
// Sums of integers of one scale.

func.func @alike() {
  %a0 = stablehlo.constant dense<[[40, 20, -95, 21, -71], [22, 67, -3, 112, 91], [67, 104, -32, 105, -54]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[11, -55, -75, -96, 90], [105, 91, -91, 32, 103], [70, 1, 91, -74, 115]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>, tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.03:-20>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[71, -15, -128, -55, 39], [127, 127, -74, 127, 127], [127, 125, 79, 51, 81]]> : tensor<3x5xi8>
  return
}

func.func @other_scales() {
  %a0 = stablehlo.constant dense<[[116, -1, -113, 109, 93], [-48, 85, 75, -48, 84], [35, -51, -69, -18, 74]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-103, -85, -49, -54, 6], [-59, 97, -57, 31, 15], [106, 53, -63, 118, 71]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.05:-100>>, tensor<3x5x!quant.uniform<i8:f32, 0.02:3>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.04:-7>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 73, -49, 127, 127], [27, 127, 127, 72, 127], [127, 79, -1, 127, 127]]> : tensor<3x5xi8>
  return
}

func.func @rows() {
  %a0 = stablehlo.constant dense<[[-38, 96, 28, 16, -105], [-62, -56, -31, 115, -13], [-125, -115, -117, 74, 50]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-5, 8, -42, 92, -58], [41, -17, 18, 113, -75], [80, -22, 62, -60, 71]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i8:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:0, {0.02:9, 0.05:100, 0.1:128}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[0, 255, 24, 255, 0], [95, 84, 96, 144, 81], [38, 0, 18, 156, 255]]> : tensor<3x5xui8>
  return
}

func.func @storages() {
  %a0 = stablehlo.constant dense<[[29297, -15763, -19302, 10879, 25303], [-14471, -19298, -29569, -14617, -24707], [4274, -3949, -31228, -6120, 706]]> : tensor<3x5xi16>
  %a1 = stablehlo.constant dense<[[5, 4, 2, -6, -1], [1, -6, 2, -4, 6], [-6, 5, 2, 4, 2]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:0>>, tensor<3x5x!quant.uniform<i4:f32, 0.3:1>>) -> tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.0007:-40>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, -21273, -27185, 12501, 32767], [-20713, -30609, -32768, -23064, -32768], [3066, -3967, -32768, -7497, 1398]]> : tensor<3x5xi16>
  return
}

func.func @f64() {
  %a0 = stablehlo.constant dense<[[-94, 5, -11, -126, 30], [126, 76, 123, -96, -116], [-55, 103, -6, -57, -67]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[13, 4, 14, 0, 1], [8, 2, 12, 8, 15], [9, 8, 10, 0, 11]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f64, 0.03:0>>, tensor<3x5x!quant.uniform<u4:f64, 0.25:8>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.003:0>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[-523, -283, 390, -1927, -283], [1260, 260, 1563, -960, -577], [-467, 1030, 107, -1237, -420]]> : tensor<3x5xi16>
  return
}

func.func @calibrated() {
  %a0 = stablehlo.constant dense<[[-105, -15, 53, -57, -39], [-115, -12, -20, 42, -73], [-71, 17, 20, -60, -11]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[-79, 99, 2, 45, 100], [-9, -62, -117, 80, -16], [-113, -86, -102, -86, 59]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003918810451731963:-128>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>, tensor<3x5x!quant.uniform<i8:f32, 0.003918810451731963:-128>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.007734167342092477:-128>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.007734167342092477:-128>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-91, 44, 30, -4, 33], [-61, -36, -67, 63, -43], [-91, -34, -40, -73, 26]]> : tensor<3x5xi8>
  return
}

func.func @saturated() {
  %a0 = stablehlo.constant dense<[[45, -7, 54, -76, -92], [125, -36, -56, 4, -51], [-20, 72, -94, -69, 79]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[60, 27, 46, -99, -39], [119, -41, -65, 90, 70], [-91, 3, -9, -122, -126]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[105, 20, 100, -128, -128], [127, -77, -121, 94, 19], [-111, 75, -103, -128, -47]]> : tensor<3x5xi8>
  return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[[-43, 7, 97, -78, -33], [20, 27, 90, -123, -124], [-37, 97, -99, -53, -27]]> : tensor<3x5xi8>
  %a1 = stablehlo.constant dense<[[22, -84, -106, -89, -100], [58, 120, -34, -4, 70], [51, -86, -35, -76, -120]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>, tensor<3x5x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<3x5x!quant.uniform<i8<-90:90>:f32, 1.0:5>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8<-90:90>:f32, 1.0:5>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-16, -72, -4, -90, -90], [83, 90, 61, -90, -49], [19, 16, -90, -90, -90]]> : tensor<3x5xi8>
  return
}

func.func @rows_alike() {
  %a0 = stablehlo.constant dense<[[157791752, 426534160, -241115638, -22843340, 22759486], [204003884, 449346522, 203309561, 298757811, -390331251], [124463138, 185293431, -373285283, -374106553, -345750572]]> : tensor<3x5xi32>
  %a1 = stablehlo.constant dense<[[-29807949, -312605137, 144830050, 477227851, -132906795], [536470851, -385844021, -16863988, -400623021, -151180885], [-310819789, 240520317, -62806544, 332041138, -119999926]]> : tensor<3x5xi32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi32>) -> tensor<3x5x!quant.uniform<i32:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %s1 = stablehlo.bitcast_convert %a1 : (tensor<3x5xi32>) -> tensor<3x5x!quant.uniform<i32:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %q = stablehlo.add %s0, %s1 : (tensor<3x5x!quant.uniform<i32:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>, tensor<3x5x!quant.uniform<i32:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5x!quant.uniform<i32:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i32:f32:0, {0.05:-10, 0.01:3, 0.2:0}>>) -> tensor<3x5xi32>
  check.expect_eq_const %r0, dense<[[127983813, 113929033, -96285578, 454384521, -110147299], [740474732, 63502498, 186445570, -101865213, -541512139], [-186356651, 425813748, -436091827, -42065415, -465750498]]> : tensor<3x5xi32>
  return
}
