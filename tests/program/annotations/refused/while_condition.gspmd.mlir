module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.while(%iterArg = %arg0) : tensor<8x2xf32>
    cond {
      %1 = stablehlo.custom_call @Sharding(%iterArg) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<8x2xf32>) -> tensor<8x2xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
      %cst_0 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
      %3 = stablehlo.compare LT, %2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
      %2 = stablehlo.add %iterArg, %1 : tensor<8x2xf32>
      stablehlo.return %2 : tensor<8x2xf32>
    }
    return %0 : tensor<8x2xf32>
  }
}
