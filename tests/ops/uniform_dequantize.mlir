// SPDX-License-Identifier: Apache-2.0
// Quanta to floats.

func.func @i8() {
  %a0 = stablehlo.constant dense<[[-128, 127, -32, 1, 84], [118, -124, -115, 100, 126], [13, 67, 5, -20, -96]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[0, 1065334702, 1052805708, 1057053931, 1062508724], [1064743218, 1015045171, 1028691411, 1063560251, 1065268981], [1057842576, 1061391478, 1057316813, 1054382998, 1040210995]]> : tensor<3x5xui32>
  return
}

func.func @u8() {
  %a0 = stablehlo.constant dense<[[0, 255, 182, 69, 240], [165, 213, 204, 141, 137], [212, 71, 169, 122, 208]]> : tensor<3x5xui8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xui8>) -> tensor<3x5x!quant.uniform<u8:f32, 0.25:128>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<u8:f32, 0.25:128>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3254779904, 1107165184, 1096286208, 3245080576, 1105199104], [1091829760, 1101660160, 1100480512, 1078984704, 1074790400], [1101529088, 3244556288, 1092878336, 3217031168, 1101004800]]> : tensor<3x5xui32>
  return
}

func.func @i4() {
  %a0 = stablehlo.constant dense<[[-8, 7, -8, -6, 5], [-3, 5, 2, 5, -8], [7, -7, -3, -3, -2]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:f32, 0.5:1>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i4:f32, 0.5:1>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3230662656, 1077936128, 3230662656, 3227516928, 1073741824], [3221225472, 1073741824, 1056964608, 1073741824, 3230662656], [1077936128, 3229614080, 3221225472, 3221225472, 3217031168]]> : tensor<3x5xui32>
  return
}

func.func @u4() {
  %a0 = stablehlo.constant dense<[[0, 15, 12, 10, 1], [8, 5, 10, 15, 8], [5, 7, 13, 1, 10]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f32, 0.3:7>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<u4:f32, 0.3:7>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3221644903, 1075419546, 1069547520, 1063675495, 3219547751], [1050253722, 3206125978, 1063675495, 1075419546, 1050253722], [3206125978, 0, 1072064103, 3219547751, 1063675495]]> : tensor<3x5xui32>
  return
}

func.func @i16() {
  %a0 = stablehlo.constant dense<[[-32768, 32767, -20788, -21300, 21233], [-29474, -8567, -22571, -22235, 32386], [18990, 8982, -15483, 24444, 11551]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:-5>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:-5>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3254979920, 1107498632, 3248898966, 3249167401, 1101653869], [3253452932, 3238591988, 3249833772, 3249657611, 1107398755], [1100477891, 1091553985, 3245843940, 1103337358, 1094247777]]> : tensor<3x5xui32>
  return
}

func.func @u16() {
  %a0 = stablehlo.constant dense<[[0, 65535, 49778, 27093, 44575], [29467, 7298, 44119, 40773, 37213], [29226, 59470, 40044, 37200, 61672]]> : tensor<3x5xui16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xui16>) -> tensor<3x5x!quant.uniform<u16:f32, 0.002:32768>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<u16:f32, 0.002:32768>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3263369839, 1115885929, 1107825787, 3241515418, 1102899577], [3235070870, 3259744912, 1102421427, 1098912891, 1091452273], [3236081697, 1112907187, 1097389311, 1091425010, 1114061669]]> : tensor<3x5xui32>
  return
}

func.func @i32() {
  %a0 = stablehlo.constant dense<[[-2147483648, 2147483647, 1787273840, 161566940, -1541974419], [1046943334, 1245802235, 999741067, -576288186, -1647573551], [860873184, -952970597, -1322714202, -1673318917, -562942005]]> : tensor<3x5xi32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi32>) -> tensor<3x5x!quant.uniform<i32:f32, 1.0e-05:0>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i32:f32, 1.0e-05:0>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3332883884, 1185400236, 1183555962, 1154086252, 3329289977], [1176737212, 1178773527, 1176253860, 3316913934, 3330324344], [1174831854, 3323258579, 3327044753, 3330456161, 3316640604]]> : tensor<3x5xui32>
  return
}

func.func @u32() {
  %a0 = stablehlo.constant dense<[[0, 4294967295, 1009702635, 524742855, 3472695473], [2422074150, 3925357821, 4029386465, 1901456135, 3965519613], [3871871877, 2248664176, 3661794137, 2540851598, 3327047589]]> : tensor<3x5xui32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xui32>) -> tensor<3x5x!quant.uniform<u32:f64, 0.5:2147483648>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<u32:f64, 0.5:2147483648>>) -> tensor<3x5xf64>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf64>) -> tensor<3x5xui64>
  check.expect_eq_const %b0, dense<[[13965662444475908096, 4742290407616937984, 13961427444675117056, 13963461513420210176, 4738841549624836096], [4728882873275252736, 4740740153121701888, 4741176480879345664, 13951399759794143232, 4740908603886534656], [4740515816812838912, 4722058920149909504, 4739634686907645952, 4730875628176277504, 4738230658122383360]]> : tensor<3x5xui64>
  return
}

func.func @i32_f64() {
  %a0 = stablehlo.constant dense<[[-2147483648, 2147483647, 359559566, -80034452, -2077985744], [1312280231, -278559548, 2011537971, 1746741136, -2044506576], [-440909762, -1385716106, 1229292625, 1200587578, -1432910074]]> : tensor<3x5xi32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi32>) -> tensor<3x5x!quant.uniform<i32:f64, 1.0e-09:-2147483648>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i32:f64, 1.0e-09:-2147483648>>) -> tensor<3x5xf64>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf64>) -> tensor<3x5xui64>
  check.expect_eq_const %b0, dense<[[0, 4616521721704720521, 4612827778242203474, 4611837900514373924, 4589672272416083816], [4614973114458144559, 4611095705052990652, 4616368660480776464, 4615951433443077084, 4592084700712555404], [4610364544689716732, 4605036611581864694, 4614786242982415575, 4614721604962929148, 4604611526108466823]]> : tensor<3x5xui64>
  return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[[-127, 100, 85, 52, 60], [73, 25, -80, 69, 44], [-100, -102, -118, 69, -59]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8<-127:100>:f32, 0.1:3>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i8<-127:100>:f32, 0.1:3>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3243245568, 1092301619, 1090728755, 1084017869, 1085695591], [1088421888, 1074580685, 3238317261, 1087583027, 1082340147], [3240414413, 3240624128, 3242301850, 1087583027, 3234227815]]> : tensor<3x5xui32>
  return
}

func.func @bf16() {
  %a0 = stablehlo.constant dense<[[-128, 127, 74, 61, 102], [23, 48, 56, -118, 67], [-103, -73, -11, 84, 28]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:bf16, 0.125:-3>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i8:bf16, 0.125:-3>>) -> tensor<3x5xbf16>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xbf16>) -> tensor<3x5xui16>
  check.expect_eq_const %b0, dense<[[49530, 16770, 16666, 16640, 16722], [16464, 16588, 16620, 49510, 16652], [49480, 49420, 49024, 16686, 16504]]> : tensor<3x5xui16>
  return
}

func.func @f16() {
  %a0 = stablehlo.constant dense<[[-128, 127, -53, -76, 33], [21, -39, -51, 116, -77], [-33, 24, -12, -15, 27]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f16, 1.0e-05:3>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i8:f16, 1.0e-05:3>>) -> tensor<3x5xf16>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf16>) -> tensor<3x5xui16>
  check.expect_eq_const %b0, dense<[[38240, 5398, 37016, 37499, 3308], [2536, 36580, 36974, 5282, 37520], [36328, 2788, 35052, 35304, 3040]]> : tensor<3x5xui16>
  return
}

func.func @f16_u4() {
  %a0 = stablehlo.constant dense<[[0, 15, 6, 9, 11], [3, 15, 6, 8, 2], [5, 0, 0, 2, 1]]> : tensor<3x5xui4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xui4>) -> tensor<3x5x!quant.uniform<u4:f16, 0.1:0>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<u4:f16, 0.1:0>>) -> tensor<3x5xf16>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf16>) -> tensor<3x5xui16>
  check.expect_eq_const %b0, dense<[[0, 15872, 14540, 15155, 15462], [13516, 15872, 14540, 14950, 12902], [14336, 0, 0, 12902, 11878]]> : tensor<3x5xui16>
  return
}

func.func @f64() {
  %a0 = stablehlo.constant dense<[[-32768, 32767, 32307, -30291, 26537], [-1880, 5440, 753, 28324, -25584], [-8605, 11001, 6824, -30627, 26947]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f64, 0.3333333333333333:9>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i16:f64, 0.3333333333333333:9>>) -> tensor<3x5xf64>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf64>) -> tensor<3x5xui64>
  check.expect_eq_const %b0, dense<[[13890604099953841493, 4667228581312244394, 4667144285420781568, 13890150184903507968, 4666086921738736981], [13872121859246740821, 4655676745646953813, 4642929740842270720, 4666414392951876266, 13889287618031517696], [13881904580702939818, 4660275636282064896, 4657213862902584661, 13890211757554663424, 4666162055033301674]]> : tensor<3x5xui64>
  return
}

func.func @rows() {
  %a0 = stablehlo.constant dense<[[-128, 127, -84, 64, 14], [-44, -2, -105, 27, 83], [75, -23, -81, -13, -85]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3242721280, 1095761920, 3238107546, 1087792743, 1071225242], [3238841549, 3201092813, 3249012736, 1085066445, 1099222221], [3273392128, 3286302720, 3290169344, 3285319680, 3290365952]]> : tensor<3x5xui32>
  return
}

func.func @columns() {
  %a0 = stablehlo.constant dense<[[0, 255, 20, 252, 219], [138, 208, 174, 210, 217], [220, 251, 104, 166, 166]]> : tensor<3x5xui8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xui8>) -> tensor<3x5x!quant.uniform<u8:f32:1, {0.5:0, 0.25:255, 1.0:7, 2.0:128, 0.1:1}>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<u8:f32:1, {0.5:0, 0.25:255, 1.0:7, 2.0:128, 0.1:1}>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[0, 0, 1095761920, 1131937792, 1101948519], [1116340224, 3241934848, 1126629376, 1126432768, 1101843661], [1121714176, 3212836864, 1120010240, 1117257728, 1099169792]]> : tensor<3x5xui32>
  return
}

func.func @narrow_columns() {
  %a0 = stablehlo.constant dense<[[-127, 127, 2, 118, -11], [-123, 85, -41, 123, 0], [-2, 2, 75, -59, -74]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8<-127:127>:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0, 0.1:0}>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i8<-127:127>:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0, 0.1:0}>>) -> tensor<3x5xf32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xf32>) -> tensor<3x5xui32>
  check.expect_eq_const %b0, dense<[[3263037440, 1107165184, 1073741824, 1131151360, 3213675725], [3262513152, 1101660160, 3257139200, 1131806720, 0], [3212836864, 1056964608, 1117126656, 3270246400, 3236744397]]> : tensor<3x5xui32>
  return
}

func.func @rows_bf16() {
  %a0 = stablehlo.constant dense<[[-8, 7, 5, 1, -8], [0, 4, -5, -8, -8], [-8, -3, 3, 3, -6]]> : tensor<3x5xi4>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi4>) -> tensor<3x5x!quant.uniform<i4:bf16:0, {0.5:0, 0.25:-8, 1.0:7}>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<3x5x!quant.uniform<i4:bf16:0, {0.5:0, 0.25:-8, 1.0:7}>>) -> tensor<3x5xbf16>
  %b0 = stablehlo.bitcast_convert %q : (tensor<3x5xbf16>) -> tensor<3x5xui16>
  check.expect_eq_const %b0, dense<[[49280, 16480, 16416, 16128, 49280], [16384, 16448, 16192, 0, 0], [49520, 49440, 49280, 49280, 49488]]> : tensor<3x5xui16>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5> : tensor<i8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %q = stablehlo.uniform_dequantize %s0 : (tensor<!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<f32>
  %b0 = stablehlo.bitcast_convert %q : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b0, dense<1057316813> : tensor<ui32>
  return
}
