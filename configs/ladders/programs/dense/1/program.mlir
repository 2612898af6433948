module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=1]> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg4: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<32xf32> {jax.result_info = "result[0]['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[0]['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<16x32xf32>) -> tensor<2x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<2x32xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x32xf32>
    %4 = stablehlo.tanh %3 : tensor<2x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<2x32xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x32xf32>, tensor<32x16xf32>) -> tensor<2x16xf32>
    %8 = stablehlo.subtract %7, %arg4 : tensor<2x16xf32>
    %9 = stablehlo.multiply %8, %8 : tensor<2x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<2x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %13 = stablehlo.divide %12, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %14 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %16 = stablehlo.multiply %15, %11 : tensor<2x16xf32>
    %17 = stablehlo.dot_general %16, %4, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<2x32xf32>) -> tensor<16x32xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %19 = stablehlo.dot_general %16, %arg2, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x16xf32>, tensor<32x16xf32>) -> tensor<2x32xf32>
    %20 = stablehlo.multiply %19, %6 : tensor<2x32xf32>
    %21 = stablehlo.multiply %20, %4 : tensor<2x32xf32>
    %22 = stablehlo.add %20, %21 : tensor<2x32xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<2x32xf32>, tensor<f32>) -> tensor<32xf32>
    %24 = stablehlo.reshape %23 : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %26 = stablehlo.dot_general %22, %arg3, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x32xf32>, tensor<2x16xf32>) -> tensor<32x16xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %28 = "stablehlo.all_reduce"(%25) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %48 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %48 : tensor<f32>
    }) : (tensor<32xf32>) -> tensor<32xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %30 = stablehlo.divide %28, %29 : tensor<32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<32xf32>
    %33 = stablehlo.subtract %arg0, %32 : tensor<32xf32>
    %34 = "stablehlo.all_reduce"(%27) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %48 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %48 : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %36 = stablehlo.divide %34, %35 : tensor<16x32xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<16x32xf32>
    %39 = stablehlo.subtract %arg1, %38 : tensor<16x32xf32>
    %40 = "stablehlo.all_reduce"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %48 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %48 : tensor<f32>
    }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %42 = stablehlo.divide %40, %41 : tensor<32x16xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %44 = stablehlo.multiply %43, %42 : tensor<32x16xf32>
    %45 = stablehlo.subtract %arg2, %44 : tensor<32x16xf32>
    %46 = "stablehlo.all_reduce"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %48 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %48 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.divide %46, %cst_13 : tensor<f32>
    return %33, %39, %45, %47 : tensor<32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>
  }
}
