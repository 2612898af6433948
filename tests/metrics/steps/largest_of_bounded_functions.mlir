// globally_reduced globally_reduced globally_reduced
// 
module @jit_mapped attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0:3 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, []>, <@mesh, []>, <@mesh, []>] manual_axes={"data"} (%arg1: tensor<4x8xf32>) {
      %cst = stablehlo.constant dense<2.000000e+01> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
      %2 = stablehlo.multiply %1, %arg1 : tensor<4x8xf32>
      %3 = stablehlo.tanh %2 : tensor<4x8xf32>
      %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %22 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
        stablehlo.return %22 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %6 = func.call @clip(%arg1, %cst_1, %cst_2) : (tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> tensor<4x8xf32>
      %cst_3 = stablehlo.constant dense<0x7F800000> : tensor<f32>
      %7 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.all_reduce"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %22 = stablehlo.minimum %arg2, %arg3 : tensor<f32>
        stablehlo.return %22 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %9 = stablehlo.reduce(%arg1 init: %cst_4) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %11 = stablehlo.maximum %10, %9 : tensor<4xf32>
      %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
      %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
      %14 = stablehlo.subtract %arg1, %13 : tensor<4x8xf32>
      %15 = stablehlo.exponential %14 : tensor<4x8xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.reduce(%15 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
      %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
      %19 = stablehlo.divide %15, %18 : tensor<4x8xf32>
      %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %20 = stablehlo.reduce(%19 init: %cst_7) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %21 = "stablehlo.all_reduce"(%20) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %22 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
        stablehlo.return %22 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      sdy.return %5, %8, %21 : tensor<f32>, tensor<f32>, tensor<f32>
    } : (tensor<16x8xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    return %0#0, %0#1, %0#2 : tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func private @clip(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<4x8xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x8xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<4x8xf32>
    return %5 : tensor<4x8xf32>
  }
}
