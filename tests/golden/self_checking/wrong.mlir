func.func @main() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %2 = stablehlo.add %0, %0 : tensor<2xi32>
  %3 = stablehlo.add %0, %1 : tensor<2xi32>
  stablehlo.custom_call @check.expect_eq(%3, %3) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  %4 = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  %5 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %6 = stablehlo.add %0, %5 : tensor<2xi32>
  stablehlo.custom_call @check.expect_eq(%6, %4) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}
