// SPDX-License-Identifier: Apache-2.0
// Edges, negative too, and interior.

func.func @inner() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<9> : tensor<i32>
  %a2 = stablehlo.constant dense<[0]> : tensor<1xi64>
  %a3 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %a4 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %r = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) {} : (tensor<5xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<11xi32>)
  check.expect_eq_const %r, dense<[3, 9, -1, 9, 2, 9, 7, 9, 5, 9, 9]> : tensor<11xi32>
  return
}

func.func @negative() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<9> : tensor<i32>
  %a2 = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %a3 = stablehlo.constant dense<[-2]> : tensor<1xi64>
  %a4 = stablehlo.constant dense<[0]> : tensor<1xi64>
  %r = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) {} : (tensor<5xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<2xi32>)
  check.expect_eq_const %r, dense<[-1, 2]> : tensor<2xi32>
  return
}

func.func @wide() {
  %a0 = stablehlo.constant dense<[3, -1, 2, 7, 5]> : tensor<5xi32>
  %a1 = stablehlo.constant dense<9> : tensor<i32>
  %a2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %a3 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %a4 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %r = "stablehlo.dynamic_pad"(%a0, %a1, %a2, %a3, %a4) {} : (tensor<5xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<16xi32>)
  check.expect_eq_const %r, dense<[9, 9, 3, 9, 9, -1, 9, 9, 2, 9, 9, 7, 9, 9, 5, 9]> : tensor<16xi32>
  return
}
