module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=1, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg3: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg4: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg5: tensor<2x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %arg6: tensor<2x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<16xf32> {jax.result_info = "result[0]['scale']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<4x4x16xf32> {jax.result_info = "result[0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:6 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) in_shardings=[<@mesh, [{}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{"model"}, {}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{"data"}, {}, {}]>, <@mesh, [{"data"}, {}, {}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{"model"}, {}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, []>] manual_axes={"data", "model"} (%arg7: tensor<16xf32>, %arg8: tensor<16x2x4xf32>, %arg9: tensor<2x4x16xf32>, %arg10: tensor<16x2x4xf32>, %arg11: tensor<16x2x4xf32>, %arg12: tensor<2x8x16xf32>, %arg13: tensor<2x8x16xf32>) {
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
      %14 = stablehlo.dot_general %13, %arg10, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<16x2x4xf32>) -> tensor<2x8x2x4xf32>
      %15 = stablehlo.dot_general %13, %arg8, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<16x2x4xf32>) -> tensor<2x8x2x4xf32>
      %16 = stablehlo.dot_general %13, %arg11, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<16x2x4xf32>) -> tensor<2x8x2x4xf32>
      %17 = stablehlo.dot_general %14, %15, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x2x8x8xf32>
      %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
      %19 = stablehlo.divide %17, %18 : tensor<2x2x8x8xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %20 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
      %21 = func.call @tril(%20) : (tensor<8x8xi1>) -> tensor<8x8xi1>
      %cst_3 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %22:2 = func.call @_where(%21, %19, %cst_3) : (tensor<8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> (tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>)
      %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %23 = stablehlo.reduce(%22#0 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
      %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %25 = stablehlo.maximum %24, %23 : tensor<2x2x8xf32>
      %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
      %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
      %28 = stablehlo.subtract %22#0, %27 : tensor<2x2x8x8xf32>
      %29 = stablehlo.exponential %28 : tensor<2x2x8x8xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
      %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
      %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
      %33 = stablehlo.divide %29, %32 : tensor<2x2x8x8xf32>
      %34 = stablehlo.multiply %31, %31 : tensor<2x2x8x1xf32>
      %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x8x1xf32>
      %36 = stablehlo.divide %35, %34 : tensor<2x2x8x1xf32>
      %37 = stablehlo.dot_general %16, %33, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x8x2x4xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x4x8xf32>
      %38 = stablehlo.dot_general %37, %arg9, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<2x2x4x8xf32>, tensor<2x4x16xf32>) -> tensor<2x8x16xf32>
      %39 = "stablehlo.all_reduce"(%38) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
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
      %50 = "stablehlo.all_reduce"(%49) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
      }) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
      %51 = stablehlo.dot_general %50, %37, contracting_dims = [0, 1] x [0, 3], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<2x2x4x8xf32>) -> tensor<16x2x4xf32>
      %52 = stablehlo.transpose %51, dims = [1, 2, 0] : (tensor<16x2x4xf32>) -> tensor<2x4x16xf32>
      %53 = stablehlo.dot_general %50, %arg9, contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x8x16xf32>, tensor<2x4x16xf32>) -> tensor<2x8x2x4xf32>
      %54 = stablehlo.transpose %53, dims = [0, 2, 3, 1] : (tensor<2x8x2x4xf32>) -> tensor<2x2x4x8xf32>
      %55 = stablehlo.dot_general %54, %16, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x2x4x8xf32>, tensor<2x8x2x4xf32>) -> tensor<2x2x8x8xf32>
      %56 = stablehlo.dot_general %54, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x2x4x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x4x8xf32>
      %57 = stablehlo.transpose %56, dims = [0, 3, 1, 2] : (tensor<2x2x4x8xf32>) -> tensor<2x8x2x4xf32>
      %58 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
      %59 = stablehlo.multiply %55, %58 : tensor<2x2x8x8xf32>
      %60 = stablehlo.multiply %59, %29 : tensor<2x2x8x8xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %61 = stablehlo.reduce(%60 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
      %62 = stablehlo.reshape %61 : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
      %63 = stablehlo.negate %62 : tensor<2x2x8x1xf32>
      %64 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
      %65 = stablehlo.divide %55, %64 : tensor<2x2x8x8xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %66 = stablehlo.reduce(%63 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x1xf32>, tensor<f32>) -> tensor<2x2x8xf32>
      %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x8xf32>
      %68 = stablehlo.add %65, %67 : tensor<2x2x8x8xf32>
      %69 = stablehlo.multiply %68, %29 : tensor<2x2x8x8xf32>
      %70 = func.call @_where_0(%22#1, %69) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
      %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %71 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
      %72 = stablehlo.divide %70, %71 : tensor<2x2x8x8xf32>
      %73 = stablehlo.dot_general %72, %14, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x2x8x8xf32>, tensor<2x8x2x4xf32>) -> tensor<2x2x8x4xf32>
      %74 = stablehlo.transpose %73, dims = [0, 2, 1, 3] : (tensor<2x2x8x4xf32>) -> tensor<2x8x2x4xf32>
      %75 = stablehlo.dot_general %72, %15, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x2x8x8xf32>, tensor<2x8x2x4xf32>) -> tensor<2x2x8x4xf32>
      %76 = stablehlo.transpose %75, dims = [0, 2, 1, 3] : (tensor<2x2x8x4xf32>) -> tensor<2x8x2x4xf32>
      %77 = stablehlo.dot_general %57, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x8x2x4xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
      %78 = stablehlo.transpose %77, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %79 = stablehlo.dot_general %57, %arg11, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x8x2x4xf32>, tensor<16x2x4xf32>) -> tensor<2x8x16xf32>
      %80 = stablehlo.dot_general %74, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x8x2x4xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
      %81 = stablehlo.transpose %80, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %82 = stablehlo.dot_general %74, %arg8, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x8x2x4xf32>, tensor<16x2x4xf32>) -> tensor<2x8x16xf32>
      %83 = stablehlo.add %79, %82 : tensor<2x8x16xf32>
      %84 = stablehlo.dot_general %76, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x8x2x4xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
      %85 = stablehlo.transpose %84, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %86 = stablehlo.dot_general %76, %arg10, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x8x2x4xf32>, tensor<16x2x4xf32>) -> tensor<2x8x16xf32>
      %87 = stablehlo.add %83, %86 : tensor<2x8x16xf32>
      %88 = stablehlo.multiply %10, %87 : tensor<2x8x16xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %89 = stablehlo.reduce(%88 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<16xf32>
      %90 = stablehlo.reshape %89 : (tensor<16xf32>) -> tensor<1x1x16xf32>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %91 = stablehlo.reduce(%90 init: %cst_17) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
      %92 = "stablehlo.all_reduce"(%91) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
      }) : (tensor<16xf32>) -> tensor<16xf32>
      %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %93 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %94 = stablehlo.divide %92, %93 : tensor<16xf32>
      %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %95 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %96 = stablehlo.divide %94, %95 : tensor<16xf32>
      %97 = "stablehlo.all_reduce"(%81) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
      }) : (tensor<16x2x4xf32>) -> tensor<16x2x4xf32>
      %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %98 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %99 = stablehlo.divide %97, %98 : tensor<16x2x4xf32>
      %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %100 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %101 = stablehlo.divide %99, %100 : tensor<16x2x4xf32>
      %102 = "stablehlo.all_reduce"(%52) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
      }) : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
      %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %103 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
      %104 = stablehlo.divide %102, %103 : tensor<2x4x16xf32>
      %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %105 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
      %106 = stablehlo.divide %104, %105 : tensor<2x4x16xf32>
      %107 = "stablehlo.all_reduce"(%85) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
      }) : (tensor<16x2x4xf32>) -> tensor<16x2x4xf32>
      %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %108 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %109 = stablehlo.divide %107, %108 : tensor<16x2x4xf32>
      %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %110 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %111 = stablehlo.divide %109, %110 : tensor<16x2x4xf32>
      %112 = "stablehlo.all_reduce"(%78) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
      }) : (tensor<16x2x4xf32>) -> tensor<16x2x4xf32>
      %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %113 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %114 = stablehlo.divide %112, %113 : tensor<16x2x4xf32>
      %cst_27 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %115 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %116 = stablehlo.divide %114, %115 : tensor<16x2x4xf32>
      %117 = "stablehlo.all_reduce"(%96) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
      }) : (tensor<16xf32>) -> tensor<16xf32>
      %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %118 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %119 = stablehlo.divide %117, %118 : tensor<16xf32>
      %cst_29 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %120 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %121 = stablehlo.multiply %120, %119 : tensor<16xf32>
      %122 = stablehlo.subtract %arg7, %121 : tensor<16xf32>
      %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %123 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %124 = stablehlo.multiply %123, %101 : tensor<16x2x4xf32>
      %125 = stablehlo.subtract %arg8, %124 : tensor<16x2x4xf32>
      %cst_31 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %126 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
      %127 = stablehlo.multiply %126, %106 : tensor<2x4x16xf32>
      %128 = stablehlo.subtract %arg9, %127 : tensor<2x4x16xf32>
      %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %129 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %130 = stablehlo.multiply %129, %111 : tensor<16x2x4xf32>
      %131 = stablehlo.subtract %arg10, %130 : tensor<16x2x4xf32>
      %cst_33 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %132 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %133 = stablehlo.multiply %132, %116 : tensor<16x2x4xf32>
      %134 = stablehlo.subtract %arg11, %133 : tensor<16x2x4xf32>
      %135 = "stablehlo.all_reduce"(%46) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %137 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %137 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_34 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %136 = stablehlo.divide %135, %cst_34 : tensor<f32>
      sdy.return %122, %125, %128, %131, %134, %136 : tensor<16xf32>, tensor<16x2x4xf32>, tensor<2x4x16xf32>, tensor<16x2x4xf32>, tensor<16x2x4xf32>, tensor<f32>
    } : (tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> (tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<f32>)
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
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>
    return %3, %1 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x2x8x8xi1>, %arg1: tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>
    return %1 : tensor<2x2x8x8xf32>
  }
}
