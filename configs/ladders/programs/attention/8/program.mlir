module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg3: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg4: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg5: tensor<4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %arg6: tensor<4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<16xf32> {jax.result_info = "result[0]['scale']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<4x4x16xf32> {jax.result_info = "result[0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:6 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) in_shardings=[<@mesh, [{}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{"model"}, {}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{"data"}, {}, {}]>, <@mesh, [{"data"}, {}, {}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{"model"}, {}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, []>] manual_axes={"data", "model"} (%arg7: tensor<16xf32>, %arg8: tensor<16x1x4xf32>, %arg9: tensor<1x4x16xf32>, %arg10: tensor<16x1x4xf32>, %arg11: tensor<16x1x4xf32>, %arg12: tensor<2x8x16xf32>, %arg13: tensor<2x8x16xf32>) {
      %1 = stablehlo.multiply %arg12, %arg12 : tensor<2x8x16xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
      %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
      %5 = stablehlo.divide %3, %4 : tensor<2x8x1xf32>
      %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
      %7 = stablehlo.add %5, %6 : tensor<2x8x1xf32>
      %8 = stablehlo.rsqrt %7 : tensor<2x8x1xf32>
      %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
      %10 = stablehlo.multiply %arg12, %9 : tensor<2x8x16xf32>
      %11 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
      %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
      %13 = stablehlo.multiply %10, %12 : tensor<2x8x16xf32>
      %14 = stablehlo.dot_general %13, %arg10, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<16x1x4xf32>) -> tensor<2x8x1x4xf32>
      %15 = stablehlo.dot_general %13, %arg8, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<16x1x4xf32>) -> tensor<2x8x1x4xf32>
      %16 = stablehlo.dot_general %13, %arg11, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<16x1x4xf32>) -> tensor<2x8x1x4xf32>
      %17 = stablehlo.dot_general %14, %15, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>) -> tensor<2x1x8x8xf32>
      %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x8x8xf32>
      %19 = stablehlo.divide %17, %18 : tensor<2x1x8x8xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %20 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
      %21 = func.call @tril(%20) : (tensor<8x8xi1>) -> tensor<8x8xi1>
      %cst_3 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %22:2 = func.call @_where(%21, %19, %cst_3) : (tensor<8x8xi1>, tensor<2x1x8x8xf32>, tensor<f32>) -> (tensor<2x1x8x8xf32>, tensor<2x1x8x8xi1>)
      %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %23 = stablehlo.reduce(%22#0 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x8x8xf32>, tensor<f32>) -> tensor<2x1x8xf32>
      %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x1x8xf32>
      %25 = stablehlo.maximum %24, %23 : tensor<2x1x8xf32>
      %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x1x8x1xf32>
      %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x1x8x1xf32>) -> tensor<2x1x8x8xf32>
      %28 = stablehlo.subtract %22#0, %27 : tensor<2x1x8x8xf32>
      %29 = stablehlo.exponential %28 : tensor<2x1x8x8xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x1x8x8xf32>, tensor<f32>) -> tensor<2x1x8xf32>
      %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x1x8x1xf32>
      %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x1x8x1xf32>) -> tensor<2x1x8x8xf32>
      %33 = stablehlo.divide %29, %32 : tensor<2x1x8x8xf32>
      %34 = stablehlo.multiply %31, %31 : tensor<2x1x8x1xf32>
      %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x1x8x1xf32>
      %36 = stablehlo.divide %35, %34 : tensor<2x1x8x1xf32>
      %37 = stablehlo.dot_general %16, %33, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x8x1x4xf32>, tensor<2x1x8x8xf32>) -> tensor<2x1x4x8xf32>
      %38 = stablehlo.dot_general %37, %arg9, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<2x1x4x8xf32>, tensor<1x4x16xf32>) -> tensor<2x8x16xf32>
      %39 = "stablehlo.all_reduce"(%38) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
      %40 = stablehlo.add %arg12, %39 : tensor<2x8x16xf32>
      %41 = stablehlo.subtract %40, %arg13 : tensor<2x8x16xf32>
      %42 = stablehlo.multiply %41, %41 : tensor<2x8x16xf32>
      %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %43 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
      %44 = stablehlo.multiply %43, %41 : tensor<2x8x16xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %45 = stablehlo.reduce(%42 init: %cst_9) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_10 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %46 = stablehlo.divide %45, %cst_10 : tensor<f32>
      %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_12 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %47 = stablehlo.divide %cst_11, %cst_12 : tensor<f32>
      %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
      %49 = stablehlo.multiply %48, %44 : tensor<2x8x16xf32>
      %50 = "stablehlo.all_reduce"(%49) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
      %51 = stablehlo.dot_general %50, %37, contracting_dims = [0, 1] x [0, 3], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<2x1x4x8xf32>) -> tensor<16x1x4xf32>
      %52 = stablehlo.transpose %51, dims = [1, 2, 0] : (tensor<16x1x4xf32>) -> tensor<1x4x16xf32>
      %53 = stablehlo.dot_general %50, %arg9, contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<1x4x16xf32>) -> tensor<2x8x1x4xf32>
      %54 = stablehlo.transpose %53, dims = [0, 2, 3, 1] : (tensor<2x8x1x4xf32>) -> tensor<2x1x4x8xf32>
      %55 = stablehlo.dot_general %54, %16, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x1x4x8xf32>, tensor<2x8x1x4xf32>) -> tensor<2x1x8x8xf32>
      %56 = stablehlo.dot_general %54, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x1x4x8xf32>, tensor<2x1x8x8xf32>) -> tensor<2x1x4x8xf32>
      %57 = stablehlo.transpose %56, dims = [0, 3, 1, 2] : (tensor<2x1x4x8xf32>) -> tensor<2x8x1x4xf32>
      %58 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x1x8x1xf32>) -> tensor<2x1x8x8xf32>
      %59 = stablehlo.multiply %55, %58 : tensor<2x1x8x8xf32>
      %60 = stablehlo.multiply %59, %29 : tensor<2x1x8x8xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %61 = stablehlo.reduce(%60 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x1x8x8xf32>, tensor<f32>) -> tensor<2x1x8xf32>
      %62 = stablehlo.reshape %61 : (tensor<2x1x8xf32>) -> tensor<2x1x8x1xf32>
      %63 = stablehlo.negate %62 : tensor<2x1x8x1xf32>
      %64 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x1x8x1xf32>) -> tensor<2x1x8x8xf32>
      %65 = stablehlo.divide %55, %64 : tensor<2x1x8x8xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %66 = stablehlo.reduce(%63 init: %cst_14) applies stablehlo.add across dimensions = [1, 3] : (tensor<2x1x8x1xf32>, tensor<f32>) -> tensor<2x8xf32>
      %67 = stablehlo.broadcast_in_dim %66, dims = [0, 2] : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
      %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x1x8x8xf32>
      %69 = stablehlo.add %65, %68 : tensor<2x1x8x8xf32>
      %70 = stablehlo.multiply %69, %29 : tensor<2x1x8x8xf32>
      %71 = func.call @_where_0(%22#1, %70) : (tensor<2x1x8x8xi1>, tensor<2x1x8x8xf32>) -> tensor<2x1x8x8xf32>
      %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %72 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x1x8x8xf32>
      %73 = stablehlo.divide %71, %72 : tensor<2x1x8x8xf32>
      %74 = stablehlo.dot_general %73, %14, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x1x8x8xf32>, tensor<2x8x1x4xf32>) -> tensor<2x1x8x4xf32>
      %75 = stablehlo.transpose %74, dims = [0, 2, 1, 3] : (tensor<2x1x8x4xf32>) -> tensor<2x8x1x4xf32>
      %76 = stablehlo.dot_general %73, %15, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x1x8x8xf32>, tensor<2x8x1x4xf32>) -> tensor<2x1x8x4xf32>
      %77 = stablehlo.transpose %76, dims = [0, 2, 1, 3] : (tensor<2x1x8x4xf32>) -> tensor<2x8x1x4xf32>
      %78 = stablehlo.dot_general %57, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x8x1x4xf32>, tensor<2x8x16xf32>) -> tensor<1x4x16xf32>
      %79 = stablehlo.transpose %78, dims = [2, 0, 1] : (tensor<1x4x16xf32>) -> tensor<16x1x4xf32>
      %80 = stablehlo.dot_general %57, %arg11, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x8x1x4xf32>, tensor<16x1x4xf32>) -> tensor<2x8x16xf32>
      %81 = stablehlo.dot_general %75, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x8x1x4xf32>, tensor<2x8x16xf32>) -> tensor<1x4x16xf32>
      %82 = stablehlo.transpose %81, dims = [2, 0, 1] : (tensor<1x4x16xf32>) -> tensor<16x1x4xf32>
      %83 = stablehlo.dot_general %75, %arg8, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x8x1x4xf32>, tensor<16x1x4xf32>) -> tensor<2x8x16xf32>
      %84 = stablehlo.add %80, %83 : tensor<2x8x16xf32>
      %85 = stablehlo.dot_general %77, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x8x1x4xf32>, tensor<2x8x16xf32>) -> tensor<1x4x16xf32>
      %86 = stablehlo.transpose %85, dims = [2, 0, 1] : (tensor<1x4x16xf32>) -> tensor<16x1x4xf32>
      %87 = stablehlo.dot_general %77, %arg10, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x8x1x4xf32>, tensor<16x1x4xf32>) -> tensor<2x8x16xf32>
      %88 = stablehlo.add %84, %87 : tensor<2x8x16xf32>
      %89 = stablehlo.multiply %10, %88 : tensor<2x8x16xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %90 = stablehlo.reduce(%89 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<16xf32>
      %91 = stablehlo.reshape %90 : (tensor<16xf32>) -> tensor<1x1x16xf32>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %92 = stablehlo.reduce(%91 init: %cst_17) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
      %93 = "stablehlo.all_reduce"(%92) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<16xf32>) -> tensor<16xf32>
      %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %94 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %95 = stablehlo.divide %93, %94 : tensor<16xf32>
      %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %96 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %97 = stablehlo.divide %95, %96 : tensor<16xf32>
      %98 = "stablehlo.all_reduce"(%82) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<16x1x4xf32>) -> tensor<16x1x4xf32>
      %cst_20 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %99 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %100 = stablehlo.divide %98, %99 : tensor<16x1x4xf32>
      %cst_21 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %101 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %102 = stablehlo.divide %100, %101 : tensor<16x1x4xf32>
      %103 = "stablehlo.all_reduce"(%52) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
      %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %104 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1x4x16xf32>
      %105 = stablehlo.divide %103, %104 : tensor<1x4x16xf32>
      %cst_23 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %106 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x4x16xf32>
      %107 = stablehlo.divide %105, %106 : tensor<1x4x16xf32>
      %108 = "stablehlo.all_reduce"(%86) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<16x1x4xf32>) -> tensor<16x1x4xf32>
      %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %109 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %110 = stablehlo.divide %108, %109 : tensor<16x1x4xf32>
      %cst_25 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %111 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %112 = stablehlo.divide %110, %111 : tensor<16x1x4xf32>
      %113 = "stablehlo.all_reduce"(%79) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<16x1x4xf32>) -> tensor<16x1x4xf32>
      %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %114 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %115 = stablehlo.divide %113, %114 : tensor<16x1x4xf32>
      %cst_27 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %116 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %117 = stablehlo.divide %115, %116 : tensor<16x1x4xf32>
      %118 = "stablehlo.all_reduce"(%97) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<16xf32>) -> tensor<16xf32>
      %cst_28 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %119 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %120 = stablehlo.divide %118, %119 : tensor<16xf32>
      %cst_29 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %121 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %122 = stablehlo.multiply %121, %120 : tensor<16xf32>
      %123 = stablehlo.subtract %arg7, %122 : tensor<16xf32>
      %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %124 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %125 = stablehlo.multiply %124, %102 : tensor<16x1x4xf32>
      %126 = stablehlo.subtract %arg8, %125 : tensor<16x1x4xf32>
      %cst_31 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %127 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x4x16xf32>
      %128 = stablehlo.multiply %127, %107 : tensor<1x4x16xf32>
      %129 = stablehlo.subtract %arg9, %128 : tensor<1x4x16xf32>
      %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %130 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %131 = stablehlo.multiply %130, %112 : tensor<16x1x4xf32>
      %132 = stablehlo.subtract %arg10, %131 : tensor<16x1x4xf32>
      %cst_33 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %133 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x1x4xf32>
      %134 = stablehlo.multiply %133, %117 : tensor<16x1x4xf32>
      %135 = stablehlo.subtract %arg11, %134 : tensor<16x1x4xf32>
      %136 = "stablehlo.all_reduce"(%46) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %138 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %138 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_34 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %137 = stablehlo.divide %136, %cst_34 : tensor<f32>
      sdy.return %123, %126, %129, %132, %135, %137 : tensor<16xf32>, tensor<16x1x4xf32>, tensor<1x4x16xf32>, tensor<16x1x4xf32>, tensor<16x1x4xf32>, tensor<f32>
    } : (tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> (tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<2x1x8x8xf32>, %arg2: tensor<f32>) -> (tensor<2x1x8x8xf32>, tensor<2x1x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x1x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x1x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x1x8x8xi1>, tensor<2x1x8x8xf32>
    return %3, %1 : tensor<2x1x8x8xf32>, tensor<2x1x8x8xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x1x8x8xi1>, %arg1: tensor<2x1x8x8xf32>) -> tensor<2x1x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x1x8x8xi1>, tensor<2x1x8x8xf32>
    return %1 : tensor<2x1x8x8xf32>
  }
}
