// SPDX-License-Identifier: Apache-2.0
// Tokens order operations and hold nothing: created, joined, carried by a loop and a branch.

func.func @joined() {
  %a = stablehlo.create_token : !stablehlo.token
  %b = stablehlo.after_all %a, %a : !stablehlo.token
  %c = stablehlo.after_all : !stablehlo.token
  %x = stablehlo.constant dense<3> : tensor<i32>
  %r:3 = stablehlo.optimization_barrier %b, %x, %c : !stablehlo.token, tensor<i32>, !stablehlo.token
  check.expect_eq_const %r#1, dense<3> : tensor<i32>
  return
}

func.func @carried() {
  %token = stablehlo.create_token : !stablehlo.token
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %r:2 = "stablehlo.while"(%token, %zero) ({
  ^bb0(%t: !stablehlo.token, %i: tensor<i32>):
    %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%t: !stablehlo.token, %i: tensor<i32>):
    %next = stablehlo.after_all %t : !stablehlo.token
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %n : !stablehlo.token, tensor<i32>
  }) : (!stablehlo.token, tensor<i32>) -> (!stablehlo.token, tensor<i32>)
  check.expect_eq_const %r#1, dense<5> : tensor<i32>
  return
}

func.func @branched() {
  %token = stablehlo.create_token : !stablehlo.token
  %p = stablehlo.constant dense<true> : tensor<i1>
  %x = stablehlo.constant dense<7> : tensor<i32>
  %r:2 = "stablehlo.if"(%p) ({
    %t = stablehlo.after_all %token : !stablehlo.token
    stablehlo.return %t, %x : !stablehlo.token, tensor<i32>
  }, {
    %y = stablehlo.negate %x : tensor<i32>
    stablehlo.return %token, %y : !stablehlo.token, tensor<i32>
  }) : (tensor<i1>) -> (!stablehlo.token, tensor<i32>)
  check.expect_eq_const %r#1, dense<7> : tensor<i32>
  return
}
