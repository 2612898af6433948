module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.clamp %c, %1, %c_0 : tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %4 = stablehlo.sine %arg0 : tensor<8x2xf32>
      stablehlo.return %4 : tensor<8x2xf32>
    }, {
      %4 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
      stablehlo.return %4 : tensor<8x2xf32>
    }, {
      %4 = stablehlo.cosine %arg0 : tensor<8x2xf32>
      stablehlo.return %4 : tensor<8x2xf32>
    }) : (tensor<i32>) -> tensor<8x2xf32>
    return %3 : tensor<8x2xf32>
  }
}
