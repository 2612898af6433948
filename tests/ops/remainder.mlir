// SPDX-License-Identifier: Apache-2.0
// stablehlo.remainder of several types, edges, no elements.

func.func @case0_int32() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.remainder %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  check.expect_eq_const %r, dense<[1, -1, 1, -1, 5, 0, 1]> : tensor<7xi32>
  return
}

func.func @case1_uint8() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.remainder %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  check.expect_eq_const %r, dense<[0, 1, 0, 0, 1]> : tensor<5xui8>
  return
}

func.func @case2_float32() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.remainder %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  %w0 = stablehlo.constant dense<[1.5, 0xFFC00000, 0xFFC00000, 0xFFC00000, 0x7FC00000, 0x7FC00000, 1.5, -1.5, 0xFFC00000]> : tensor<9xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<9xf32>, tensor<9xf32>
  return
}

func.func @case3_float64() {
  %a0 = stablehlo.constant dense<[1.25, -3.0, 1.0e+300]> : tensor<3xf64>
  %a1 = stablehlo.constant dense<[0.1, 3.0, 10000000000.0]> : tensor<3xf64>
  %r = stablehlo.remainder %a0, %a1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %b0 = stablehlo.bitcast_convert %r : (tensor<3xf64>) -> tensor<3xui64>
  check.expect_eq_const %b0, dense<[4587366580439587216, 9223372036854775808, 4756226197275279360]> : tensor<3xui64>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi32>
  %a1 = stablehlo.constant dense<> : tensor<0xi32>
  %r = stablehlo.remainder %a0, %a1 : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}
