// SPDX-License-Identifier: Apache-2.0
// Floats to nearest quanta, ties to even; one quantization to another.

func.func @i8() {
  %a0 = stablehlo.constant dense<[[9.973296e-01, 1.0380689, 4.1131032e-01, -5.8758616e-02, 1.4885516e-01], [-1.1947586e-01, 2.9379308e-02, -5.4057926e-01, -2.1544825e-02, 1.3318619e-01], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, 1.2535171e-01]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, -23, -128, -90], [-128, -120, -128, -128, -94], [127, -128, 0, -128, -96]]> : tensor<3x5xi8>
  return
}

func.func @u8() {
  %a0 = stablehlo.constant dense<[[3.165e+01, 3.425e+01, -3.625e+01, 9.625, 8.75], [-4.125, -2.0, -2.5, -6.375, -2.25], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, -4.0]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<u8:f32, 0.25:128>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32, 0.25:128>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[255, 255, 0, 166, 163], [112, 120, 118, 102, 119], [255, 0, 0, 128, 112]]> : tensor<3x5xui8>
  return
}

func.func @i4() {
  %a0 = stablehlo.constant dense<[[2.8, 8.0, -1.25, 3.75, 2.25], [-3.5, 5.0e-01, -9.0, 6.5, -7.5e-01], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, 6.75]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<i4:f32, 0.5:1>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i4:f32, 0.5:1>>) -> tensor<3x5xi4>
  check.expect_eq_const %r0, dense<[[7, 7, -2, 7, 6], [-6, 2, -8, 7, 0], [7, -8, 0, 1, 7]]> : tensor<3x5xi4>
  return
}

func.func @u4() {
  %a0 = stablehlo.constant dense<[[2.28, 5.4, -3.6, -4.35, 2.4], [-1.05, 9.0e-01, -3.0, -3.6, 2.1], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, -4.5]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<u4:f32, 0.3:7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u4:f32, 0.3:7>>) -> tensor<3x5xui4>
  check.expect_eq_const %r0, dense<[[15, 15, 0, 0, 15], [4, 10, 0, 0, 14], [15, 0, 0, 7, 0]]> : tensor<3x5xui4>
  return
}

func.func @i16() {
  %a0 = stablehlo.constant dense<[[3.27716e+01, 3.2782e+01, -2.2e-02, -1.25e-02, 9.5e-03], [3.15e-02, -1.9e-02, -3.2778e+01, 3.3e-02, 2.8e-02], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, -3.55e-02]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:-5>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f32, 0.001:-5>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, 32767, -27, -18, 4], [26, -24, -32768, 28, 23], [32767, -32768, 0, -5, -40]]> : tensor<3x5xi16>
  return
}

func.func @u16() {
  %a0 = stablehlo.constant dense<[[6.55332e+01, 6.5554e+01, -6.5569e+01, -7.2e-02, 9.0e-03], [3.5e-02, -8.0e-02, -2.0e-02, 7.9e-02, 4.1e-02], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, -3.1e-02]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<u16:f32, 0.002:32768>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u16:f32, 0.002:32768>>) -> tensor<3x5xui16>
  check.expect_eq_const %r0, dense<[[65535, 65535, 0, 32732, 32772], [32786, 32728, 32758, 32808, 32788], [65535, 0, 0, 32768, 32752]]> : tensor<3x5xui16>
  return
}

func.func @i32() {
  %a0 = stablehlo.constant dense<[[2.1474836e+04, 2.1474836e+04, -3.45e-04, 2.7e-04, 3.6e-04], [3.6e-04, -1.5e-04, -2.1474836e+04, -3.45e-04, -2.6e-04], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, -2.65e-04]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<i32:f32, 1.0e-05:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i32:f32, 1.0e-05:0>>) -> tensor<3x5xi32>
  check.expect_eq_const %r0, dense<[[2147483647, 2147483647, -34, 27, 36], [36, -15, -2147483648, -34, -26], [2147483647, -2147483648, 0, 0, -27]]> : tensor<3x5xi32>
  return
}

func.func @u32() {
  %a0 = stablehlo.constant dense<[[1073741823.3, 1073741828.5, -1073741807.25, 4.0, -19.25], [2.0, -2.25, -5.0, 16.0, 8.5], [0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, -0.0, 1.5]]> : tensor<3x5xf64>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf64>) -> tensor<3x5x!quant.uniform<u32:f64, 0.5:2147483648>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u32:f64, 0.5:2147483648>>) -> tensor<3x5xui32>
  check.expect_eq_const %r0, dense<[[4294967295, 4294967295, 34, 2147483656, 2147483610], [2147483652, 2147483644, 2147483638, 2147483680, 2147483665], [4294967295, 0, 0, 2147483648, 2147483651]]> : tensor<3x5xui32>
  return
}

func.func @i32_f64() {
  %a0 = stablehlo.constant dense<[[4.2949672946, 4.294967305, 2.14748362, -9.000000000000001e-09, 2.2000000000000002e-08], [1.45e-08, 3.25e-08, -2.147483658, -2.6500000000000002e-08, -4.0e-09], [0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, -0.0, -2.7e-08]]> : tensor<3x5xf64>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf64>) -> tensor<3x5x!quant.uniform<i32:f64, 1.0e-09:-2147483648>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i32:f64, 1.0e-09:-2147483648>>) -> tensor<3x5xi32>
  check.expect_eq_const %r0, dense<[[2147483647, 2147483647, -28, -2147483648, -2147483626], [-2147483634, -2147483616, -2147483648, -2147483648, -2147483648], [2147483647, -2147483648, 0, -2147483648, -2147483648]]> : tensor<3x5xi32>
  return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[[9.66, 1.07e+01, -1.0, -1.4, -2.95], [-3.45, 9.5e-01, -1.37e+01, 2.05, 1.5e-01], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, 1.75]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<i8<-127:100>:f32, 0.1:3>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8<-127:100>:f32, 0.1:3>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[100, 100, -7, -11, -26], [-32, 12, -127, 24, 4], [100, -127, 0, 3, 20]]> : tensor<3x5xi8>
  return
}

func.func @bf16() {
  %a0 = stablehlo.constant dense<[[1.625e+01, 1.75e+01, -4.3125, 1.625, 1.1875], [1.25e-01, 3.25, -1.725e+01, 4.0625, 1.25e-01], [0x7F80, 0xFF80, 0x7FC0, -0.0, 4.4375]]> : tensor<3x5xbf16>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xbf16>) -> tensor<3x5x!quant.uniform<i8:bf16, 0.125:-3>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:bf16, 0.125:-3>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, -38, 10, 6], [-2, 23, -128, 30, -2], [127, -128, 0, -3, 32]]> : tensor<3x5xi8>
  return
}

func.func @f16() {
  %a0 = stablehlo.constant dense<[[1.2359619e-03, 1.3399124e-03, -2.9981136e-05, -1.7499924e-04, 1.9001961e-04], [-2.6488304e-04, 2.799034e-04, -1.3799667e-03, -3.7503242e-04, -3.299713e-04], [0x7C00, 0xFC00, 0x7E00, -0.0, 1.1998415e-04]]> : tensor<3x5xf16>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf16>) -> tensor<3x5x!quant.uniform<i8:f16, 1.0e-05:3>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f16, 1.0e-05:3>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[126, 127, 0, -14, 22], [-23, 31, -128, -34, -30], [127, -128, 0, 3, 15]]> : tensor<3x5xi8>
  return
}

func.func @f16_u4() {
  %a0 = stablehlo.constant dense<[[1.4599609, 2.5, -1.0996094, 5.0e-01, 5.0e-01], [1.4003906, 1.5002441e-01, -1.0, -1.0996094, 1.4501953], [0x7C00, 0xFC00, 0x7E00, -0.0, 6.4990234e-01]]> : tensor<3x5xf16>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf16>) -> tensor<3x5x!quant.uniform<u4:f16, 0.1:0>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u4:f16, 0.1:0>>) -> tensor<3x5xui4>
  check.expect_eq_const %r0, dense<[[15, 15, 0, 5, 5], [14, 2, 0, 0, 15], [15, 0, 0, 0, 6]]> : tensor<3x5xui4>
  return
}

func.func @f64() {
  %a0 = stablehlo.constant dense<[[10919.199999999999, 10922.666666666666, -10.833333333333332, -13.0, 0.16666666666666666], [0.8333333333333333, -1.1666666666666665, -10926.0, -7.166666666666666, 6.0], [0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, -0.0, 10.333333333333332]]> : tensor<3x5xf64>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf64>) -> tensor<3x5x!quant.uniform<i16:f64, 0.3333333333333333:9>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.3333333333333333:9>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[32767, 32767, -24, -30, 10], [12, 6, -32768, -12, 27], [32767, -32768, 0, 9, 40]]> : tensor<3x5xi16>
  return
}

func.func @rows() {
  %a0 = stablehlo.constant dense<[[1.296e+01, 1.4e+01, 1.4, 1.9, 3.2], [9.0e-01, 2.1, -2.76e+01, 3.7, 6.0e-01], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, 3.45e+01]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, 11, 16, 29], [4, 10, -128, 18, 3], [127, -128, 0, 127, 127]]> : tensor<3x5xi8>
  return
}

func.func @columns() {
  %a0 = stablehlo.constant dense<[[1.273e+02, 2.5, 3.5, 3.5e+01, -3.65], [1.525e+01, 1.0, -1.0e+01, -4.5e+01, 3.7], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, 2.5]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<u8:f32:1, {0.5:0, 0.25:255, 1.0:7, 2.0:128, 0.1:1}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u8:f32:1, {0.5:0, 0.25:255, 1.0:7, 2.0:128, 0.1:1}>>) -> tensor<3x5xui8>
  check.expect_eq_const %r0, dense<[[255, 255, 10, 146, 0], [30, 255, 0, 106, 38], [255, 0, 0, 128, 26]]> : tensor<3x5xui8>
  return
}

func.func @narrow_columns() {
  %a0 = stablehlo.constant dense<[[6.33e+01, 3.425e+01, 3.9e+01, 1.5e+01, -7.0e-01], [3.0, 7.0, -1.37e+02, -7.0e+01, 2.4], [0x7F800000, 0xFF800000, 0x7FC00000, -0.0, -4.0]]> : tensor<3x5xf32>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xf32>) -> tensor<3x5x!quant.uniform<i8<-127:127>:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0, 0.1:0}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8<-127:127>:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0, 0.1:0}>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, 127, 39, 8, -7], [6, 28, -127, -35, 24], [127, -127, 0, 0, -40]]> : tensor<3x5xi8>
  return
}

func.func @rows_bf16() {
  %a0 = stablehlo.constant dense<[[3.296875, 8.5, 5.75, 6.0, -2.25], [2.5e-01, 1.5, -4.5, -3.75, 2.25], [0x7F80, 0xFF80, 0x7FC0, -0.0, -9.0]]> : tensor<3x5xbf16>
  %q = stablehlo.uniform_quantize %a0 : (tensor<3x5xbf16>) -> tensor<3x5x!quant.uniform<i4:bf16:0, {0.5:0, 0.25:-8, 1.0:7}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i4:bf16:0, {0.5:0, 0.25:-8, 1.0:7}>>) -> tensor<3x5xi4>
  check.expect_eq_const %r0, dense<[[7, 7, 7, 7, -4], [-7, -2, -8, -8, 1], [7, -8, 0, 7, -2]]> : tensor<3x5xi4>
  return
}

func.func @i8_to_narrow() {
  %a0 = stablehlo.constant dense<[[-23, -26, -107, -14, -26], [-116, 13, -20, -48, 51], [4, 118, 46, 88, 15]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5x!quant.uniform<i8<-127:100>:f32, 0.1:3>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8<-127:100>:f32, 0.1:3>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[7, 7, 4, 7, 7], [3, 9, 7, 6, 10], [8, 13, 10, 11, 9]]> : tensor<3x5xi8>
  return
}

func.func @u8_to_i8() {
  %a0 = stablehlo.constant dense<[[251, 57, 248, 195, 221], [193, 61, 163, 141, 112], [197, 206, 139, 19, 213]]> : tensor<3x5xui8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xui8>) -> tensor<3x5x!quant.uniform<u8:f32, 0.25:128>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<u8:f32, 0.25:128>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, -128, 127, 127, 127], [127, -128, 127, 127, -128], [127, 127, 127, -128, 127]]> : tensor<3x5xi8>
  return
}

func.func @i8_to_u4() {
  %a0 = stablehlo.constant dense<[[-84, -80, -99, 15, -73], [-105, -128, -1, -36, 52], [-88, 116, -84, -108, 52]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5x!quant.uniform<u4:f32, 0.3:7>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<u4:f32, 0.3:7>>) -> tensor<3x5xui4>
  check.expect_eq_const %r0, dense<[[8, 8, 7, 9, 8], [7, 7, 9, 8, 9], [8, 10, 8, 7, 9]]> : tensor<3x5xui4>
  return
}

func.func @i16_to_i8() {
  %a0 = stablehlo.constant dense<[[-31847, -12784, 6606, 6993, 18641], [8498, 16664, 16607, 32485, 16199], [-14921, -23656, -7957, 23770, -30077]]> : tensor<3x5xi16>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi16>) -> tensor<3x5x!quant.uniform<i16:f32, 0.001:-5>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i16:f32, 0.001:-5>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-128, -128, 127, 127, 127], [127, 127, 127, 127, 127], [-128, -128, -128, 127, -128]]> : tensor<3x5xi8>
  return
}

func.func @i32_to_i8() {
  %a0 = stablehlo.constant dense<[[1391893, -464613, 830430, -1593971, 1256798], [1997418, 822788, 168296, -1742369, 216897], [313399, 80179, -2136712, 954390, 104928]]> : tensor<3x5xi32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi32>) -> tensor<3x5x!quant.uniform<i32:f32, 1.0e-05:0>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i32:f32, 1.0e-05:0>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, -128, 127, -128, 127], [127, 127, 127, -128, 127], [127, 77, -128, 127, 127]]> : tensor<3x5xi8>
  return
}

func.func @rows_to_i8() {
  %a0 = stablehlo.constant dense<[[-2, -103, 54, 85, 123], [-103, 45, -87, 27, -126], [14, 56, -27, 115, 88]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-102, -128, 127, 127, 127], [-128, 127, -128, 127, -128], [-128, -128, -128, -128, -128]]> : tensor<3x5xi8>
  return
}

func.func @i8_to_rows() {
  %a0 = stablehlo.constant dense<[[-105, 63, 112, 123, -128], [-120, -77, -8, 58, -97], [24, -84, 16, -19, -54]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-2, 4, 6, 7, -3], [0, 1, 2, 4, 1], [127, 127, 127, 127, 127]]> : tensor<3x5xi8>
  return
}

func.func @columns_to_narrow_columns() {
  %a0 = stablehlo.constant dense<[[155, 192, 151, 156, 181], [109, 67, 169, 17, 35], [8, 81, 98, 174, 169]]> : tensor<3x5xui8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xui8>) -> tensor<3x5x!quant.uniform<u8:f32:1, {0.5:0, 0.25:255, 1.0:7, 2.0:128, 0.1:1}>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<u8:f32:1, {0.5:0, 0.25:255, 1.0:7, 2.0:128, 0.1:1}>>) -> tensor<3x5x!quant.uniform<i8<-127:127>:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0, 0.1:0}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8<-127:127>:f32:1, {0.5:0, 0.25:0, 1.0:0, 2.0:0, 0.1:0}>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[127, -63, 127, 28, 127], [109, -127, 127, -111, 34], [8, -127, 91, 46, 127]]> : tensor<3x5xi8>
  return
}

func.func @i8_to_i8() {
  %a0 = stablehlo.constant dense<[[-120, -8, -39, 101, 116], [-66, -127, 124, 87, -54], [-97, -117, 22, -3, -68]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32, 0.003917241096496582:-128>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-120, -8, -39, 101, 116], [-66, -127, 124, 87, -54], [-97, -117, 22, -3, -68]]> : tensor<3x5xi8>
  return
}

func.func @rows_to_rows() {
  %a0 = stablehlo.constant dense<[[-75, -18, 26, -11, 76], [-121, 15, 89, 30, -127], [-39, 92, 118, -95, 97]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>) -> tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i8:f32:0, {0.1:-3, 0.2:0, 3.0:127}>>) -> tensor<3x5xi8>
  check.expect_eq_const %r0, dense<[[-75, -18, 26, -11, 76], [-121, 15, 89, 30, -127], [-39, 92, 118, -95, 97]]> : tensor<3x5xi8>
  return
}

func.func @i32_f64_to_f64() {
  %a0 = stablehlo.constant dense<[[1276005384, 485608552, 1780753115, -1510670891, 2004481923], [1869497626, 1087052412, -1603064854, -1930952957, 809841678], [-1015244087, -246805149, 1974229410, -1481666874, -2054034758]]> : tensor<3x5xi32>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi32>) -> tensor<3x5x!quant.uniform<i32:f64, 1.0e-09:-2147483648>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i32:f64, 1.0e-09:-2147483648>>) -> tensor<3x5x!quant.uniform<i16:f64, 0.3333333333333333:9>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i16:f64, 0.3333333333333333:9>>) -> tensor<3x5xi16>
  check.expect_eq_const %r0, dense<[[19, 17, 21, 11, 21], [21, 19, 11, 10, 18], [12, 15, 21, 11, 9]]> : tensor<3x5xi16>
  return
}

func.func @bf16_to_rows_bf16() {
  %a0 = stablehlo.constant dense<[[94, -90, 20, 77, 34], [-25, 122, 56, 39, -11], [68, -54, 93, -124, -119]]> : tensor<3x5xi8>
  %s0 = stablehlo.bitcast_convert %a0 : (tensor<3x5xi8>) -> tensor<3x5x!quant.uniform<i8:bf16, 0.125:-3>>
  %q = stablehlo.uniform_quantize %s0 : (tensor<3x5x!quant.uniform<i8:bf16, 0.125:-3>>) -> tensor<3x5x!quant.uniform<i4:bf16:0, {0.5:0, 0.25:-8, 1.0:7}>>
  %r0 = stablehlo.bitcast_convert %q : (tensor<3x5x!quant.uniform<i4:bf16:0, {0.5:0, 0.25:-8, 1.0:7}>>) -> tensor<3x5xi4>
  check.expect_eq_const %r0, dense<[[7, -8, 6, 7, 7], [-8, 7, 7, 7, -8], [7, 1, 7, -8, -8]]> : tensor<3x5xi4>
  return
}
