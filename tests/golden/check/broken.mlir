func.func @main() {
  %t = stablehlo.constant dense<true> : tensor<i1
  func.return
}
