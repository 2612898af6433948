func.func @main() {
  %t = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%i = %t) : tensor<i1>
  cond { stablehlo.return %i : tensor<i1> } do { stablehlo.return %i : tensor<i1> }
  check.expect_eq %0, %t : tensor<i1>
  func.return
}
