// SPDX-License-Identifier: Apache-2.0
// The spec's example: ten turns; and none at all.

func.func @ten_turns() {
  %i = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %r:2 = "stablehlo.while"(%i, %i) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %c = stablehlo.compare LT, %x, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %n = stablehlo.add %x, %one : tensor<i64>
    %s = stablehlo.add %y, %n : tensor<i64>
    stablehlo.return %n, %s : tensor<i64>, tensor<i64>
  }) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
  check.expect_eq_const %r#0, dense<10> : tensor<i64>
  check.expect_eq_const %r#1, dense<55> : tensor<i64>
  return
}

// An instruction without results in a loop of single elements.
func.func @checks_in_a_loop() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.add %s, %one : tensor<i32>
    check.expect_eq %j, %t : tensor<i32>, tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %r#1, dense<5> : tensor<i32>
  return
}
