// SPDX-License-Identifier: Apache-2.0
// The checks themselves, in each form. (Checks that must fail are in tests/golden/self_checking.)

func.func @each() {
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  %y = stablehlo.constant dense<[1.00000012, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  check.expect_eq %i, %i : tensor<2xi32>, tensor<2xi32>
  check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>
  check.expect_close %x, %y, max_ulp_difference = 1, min_ulp_difference = 0 : tensor<3xf32>, tensor<3xf32>
  check.expect_almost_eq %x, %y : tensor<3xf32>, tensor<3xf32>
  check.expect_almost_eq %x, %y, tolerance = 1.0e-06 : tensor<3xf32>, tensor<3xf32>
  check.expect_almost_eq_const %x, dense<[1.00000012, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%i, %i) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  stablehlo.custom_call @check.expect_close(%x, %y) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%x, %y) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// A probe passes its operand on; the n-th probe of that name is what is compared.
func.func @probed() {
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %a = interpreter.probe %i, probe_id = "twice" : tensor<2xi32>
  %b = stablehlo.add %a, %a : tensor<2xi32>
  %c = interpreter.probe %b, probe_id = "twice" : tensor<2xi32>
  interpreter.print %c : tensor<2xi32>
  %two = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  check.expect_serialized_eq %i, probe_id = "twice", iter = 0 : tensor<2xi32>
  check.expect_serialized_eq %two, probe_id = "twice", iter = 1 : tensor<2xi32>
  return
}
