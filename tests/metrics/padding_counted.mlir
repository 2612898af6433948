// globally_reduced | padding_counted
module @jit_padding_counted attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, []>] manual_axes={"data", "model"} (%arg1: tensor<4x8xf32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1 = func.call @_pad(%arg1, %c) : (tensor<4x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %2 = stablehlo.multiply %1, %1 : tensor<6x8xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x8xf32>, tensor<f32>) -> tensor<f32>
      %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %6 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_0 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
      %5 = stablehlo.divide %4, %cst_0 : tensor<f32>
      sdy.return %5 : tensor<f32>
    } : (tensor<16x8xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @_pad(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>) -> tensor<6x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<6x8xf32>
    return %1 : tensor<6x8xf32>
  }
}
