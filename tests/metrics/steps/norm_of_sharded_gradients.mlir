// local
// 
module @jit_mapped attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<8x16xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, []>] manual_axes={"data"} (%arg2: tensor<4x8xf32>, %arg3: tensor<2x16xf32>) {
      %1 = stablehlo.multiply %arg3, %arg3 : tensor<2x16xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.reduce(%arg2 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %4 = stablehlo.multiply %cst_1, %3 : tensor<f32>
      %5 = stablehlo.add %2, %4 : tensor<f32>
      %6 = stablehlo.sqrt %5 : tensor<f32>
      sdy.return %6 : tensor<f32>
    } : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
