module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg4: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<32xf32> {jax.result_info = "result[0]['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[0]['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:4 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4) in_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"data"} (%arg5: tensor<32xf32>, %arg6: tensor<16x32xf32>, %arg7: tensor<32x16xf32>, %arg8: tensor<2x16xf32>, %arg9: tensor<2x16xf32>) {
      %1 = stablehlo.dot_general %arg8, %arg6, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<16x32xf32>) -> tensor<2x32xf32>
      %2 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<2x32xf32>
      %4 = stablehlo.add %1, %3 : tensor<2x32xf32>
      %5 = stablehlo.tanh %4 : tensor<2x32xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
      %7 = stablehlo.subtract %6, %5 : tensor<2x32xf32>
      %8 = stablehlo.dot_general %5, %arg7, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x32xf32>, tensor<32x16xf32>) -> tensor<2x16xf32>
      %9 = stablehlo.subtract %8, %arg9 : tensor<2x16xf32>
      %10 = stablehlo.multiply %9, %9 : tensor<2x16xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
      %12 = stablehlo.multiply %11, %9 : tensor<2x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %14 = stablehlo.divide %13, %cst_2 : tensor<f32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %15 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
      %17 = stablehlo.multiply %16, %12 : tensor<2x16xf32>
      %18 = stablehlo.dot_general %17, %5, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<2x32xf32>) -> tensor<16x32xf32>
      %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
      %20 = stablehlo.dot_general %17, %arg7, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<32x16xf32>) -> tensor<2x32xf32>
      %21 = stablehlo.multiply %20, %7 : tensor<2x32xf32>
      %22 = stablehlo.multiply %21, %5 : tensor<2x32xf32>
      %23 = stablehlo.add %21, %22 : tensor<2x32xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %24 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<2x32xf32>, tensor<f32>) -> tensor<32xf32>
      %25 = stablehlo.reshape %24 : (tensor<32xf32>) -> tensor<1x32xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %26 = stablehlo.reduce(%25 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
      %27 = stablehlo.dot_general %23, %arg8, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x32xf32>, tensor<2x16xf32>) -> tensor<32x16xf32>
      %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %29 = "stablehlo.all_reduce"(%26) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %49 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %49 : tensor<f32>
      }) : (tensor<32xf32>) -> tensor<32xf32>
      %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %30 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %31 = stablehlo.divide %29, %30 : tensor<32xf32>
      %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %33 = stablehlo.multiply %32, %31 : tensor<32xf32>
      %34 = stablehlo.subtract %arg5, %33 : tensor<32xf32>
      %35 = "stablehlo.all_reduce"(%28) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %49 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %49 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %37 = stablehlo.divide %35, %36 : tensor<16x32xf32>
      %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %38 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %39 = stablehlo.multiply %38, %37 : tensor<16x32xf32>
      %40 = stablehlo.subtract %arg6, %39 : tensor<16x32xf32>
      %41 = "stablehlo.all_reduce"(%19) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %49 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %49 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
      %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %43 = stablehlo.divide %41, %42 : tensor<32x16xf32>
      %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %44 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %45 = stablehlo.multiply %44, %43 : tensor<32x16xf32>
      %46 = stablehlo.subtract %arg7, %45 : tensor<32x16xf32>
      %47 = "stablehlo.all_reduce"(%14) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %49 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %49 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %48 = stablehlo.divide %47, %cst_13 : tensor<f32>
      sdy.return %34, %40, %46, %48 : tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>
    } : (tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>
  }
}
