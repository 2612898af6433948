// SPDX-License-Identifier: Apache-2.0
// The high half of the product.

func.func @int8() {
  %a0 = stablehlo.constant dense<[127, -128, 3, 127, 42, 1]> : tensor<6xi8>
  %a1 = stablehlo.constant dense<[127, 127, 5, 2, 25, -128]> : tensor<6xi8>
  %r = chlo.mulhi %a0, %a1 : tensor<6xi8>
  check.expect_eq_const %r, dense<[63, -64, 0, 0, 4, -1]> : tensor<6xi8>
  return
}

func.func @uint8() {
  %a0 = stablehlo.constant dense<[255, 0, 3, 255, 85, 1]> : tensor<6xui8>
  %a1 = stablehlo.constant dense<[255, 255, 5, 2, 51, 0]> : tensor<6xui8>
  %r = chlo.mulhi %a0, %a1 : tensor<6xui8>
  check.expect_eq_const %r, dense<[254, 0, 0, 1, 16, 0]> : tensor<6xui8>
  return
}

func.func @int16() {
  %a0 = stablehlo.constant dense<[32767, -32768, 3, 32767, 10922, 1]> : tensor<6xi16>
  %a1 = stablehlo.constant dense<[32767, 32767, 5, 2, 6553, -32768]> : tensor<6xi16>
  %r = chlo.mulhi %a0, %a1 : tensor<6xi16>
  check.expect_eq_const %r, dense<[16383, -16384, 0, 0, 1092, -1]> : tensor<6xi16>
  return
}

func.func @uint16() {
  %a0 = stablehlo.constant dense<[65535, 0, 3, 65535, 21845, 1]> : tensor<6xui16>
  %a1 = stablehlo.constant dense<[65535, 65535, 5, 2, 13107, 0]> : tensor<6xui16>
  %r = chlo.mulhi %a0, %a1 : tensor<6xui16>
  check.expect_eq_const %r, dense<[65534, 0, 0, 1, 4368, 0]> : tensor<6xui16>
  return
}

func.func @int32() {
  %a0 = stablehlo.constant dense<[2147483647, -2147483648, 3, 2147483647, 715827882, 1]> : tensor<6xi32>
  %a1 = stablehlo.constant dense<[2147483647, 2147483647, 5, 2, 429496729, -2147483648]> : tensor<6xi32>
  %r = chlo.mulhi %a0, %a1 : tensor<6xi32>
  check.expect_eq_const %r, dense<[1073741823, -1073741824, 0, 0, 71582788, -1]> : tensor<6xi32>
  return
}

func.func @uint32() {
  %a0 = stablehlo.constant dense<[4294967295, 0, 3, 4294967295, 1431655765, 1]> : tensor<6xui32>
  %a1 = stablehlo.constant dense<[4294967295, 4294967295, 5, 2, 858993459, 0]> : tensor<6xui32>
  %r = chlo.mulhi %a0, %a1 : tensor<6xui32>
  check.expect_eq_const %r, dense<[4294967294, 0, 0, 1, 286331152, 0]> : tensor<6xui32>
  return
}
