// SPDX-License-Identifier: Apache-2.0
// stablehlo.atan2 of several types, edges, no elements.

func.func @case0_float32() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.atan2 %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  %w0 = stablehlo.constant dense<[5.404195e-01, -0.0, 2.3561945, -7.853982e-01, 0x7FC00000, 0x7FC00000, 1.3101939, -1.3101939, 0.0]> : tensor<9xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<9xf32>, tensor<9xf32>
  return
}

func.func @case1_float64() {
  %a0 = stablehlo.constant dense<[1.25, -3.0, 1.0e+300]> : tensor<3xf64>
  %a1 = stablehlo.constant dense<[0.1, 3.0, 10000000000.0]> : tensor<3xf64>
  %r = stablehlo.atan2 %a0, %a1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %w0 = stablehlo.constant dense<[1.4909663410826592, -0.7853981633974483, 1.5707963267948966]> : tensor<3xf64>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<3xf64>, tensor<3xf64>
  return
}

func.func @case2_bfloat16() {
  %a0 = stablehlo.constant dense<[1.5, -2.0, 2.56e+02]> : tensor<3xbf16>
  %a1 = stablehlo.constant dense<[2.5e-01, 3.0, 1.0]> : tensor<3xbf16>
  %r = stablehlo.atan2 %a0, %a1 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  %w0 = stablehlo.constant dense<[1.40625, -5.8984375e-01, 1.5703125]> : tensor<3xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<3xbf16>, tensor<3xbf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xf32>
  %a1 = stablehlo.constant dense<> : tensor<0xf32>
  %r = stablehlo.atan2 %a0, %a1 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  %w0 = stablehlo.constant dense<> : tensor<0xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<0xf32>, tensor<0xf32>
  return
}
