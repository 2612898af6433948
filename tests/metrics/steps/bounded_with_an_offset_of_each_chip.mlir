// globally_reduced globally_reduced
// 
module @jit_mapped attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, []>, <@mesh, []>] manual_axes={"data"} (%arg1: tensor<4x8xf32>) {
      %1 = stablehlo.tanh %arg1 : tensor<4x8xf32>
      %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %3 = stablehlo.partition_id : tensor<ui32>
      %4 = stablehlo.divide %3, %c : tensor<ui32>
      %5 = stablehlo.remainder %4, %c_0 : tensor<ui32>
      %6 = stablehlo.convert %5 : (tensor<ui32>) -> tensor<i32>
      %7 = stablehlo.convert %6 : (tensor<i32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
      %8 = stablehlo.multiply %cst_1, %7 : tensor<f32>
      %9 = stablehlo.subtract %2, %8 : tensor<f32>
      %10 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %21 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
        stablehlo.return %21 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %c_2 = stablehlo.constant dense<-1> : tensor<i32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %11 = func.call @clip(%arg1, %c_2, %c_3) : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
      %cst_4 = stablehlo.constant dense<0x7F800000> : tensor<f32>
      %12 = stablehlo.reduce(%11 init: %cst_4) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %c_5 = stablehlo.constant dense<1> : tensor<ui32>
      %c_6 = stablehlo.constant dense<4> : tensor<ui32>
      %13 = stablehlo.partition_id : tensor<ui32>
      %14 = stablehlo.divide %13, %c_5 : tensor<ui32>
      %15 = stablehlo.remainder %14, %c_6 : tensor<ui32>
      %16 = stablehlo.convert %15 : (tensor<ui32>) -> tensor<i32>
      %17 = stablehlo.convert %16 : (tensor<i32>) -> tensor<f32>
      %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %18 = stablehlo.multiply %cst_7, %17 : tensor<f32>
      %19 = stablehlo.add %12, %18 : tensor<f32>
      %20 = "stablehlo.all_reduce"(%19) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %21 = stablehlo.minimum %arg2, %arg3 : tensor<f32>
        stablehlo.return %21 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      sdy.return %10, %20 : tensor<f32>, tensor<f32>
    } : (tensor<16x8xf32>) -> (tensor<f32>, tensor<f32>)
    return %0#0, %0#1 : tensor<f32>, tensor<f32>
  }
  func.func private @clip(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x8xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<4x8xf32>
    return %5 : tensor<4x8xf32>
  }
}
