module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<2x8xf32> {jax.result_info = "result"}) {
    %0 = call @"<lambda>"(%arg0) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    return %1 : tensor<2x8xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<8x2xf32>) -> tensor<8x2xf32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<8x2xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}, {?}]> : tensor<8x2xf32>
    return %2 : tensor<8x2xf32>
  }
}
