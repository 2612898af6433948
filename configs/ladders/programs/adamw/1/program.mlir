module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=1]> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg4: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg5: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg6: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg7: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg8: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg9: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg10: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<16x16xf32> {jax.result_info = "result[0]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {jax.result_info = "result[1]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {jax.result_info = "result[2]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<f32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
    %1 = stablehlo.tanh %0 : tensor<2x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<2x16xf32>
    %4 = stablehlo.subtract %1, %arg5 : tensor<2x16xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<2x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<2x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %9 = stablehlo.divide %8, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %10 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %12 = stablehlo.multiply %11, %7 : tensor<2x16xf32>
    %13 = stablehlo.multiply %12, %3 : tensor<2x16xf32>
    %14 = stablehlo.multiply %13, %1 : tensor<2x16xf32>
    %15 = stablehlo.add %13, %14 : tensor<2x16xf32>
    %16 = stablehlo.dot_general %15, %arg4, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<16x16xf32>
    %17 = stablehlo.transpose %16, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %18 = "stablehlo.all_reduce"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %58 = stablehlo.add %arg11, %arg12 : tensor<f32>
      stablehlo.return %58 : tensor<f32>
    }) : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %20 = stablehlo.divide %18, %19 : tensor<16x16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.add %arg3, %cst_6 : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %23 = stablehlo.multiply %22, %arg1 : tensor<16x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.subtract %cst_7, %arg6 : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %26 = stablehlo.multiply %25, %20 : tensor<16x16xf32>
    %27 = stablehlo.add %23, %26 : tensor<16x16xf32>
    %28 = stablehlo.broadcast_in_dim %arg7, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %29 = stablehlo.multiply %28, %arg2 : tensor<16x16xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.subtract %cst_8, %arg7 : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %32 = stablehlo.multiply %31, %20 : tensor<16x16xf32>
    %33 = stablehlo.multiply %32, %20 : tensor<16x16xf32>
    %34 = stablehlo.add %29, %33 : tensor<16x16xf32>
    %35 = stablehlo.power %arg6, %21 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.subtract %cst_9, %35 : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.divide %cst_10, %36 : tensor<f32>
    %38 = stablehlo.power %arg7, %21 : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.subtract %cst_11, %38 : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.divide %cst_12, %39 : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %42 = stablehlo.multiply %27, %41 : tensor<16x16xf32>
    %43 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %44 = stablehlo.multiply %34, %43 : tensor<16x16xf32>
    %45 = stablehlo.sqrt %44 : tensor<16x16xf32>
    %46 = stablehlo.broadcast_in_dim %arg8, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %47 = stablehlo.add %45, %46 : tensor<16x16xf32>
    %48 = stablehlo.divide %42, %47 : tensor<16x16xf32>
    %49 = stablehlo.broadcast_in_dim %arg9, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %50 = stablehlo.multiply %49, %arg0 : tensor<16x16xf32>
    %51 = stablehlo.add %48, %50 : tensor<16x16xf32>
    %52 = stablehlo.broadcast_in_dim %arg10, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<16x16xf32>
    %54 = stablehlo.subtract %arg0, %53 : tensor<16x16xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %55 = stablehlo.add %arg3, %cst_13 : tensor<f32>
    %56 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %58 = stablehlo.add %arg11, %arg12 : tensor<f32>
      stablehlo.return %58 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.divide %56, %cst_14 : tensor<f32>
    return %54, %27, %34, %55, %57 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>, tensor<f32>
  }
}
