// SPDX-License-Identifier: Apache-2.0
// The second branch: by a false predicate, or an index out of range.

func.func @second() {
  %p = stablehlo.constant dense<-1> : tensor<i32>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.case"(%p) ({
    stablehlo.return %a : tensor<2xi32>
  }, {
    %n = stablehlo.negate %a : tensor<2xi32>
    stablehlo.return %n : tensor<2xi32>
  }) : (tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[-1, -2]> : tensor<2xi32>
  return
}
