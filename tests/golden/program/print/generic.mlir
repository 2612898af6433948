module {
  func.func @main(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", ?}p1]>}, %arg1: tensor<i1>) -> (tensor<2xf32>) {
    %0 = "stablehlo.constant"() {value = dense<1.5e+00> : tensor<2xf32>} : () -> tensor<2xf32>
    %1 = "stablehlo.compare"(%arg0, %0) {compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %2 = "stablehlo.select"(%1, %arg0, %0) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%2) : (tensor<2xf32>) -> ()
  }
}
