module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @square(%arg0, %cst) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xf32>
    return %0 : tensor<8x2xf32>
  }
  func.func private @square(%arg0: tensor<8x2xf32>, %arg1: tensor<f32>) -> tensor<8x2xf32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<8x2xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<8x2xf32>
    return %4 : tensor<8x2xf32>
  }
}
