// SPDX-License-Identifier: Apache-2.0
// CHLO's constant is StableHLO's.

func.func @signed_zero() {
  %r = chlo.constant dense<[1.5, -0.0]> : tensor<2xf32>
  %b = stablehlo.bitcast_convert %r : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %b, dense<[1069547520, 2147483648]> : tensor<2xui32>
  return
}
