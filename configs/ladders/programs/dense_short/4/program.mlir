module @jit_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg4: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<32xf32> {jax.result_info = "result[0]['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[0]['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:4 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4) in_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"data"} (%arg5: tensor<32xf32>, %arg6: tensor<16x32xf32>, %arg7: tensor<32x16xf32>, %arg8: tensor<1x16xf32>, %arg9: tensor<1x16xf32>) {
      %1 = stablehlo.dot_general %arg8, %arg6, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x16xf32>, tensor<16x32xf32>) -> tensor<1x32xf32>
      %2 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %3 = stablehlo.add %1, %2 : tensor<1x32xf32>
      %4 = stablehlo.tanh %3 : tensor<1x32xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
      %6 = stablehlo.subtract %5, %4 : tensor<1x32xf32>
      %7 = stablehlo.dot_general %4, %arg7, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x32xf32>, tensor<32x16xf32>) -> tensor<1x16xf32>
      %8 = stablehlo.subtract %7, %arg9 : tensor<1x16xf32>
      %9 = stablehlo.multiply %8, %8 : tensor<1x16xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x16xf32>
      %11 = stablehlo.multiply %10, %8 : tensor<1x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %13 = stablehlo.divide %12, %cst_2 : tensor<f32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_4 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %14 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<1x16xf32>
      %16 = stablehlo.multiply %15, %11 : tensor<1x16xf32>
      %17 = stablehlo.dot_general %16, %4, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x16xf32>, tensor<1x32xf32>) -> tensor<16x32xf32>
      %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
      %19 = stablehlo.dot_general %16, %arg7, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x16xf32>, tensor<32x16xf32>) -> tensor<1x32xf32>
      %20 = stablehlo.multiply %19, %6 : tensor<1x32xf32>
      %21 = stablehlo.multiply %20, %4 : tensor<1x32xf32>
      %22 = stablehlo.add %20, %21 : tensor<1x32xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
      %24 = stablehlo.dot_general %22, %arg8, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x32xf32>, tensor<1x16xf32>) -> tensor<32x16xf32>
      %25 = stablehlo.transpose %24, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %26 = "stablehlo.all_reduce"(%23) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %46 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %46 : tensor<f32>
      }) : (tensor<32xf32>) -> tensor<32xf32>
      %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %28 = stablehlo.divide %26, %27 : tensor<32xf32>
      %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %30 = stablehlo.multiply %29, %28 : tensor<32xf32>
      %31 = stablehlo.subtract %arg5, %30 : tensor<32xf32>
      %32 = "stablehlo.all_reduce"(%25) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %46 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %46 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %cst_8 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %34 = stablehlo.divide %32, %33 : tensor<16x32xf32>
      %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %36 = stablehlo.multiply %35, %34 : tensor<16x32xf32>
      %37 = stablehlo.subtract %arg6, %36 : tensor<16x32xf32>
      %38 = "stablehlo.all_reduce"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %46 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %46 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
      %cst_10 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %39 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %40 = stablehlo.divide %38, %39 : tensor<32x16xf32>
      %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %42 = stablehlo.multiply %41, %40 : tensor<32x16xf32>
      %43 = stablehlo.subtract %arg7, %42 : tensor<32x16xf32>
      %44 = "stablehlo.all_reduce"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %46 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %46 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_12 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %45 = stablehlo.divide %44, %cst_12 : tensor<f32>
      sdy.return %31, %37, %43, %45 : tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>
    } : (tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>
  }
}
