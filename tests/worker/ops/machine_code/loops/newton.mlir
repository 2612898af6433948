module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<1xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg0) : tensor<1xf32>, tensor<i32>, tensor<1xf32>
    cond {
      %c_2 = stablehlo.constant dense<50> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      %2 = stablehlo.multiply %iterArg_1, %iterArg_1 : tensor<1xf32>
      %3 = stablehlo.subtract %2, %iterArg : tensor<1xf32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %5 = stablehlo.multiply %4, %iterArg_1 : tensor<1xf32>
      %6 = stablehlo.divide %3, %5 : tensor<1xf32>
      %7 = stablehlo.subtract %iterArg_1, %6 : tensor<1xf32>
      stablehlo.return %iterArg, %1, %7 : tensor<1xf32>, tensor<i32>, tensor<1xf32>
    }
    return %0#1, %0#2 : tensor<i32>, tensor<1xf32>
  }
}
