func.func @probes_in_a_loop() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %p = interpreter.probe %i, probe_id = "turn" : tensor<i32>
    %n = stablehlo.add %p, %one : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }
  check.expect_serialized_eq %zero, probe_id = "turn", iter = 0 : tensor<i32>
  check.expect_serialized_eq %one, probe_id = "turn", iter = 1 : tensor<i32>
  check.expect_eq %0, %two : tensor<i32>
  func.return
}
