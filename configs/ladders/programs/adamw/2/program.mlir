module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg4: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg5: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg6: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg7: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg8: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg9: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg10: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<16x16xf32> {jax.result_info = "result[0]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {jax.result_info = "result[1]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {jax.result_info = "result[2]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<f32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:5 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, []>, <@mesh, []>, <@mesh, []>, <@mesh, []>, <@mesh, []>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>, <@mesh, []>] manual_axes={"data"} (%arg11: tensor<16x16xf32>, %arg12: tensor<16x16xf32>, %arg13: tensor<16x16xf32>, %arg14: tensor<f32>, %arg15: tensor<2x16xf32>, %arg16: tensor<2x16xf32>, %arg17: tensor<f32>, %arg18: tensor<f32>, %arg19: tensor<f32>, %arg20: tensor<f32>, %arg21: tensor<f32>) {
      %1 = stablehlo.dot_general %arg15, %arg11, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
      %2 = stablehlo.tanh %1 : tensor<2x16xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
      %4 = stablehlo.subtract %3, %2 : tensor<2x16xf32>
      %5 = stablehlo.subtract %2, %arg16 : tensor<2x16xf32>
      %6 = stablehlo.multiply %5, %5 : tensor<2x16xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
      %8 = stablehlo.multiply %7, %5 : tensor<2x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %10 = stablehlo.divide %9, %cst_2 : tensor<f32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %11 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
      %13 = stablehlo.multiply %12, %8 : tensor<2x16xf32>
      %14 = stablehlo.multiply %13, %4 : tensor<2x16xf32>
      %15 = stablehlo.multiply %14, %2 : tensor<2x16xf32>
      %16 = stablehlo.add %14, %15 : tensor<2x16xf32>
      %17 = stablehlo.dot_general %16, %arg15, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<16x16xf32>
      %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %19 = "stablehlo.all_reduce"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
        %59 = stablehlo.add %arg22, %arg23 : tensor<f32>
        stablehlo.return %59 : tensor<f32>
      }) : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %21 = stablehlo.divide %19, %20 : tensor<16x16xf32>
      %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %22 = stablehlo.add %arg14, %cst_6 : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %arg17, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %24 = stablehlo.multiply %23, %arg12 : tensor<16x16xf32>
      %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %25 = stablehlo.subtract %cst_7, %arg17 : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %27 = stablehlo.multiply %26, %21 : tensor<16x16xf32>
      %28 = stablehlo.add %24, %27 : tensor<16x16xf32>
      %29 = stablehlo.broadcast_in_dim %arg18, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %30 = stablehlo.multiply %29, %arg13 : tensor<16x16xf32>
      %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %31 = stablehlo.subtract %cst_8, %arg18 : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %33 = stablehlo.multiply %32, %21 : tensor<16x16xf32>
      %34 = stablehlo.multiply %33, %21 : tensor<16x16xf32>
      %35 = stablehlo.add %30, %34 : tensor<16x16xf32>
      %36 = stablehlo.power %arg17, %22 : tensor<f32>
      %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %37 = stablehlo.subtract %cst_9, %36 : tensor<f32>
      %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %38 = stablehlo.divide %cst_10, %37 : tensor<f32>
      %39 = stablehlo.power %arg18, %22 : tensor<f32>
      %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %40 = stablehlo.subtract %cst_11, %39 : tensor<f32>
      %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %41 = stablehlo.divide %cst_12, %40 : tensor<f32>
      %42 = stablehlo.broadcast_in_dim %38, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %43 = stablehlo.multiply %28, %42 : tensor<16x16xf32>
      %44 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %45 = stablehlo.multiply %35, %44 : tensor<16x16xf32>
      %46 = stablehlo.sqrt %45 : tensor<16x16xf32>
      %47 = stablehlo.broadcast_in_dim %arg19, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %48 = stablehlo.add %46, %47 : tensor<16x16xf32>
      %49 = stablehlo.divide %43, %48 : tensor<16x16xf32>
      %50 = stablehlo.broadcast_in_dim %arg20, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %51 = stablehlo.multiply %50, %arg11 : tensor<16x16xf32>
      %52 = stablehlo.add %49, %51 : tensor<16x16xf32>
      %53 = stablehlo.broadcast_in_dim %arg21, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %54 = stablehlo.multiply %53, %52 : tensor<16x16xf32>
      %55 = stablehlo.subtract %arg11, %54 : tensor<16x16xf32>
      %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %56 = stablehlo.add %arg14, %cst_13 : tensor<f32>
      %57 = "stablehlo.all_reduce"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
        %59 = stablehlo.add %arg22, %arg23 : tensor<f32>
        stablehlo.return %59 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %58 = stablehlo.divide %57, %cst_14 : tensor<f32>
      sdy.return %55, %28, %35, %56, %58 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<f32>
    } : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<f32>
  }
}
