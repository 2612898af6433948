module @jit_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg4: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg5: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<16x16xf32> {jax.result_info = "result[0]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {jax.result_info = "result[1]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {jax.result_info = "result[2]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<f32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:5 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>, <@mesh, []>] manual_axes={"data"} (%arg6: tensor<16x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<f32>, %arg10: tensor<2x16xf32>, %arg11: tensor<2x16xf32>) {
      %1 = stablehlo.dot_general %arg10, %arg6, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
      %2 = stablehlo.tanh %1 : tensor<2x16xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
      %4 = stablehlo.subtract %3, %2 : tensor<2x16xf32>
      %5 = stablehlo.subtract %2, %arg11 : tensor<2x16xf32>
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
      %17 = stablehlo.dot_general %16, %arg10, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<16x16xf32>
      %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %19 = "stablehlo.all_reduce"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %50 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %50 : tensor<f32>
      }) : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %21 = stablehlo.divide %19, %20 : tensor<16x16xf32>
      %cst_6 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %23 = stablehlo.multiply %22, %arg7 : tensor<16x16xf32>
      %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %25 = stablehlo.multiply %24, %21 : tensor<16x16xf32>
      %26 = stablehlo.add %23, %25 : tensor<16x16xf32>
      %cst_8 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %28 = stablehlo.multiply %27, %arg8 : tensor<16x16xf32>
      %cst_9 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %30 = stablehlo.multiply %29, %21 : tensor<16x16xf32>
      %31 = stablehlo.multiply %30, %21 : tensor<16x16xf32>
      %32 = stablehlo.add %28, %31 : tensor<16x16xf32>
      %cst_10 = stablehlo.constant dense<1.1384033> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %34 = stablehlo.multiply %26, %33 : tensor<16x16xf32>
      %cst_11 = stablehlo.constant dense<50.4766617> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %36 = stablehlo.multiply %32, %35 : tensor<16x16xf32>
      %37 = stablehlo.sqrt %36 : tensor<16x16xf32>
      %cst_12 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
      %38 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %39 = stablehlo.add %37, %38 : tensor<16x16xf32>
      %40 = stablehlo.divide %34, %39 : tensor<16x16xf32>
      %cst_13 = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %41 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %42 = stablehlo.multiply %41, %arg6 : tensor<16x16xf32>
      %43 = stablehlo.add %40, %42 : tensor<16x16xf32>
      %cst_14 = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %44 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %45 = stablehlo.multiply %44, %43 : tensor<16x16xf32>
      %46 = stablehlo.subtract %arg6, %45 : tensor<16x16xf32>
      %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %47 = stablehlo.add %arg9, %cst_15 : tensor<f32>
      %48 = "stablehlo.all_reduce"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %50 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %50 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_16 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %49 = stablehlo.divide %48, %cst_16 : tensor<f32>
      sdy.return %46, %26, %32, %47, %49 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<f32>
    } : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<f32>
  }
}
