// globally_reduced globally_reduced
module @jit_tensor_parallel_loss attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<8x16xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x16xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {"model"}]>] out_shardings=[<@mesh, []>, <@mesh, [{}, {"model"}]>] manual_axes={"data", "model"} (%arg2: tensor<4x8xf32>, %arg3: tensor<8x8xf32>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %2 = stablehlo.tanh %1 : tensor<4x8xf32>
      %3 = stablehlo.multiply %2, %2 : tensor<4x8xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %25 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %25 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
      %6 = stablehlo.divide %5, %cst_0 : tensor<f32>
      %7 = "stablehlo.all_reduce"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %25 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %25 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %8 = stablehlo.divide %7, %cst_1 : tensor<f32>
      %9 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %10 = stablehlo.tanh %9 : tensor<4x8xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
      %12 = stablehlo.subtract %11, %10 : tensor<4x8xf32>
      %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
      %14 = stablehlo.multiply %13, %10 : tensor<4x8xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
      %16 = stablehlo.multiply %15, %14 : tensor<4x8xf32>
      %17 = stablehlo.multiply %16, %12 : tensor<4x8xf32>
      %18 = stablehlo.multiply %17, %10 : tensor<4x8xf32>
      %19 = stablehlo.add %17, %18 : tensor<4x8xf32>
      %20 = stablehlo.dot_general %19, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %22 = "stablehlo.all_reduce"(%21) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %25 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %25 : tensor<f32>
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
      %24 = stablehlo.divide %22, %23 : tensor<8x8xf32>
      sdy.return %8, %24 : tensor<f32>, tensor<8x8xf32>
    } : (tensor<16x8xf32>, tensor<8x16xf32>) -> (tensor<f32>, tensor<8x16xf32>)
    return %0#0, %0#1 : tensor<f32>, tensor<8x16xf32>
  }
}
