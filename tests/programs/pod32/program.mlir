module @jit_step attributes {mhlo.num_partitions = 32 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=8, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 8 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg1: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg2: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<16x32xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {"model"}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{}, {"model"}]>, <@mesh, []>] manual_axes={"data", "model"} (%arg3: tensor<16x8xf32>, %arg4: tensor<8x16xf32>, %arg5: tensor<8x32xf32>) {
      %1 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %2 = stablehlo.tanh %1 : tensor<8x8xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
      %4 = stablehlo.subtract %3, %2 : tensor<8x8xf32>
      %5 = "stablehlo.all_gather"(%2) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23], [24, 25, 26, 27], [28, 29, 30, 31]]> : tensor<8x4xi64>, use_global_device_ids}> : (tensor<8x8xf32>) -> tensor<8x32xf32>
      %6 = stablehlo.subtract %5, %arg5 : tensor<8x32xf32>
      %7 = stablehlo.multiply %6, %6 : tensor<8x32xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
      %9 = stablehlo.multiply %8, %6 : tensor<8x32xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %11 = stablehlo.divide %10, %cst_2 : tensor<f32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_4 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %12 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
      %14 = stablehlo.multiply %13, %9 : tensor<8x32xf32>
      %15 = "stablehlo.reduce_scatter"(%14) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23], [24, 25, 26, 27], [28, 29, 30, 31]]> : tensor<8x4xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %29 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %29 : tensor<f32>
      }) : (tensor<8x32xf32>) -> tensor<8x8xf32>
      %16 = stablehlo.multiply %15, %4 : tensor<8x8xf32>
      %17 = stablehlo.multiply %16, %2 : tensor<8x8xf32>
      %18 = stablehlo.add %16, %17 : tensor<8x8xf32>
      %19 = stablehlo.dot_general %18, %arg4, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
      %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
      %21 = "stablehlo.all_reduce"(%20) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4, 8, 12, 16, 20, 24, 28], [1, 5, 9, 13, 17, 21, 25, 29], [2, 6, 10, 14, 18, 22, 26, 30], [3, 7, 11, 15, 19, 23, 27, 31]]> : tensor<4x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %29 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %29 : tensor<f32>
      }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %cst_5 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
      %23 = stablehlo.divide %21, %22 : tensor<16x8xf32>
      %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
      %25 = stablehlo.multiply %24, %23 : tensor<16x8xf32>
      %26 = stablehlo.subtract %arg3, %25 : tensor<16x8xf32>
      %27 = "stablehlo.all_reduce"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]]> : tensor<1x32xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %29 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %29 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_7 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %28 = stablehlo.divide %27, %cst_7 : tensor<f32>
      sdy.return %26, %28 : tensor<16x8xf32>, tensor<f32>
    } : (tensor<16x32xf32>, tensor<64x16xf32>, tensor<64x32xf32>) -> (tensor<16x32xf32>, tensor<f32>)
    return %0#0, %0#1 : tensor<16x32xf32>, tensor<f32>
  }
}
