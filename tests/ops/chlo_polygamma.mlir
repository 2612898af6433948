// SPDX-License-Identifier: Apache-2.0
// chlo.polygamma of several types, edges, no elements.

func.func @case0_float32() {
  %a0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %a1 = stablehlo.constant dense<[1.5, 2.0, 5.0e-01, 4.0]> : tensor<4xf32>
  %r = chlo.polygamma %a0, %a1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %w0 = stablehlo.constant dense<[3.6489975e-02, 6.4493406e-01, -1.6828796e+01, 4.486533e-02]> : tensor<4xf32>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<4xf32>, tensor<4xf32>
  return
}

func.func @case1_float64() {
  %a0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %a1 = stablehlo.constant dense<[2.5, 10.0]> : tensor<2xf64>
  %r = chlo.polygamma %a0, %a1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %w0 = stablehlo.constant dense<[0.4903577561002349, -0.011049834970802069]> : tensor<2xf64>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<2xf64>, tensor<2xf64>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xf32>
  %a1 = stablehlo.constant dense<> : tensor<0xf32>
  %r = chlo.polygamma %a0, %a1 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  %w0 = stablehlo.constant dense<> : tensor<0xf32>
  check.expect_close %r, %w0, max_ulp_difference = 4 : tensor<0xf32>, tensor<0xf32>
  return
}
