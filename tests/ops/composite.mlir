// SPDX-License-Identifier: Apache-2.0
// A composite means what its decomposition says; calls of functions, also nested.

func.func private @twice_plus(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %two = stablehlo.constant dense<2> : tensor<3xi32>
  %p = stablehlo.multiply %x, %two : tensor<3xi32>
  %s = stablehlo.add %p, %y : tensor<3xi32>
  return %s : tensor<3xi32>
}

func.func private @both(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %a = stablehlo.composite "my.twice_plus" %x, %x {decomposition = @twice_plus} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %b = call @twice_plus(%a, %x) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %a, %b : tensor<3xi32>, tensor<3xi32>
}

func.func @pretty() {
  %x = stablehlo.constant dense<[1, -2, 5]> : tensor<3xi32>
  %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %r = stablehlo.composite "my.twice_plus" %x, %y {composite_attributes = {kind = "sum"}, decomposition = @twice_plus, version = 1 : i32} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[12, 16, 40]> : tensor<3xi32>
  return
}

func.func @generic() {
  %x = stablehlo.constant dense<[1, -2, 5]> : tensor<3xi32>
  %r = "stablehlo.composite"(%x, %x) {name = "my.twice_plus", decomposition = @twice_plus} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[3, -6, 15]> : tensor<3xi32>
  return
}

func.func @nested() {
  %x = stablehlo.constant dense<[1, -2, 5]> : tensor<3xi32>
  %r:2 = call @both(%x) : (tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  check.expect_eq_const %r#0, dense<[3, -6, 15]> : tensor<3xi32>
  check.expect_eq_const %r#1, dense<[7, -14, 35]> : tensor<3xi32>
  return
}
