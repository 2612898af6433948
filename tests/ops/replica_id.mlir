// SPDX-License-Identifier: Apache-2.0
// One chip is number 0.

func.func @alone() {
  %r = stablehlo.replica_id : tensor<ui32>
  check.expect_eq_const %r, dense<0> : tensor<ui32>
  return
}
