// SPDX-License-Identifier: Apache-2.0
// chlo.next_after of several types, edges, no elements.

func.func @case0_float32() {
  %a0 = stablehlo.constant dense<[1.0, -1.0, 0.0, 1.0, 0x7FC00000]> : tensor<5xf32>
  %a1 = stablehlo.constant dense<[2.0, 2.0, -1.0, 1.0, 1.0]> : tensor<5xf32>
  %r = chlo.next_after %a0, %a1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %w0 = stablehlo.constant dense<[1.0000001, -9.9999994e-01, -1.0e-45, 1.0, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  return
}

func.func @case1_float64() {
  %a0 = stablehlo.constant dense<[1.25, -3.0, 1.0e+300]> : tensor<3xf64>
  %a1 = stablehlo.constant dense<[0.1, 3.0, 10000000000.0]> : tensor<3xf64>
  %r = chlo.next_after %a0, %a1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %b0 = stablehlo.bitcast_convert %r : (tensor<3xf64>) -> tensor<3xui64>
  check.expect_eq_const %b0, dense<[4608308318706860031, 13837309855095848959, 9094988921128908187]> : tensor<3xui64>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xf32>
  %a1 = stablehlo.constant dense<> : tensor<0xf32>
  %r = chlo.next_after %a0, %a1 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<0xf32>) -> tensor<0xui32>
  check.expect_eq_const %b0, dense<> : tensor<0xui32>
  return
}
