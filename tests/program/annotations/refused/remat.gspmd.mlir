module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0:2 = stablehlo.optimization_barrier %arg0, %cst : tensor<8x2xf32>, tensor<f32>
    %1 = stablehlo.sine %0#0 : tensor<8x2xf32>
    %2 = stablehlo.cosine %0#0 : tensor<8x2xf32>
    %3 = stablehlo.custom_call @Sharding(%1) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %4 = stablehlo.cosine %3 : tensor<8x2xf32>
    %5 = stablehlo.broadcast_in_dim %0#1, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<8x2xf32>
    %7 = stablehlo.custom_call @Sharding(%6) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %8 = stablehlo.multiply %7, %2 : tensor<8x2xf32>
    return %8 : tensor<8x2xf32>
  }
}
