// SPDX-License-Identifier: Apache-2.0
// Over one chip a sharding moves nothing.

sdy.mesh @mesh = <["x"=1]>

func.func @constraint() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<4xi32>
  check.expect_eq_const %r, dense<[1, 2, 3, 4]> : tensor<4xi32>
  return
}

func.func @manual() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%x: tensor<4xi32>) {
    %y = stablehlo.add %x, %x : tensor<4xi32>
    sdy.return %y : tensor<4xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[2, 4, 6, 8]> : tensor<4xi32>
  return
}
