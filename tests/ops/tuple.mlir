// SPDX-License-Identifier: Apache-2.0
// Tuples are their parts: nested, with tokens, through a barrier and a call.

func.func private @swap(%t: tuple<tensor<2xi32>, tensor<f32>>) -> tuple<tensor<f32>, tensor<2xi32>> {
  %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xi32>, tensor<f32>>) -> tensor<2xi32>
  %b = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xi32>, tensor<f32>>) -> tensor<f32>
  %r = stablehlo.tuple %b, %a : tuple<tensor<f32>, tensor<2xi32>>
  return %r : tuple<tensor<f32>, tensor<2xi32>>
}

func.func @parts() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<0.5> : tensor<f32>
  %t = stablehlo.tuple %a, %b : tuple<tensor<2xi32>, tensor<f32>>
  %x = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xi32>, tensor<f32>>) -> tensor<2xi32>
  %y = "stablehlo.get_tuple_element"(%t) {index = 1 : i32} : (tuple<tensor<2xi32>, tensor<f32>>) -> tensor<f32>
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %y, dense<0.5> : tensor<f32>
  return
}

func.func @nested() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<0.5> : tensor<f32>
  %c = stablehlo.constant dense<true> : tensor<i1>
  %token = stablehlo.create_token : !stablehlo.token
  %in = stablehlo.tuple %a, %token, %b : tuple<tensor<2xi32>, !stablehlo.token, tensor<f32>>
  %out = stablehlo.tuple %c, %in, %a : tuple<tensor<i1>, tuple<tensor<2xi32>, !stablehlo.token, tensor<f32>>, tensor<2xi32>>
  %middle = stablehlo.get_tuple_element %out[1] : (tuple<tensor<i1>, tuple<tensor<2xi32>, !stablehlo.token, tensor<f32>>, tensor<2xi32>>) -> tuple<tensor<2xi32>, !stablehlo.token, tensor<f32>>
  %x = stablehlo.get_tuple_element %middle[2] : (tuple<tensor<2xi32>, !stablehlo.token, tensor<f32>>) -> tensor<f32>
  %y = stablehlo.get_tuple_element %out[2] : (tuple<tensor<i1>, tuple<tensor<2xi32>, !stablehlo.token, tensor<f32>>, tensor<2xi32>>) -> tensor<2xi32>
  check.expect_eq_const %x, dense<0.5> : tensor<f32>
  check.expect_eq_const %y, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func @called() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<0.5> : tensor<f32>
  %t = stablehlo.tuple %a, %b : tuple<tensor<2xi32>, tensor<f32>>
  %s = call @swap(%t) : (tuple<tensor<2xi32>, tensor<f32>>) -> tuple<tensor<f32>, tensor<2xi32>>
  %x = stablehlo.get_tuple_element %s[0] : (tuple<tensor<f32>, tensor<2xi32>>) -> tensor<f32>
  check.expect_eq_const %x, dense<0.5> : tensor<f32>
  return
}
