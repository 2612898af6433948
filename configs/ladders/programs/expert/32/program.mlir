module @jit_step attributes {mhlo.num_partitions = 32 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["expert"=32]> {stablehlo.mesh = {axes = [{name = "expert", size = 32 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<32x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg2: tensor<32x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg3: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}]>}, %arg4: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}]>}) -> (tensor<16x32xf32> {jax.result_info = "result[0]['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16x16xf32> {jax.result_info = "result[0]['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<32x16x16xf32> {jax.result_info = "result[0]['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:4 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, []>] manual_axes={"expert"} (%arg5: tensor<16x32xf32>, %arg6: tensor<1x16x16xf32>, %arg7: tensor<1x16x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<8x16xf32>) {
      %1 = stablehlo.dot_general %arg8, %arg5, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
      %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
      %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %4 = stablehlo.maximum %3, %2 : tensor<8xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
      %7 = stablehlo.subtract %1, %6 : tensor<8x32xf32>
      %8 = stablehlo.exponential %7 : tensor<8x32xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
      %12 = stablehlo.divide %8, %11 : tensor<8x32xf32>
      %13 = stablehlo.multiply %10, %10 : tensor<8x1xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
      %15 = stablehlo.divide %14, %13 : tensor<8x1xf32>
      %16 = func.call @argmax(%12) : (tensor<8x32xf32>) -> tensor<8xi32>
      %17 = func.call @_one_hot(%16) : (tensor<8xi32>) -> tensor<8x32xf32>
      %18 = func.call @cumsum(%17) : (tensor<8x32xf32>) -> tensor<8x32xf32>
      %19 = stablehlo.multiply %18, %17 : tensor<8x32xf32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
      %21 = stablehlo.subtract %19, %20 : tensor<8x32xf32>
      %22 = stablehlo.convert %21 : (tensor<8x32xf32>) -> tensor<8x32xi32>
      %23 = func.call @_one_hot_1(%22) : (tensor<8x32xi32>) -> tensor<8x32x1xf32>
      %24 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
      %25 = stablehlo.multiply %23, %24 : tensor<8x32x1xf32>
      %26 = stablehlo.dot_general %25, %arg8, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x32x1xf32>, tensor<8x16xf32>) -> tensor<32x1x16xf32>
      %27 = "stablehlo.all_to_all"(%26) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]]> : tensor<1x32xi64>, split_count = 32 : i64, split_dimension = 0 : i64}> : (tensor<32x1x16xf32>) -> tensor<32x1x16xf32>
      %28 = stablehlo.reshape %27 : (tensor<32x1x16xf32>) -> tensor<32x16xf32>
      %29 = stablehlo.reshape %arg6 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
      %30 = stablehlo.dot_general %28, %29, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
      %31 = stablehlo.tanh %30 : tensor<32x16xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %33 = stablehlo.subtract %32, %31 : tensor<32x16xf32>
      %34 = stablehlo.reshape %arg7 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
      %35 = stablehlo.dot_general %31, %34, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
      %36 = stablehlo.reshape %35 : (tensor<32x16xf32>) -> tensor<32x1x16xf32>
      %37 = "stablehlo.all_to_all"(%36) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]]> : tensor<1x32xi64>, split_count = 32 : i64, split_dimension = 0 : i64}> : (tensor<32x1x16xf32>) -> tensor<32x1x16xf32>
      %38 = stablehlo.multiply %12, %17 : tensor<8x32xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %39 = stablehlo.reduce(%38 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
      %40 = stablehlo.dot_general %25, %37, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<8x32x1xf32>, tensor<32x1x16xf32>) -> tensor<8x16xf32>
      %41 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
      %43 = stablehlo.multiply %40, %42 : tensor<8x16xf32>
      %44 = stablehlo.add %arg8, %43 : tensor<8x16xf32>
      %45 = stablehlo.subtract %44, %arg9 : tensor<8x16xf32>
      %46 = stablehlo.multiply %45, %45 : tensor<8x16xf32>
      %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %47 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %48 = stablehlo.multiply %47, %45 : tensor<8x16xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %49 = stablehlo.reduce(%46 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_8 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %50 = stablehlo.divide %49, %cst_8 : tensor<f32>
      %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_10 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %51 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %51, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %53 = stablehlo.multiply %52, %48 : tensor<8x16xf32>
      %54 = stablehlo.multiply %40, %53 : tensor<8x16xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %55 = stablehlo.reduce(%54 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
      %56 = stablehlo.reshape %55 : (tensor<8xf32>) -> tensor<8x1xf32>
      %57 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
      %58 = stablehlo.multiply %53, %57 : tensor<8x16xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %59 = stablehlo.reduce(%56 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
      %60 = stablehlo.dot_general %58, %25, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<8x32x1xf32>) -> tensor<16x32x1xf32>
      %61 = stablehlo.transpose %60, dims = [1, 2, 0] : (tensor<16x32x1xf32>) -> tensor<32x1x16xf32>
      %62 = stablehlo.broadcast_in_dim %59, dims = [0] : (tensor<8xf32>) -> tensor<8x32xf32>
      %63 = stablehlo.multiply %62, %17 : tensor<8x32xf32>
      %64 = "stablehlo.all_to_all"(%61) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]]> : tensor<1x32xi64>, split_count = 32 : i64, split_dimension = 0 : i64}> : (tensor<32x1x16xf32>) -> tensor<32x1x16xf32>
      %65 = stablehlo.reshape %64 : (tensor<32x1x16xf32>) -> tensor<32x16xf32>
      %66 = stablehlo.dot_general %65, %31, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
      %67 = stablehlo.transpose %66, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %68 = stablehlo.dot_general %65, %34, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
      %69 = stablehlo.broadcast_in_dim %67, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
      %70 = stablehlo.multiply %68, %33 : tensor<32x16xf32>
      %71 = stablehlo.multiply %70, %31 : tensor<32x16xf32>
      %72 = stablehlo.add %70, %71 : tensor<32x16xf32>
      %73 = stablehlo.dot_general %72, %28, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
      %74 = stablehlo.transpose %73, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %75 = stablehlo.broadcast_in_dim %74, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
      %76 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
      %77 = stablehlo.multiply %63, %76 : tensor<8x32xf32>
      %78 = stablehlo.multiply %77, %8 : tensor<8x32xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %79 = stablehlo.reduce(%78 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
      %80 = stablehlo.reshape %79 : (tensor<8xf32>) -> tensor<8x1xf32>
      %81 = stablehlo.negate %80 : tensor<8x1xf32>
      %82 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
      %83 = stablehlo.divide %63, %82 : tensor<8x32xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %84 = stablehlo.reduce(%81 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
      %85 = stablehlo.broadcast_in_dim %84, dims = [0] : (tensor<8xf32>) -> tensor<8x32xf32>
      %86 = stablehlo.add %83, %85 : tensor<8x32xf32>
      %87 = stablehlo.multiply %86, %8 : tensor<8x32xf32>
      %88 = stablehlo.dot_general %87, %arg8, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x32xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
      %89 = stablehlo.transpose %88, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %90 = "stablehlo.all_reduce"(%89) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]]> : tensor<1x32xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %108 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %108 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %cst_15 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %91 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %92 = stablehlo.divide %90, %91 : tensor<16x32xf32>
      %cst_16 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %93 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %94 = stablehlo.divide %75, %93 : tensor<1x16x16xf32>
      %cst_17 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %95 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %96 = stablehlo.divide %69, %95 : tensor<1x16x16xf32>
      %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %97 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %98 = stablehlo.multiply %97, %92 : tensor<16x32xf32>
      %99 = stablehlo.subtract %arg5, %98 : tensor<16x32xf32>
      %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %100 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %101 = stablehlo.multiply %100, %94 : tensor<1x16x16xf32>
      %102 = stablehlo.subtract %arg6, %101 : tensor<1x16x16xf32>
      %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %103 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %104 = stablehlo.multiply %103, %96 : tensor<1x16x16xf32>
      %105 = stablehlo.subtract %arg7, %104 : tensor<1x16x16xf32>
      %106 = "stablehlo.all_reduce"(%50) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]]> : tensor<1x32xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %108 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %108 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_21 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %107 = stablehlo.divide %106, %cst_21 : tensor<f32>
      sdy.return %99, %102, %105, %107 : tensor<16x32xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<f32>
    } : (tensor<16x32xf32>, tensor<32x16x16xf32>, tensor<32x16x16xf32>, tensor<256x16xf32>, tensor<256x16xf32>) -> (tensor<16x32xf32>, tensor<32x16x16xf32>, tensor<32x16x16xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<16x32xf32>, tensor<32x16x16xf32>, tensor<32x16x16xf32>, tensor<f32>
  }
  func.func private @argmax(%arg0: tensor<8x32xf32>) -> tensor<8xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<8x32xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<8x32xf32>, tensor<8x32xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<8xi32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x32xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x32xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x32xi32>) -> tensor<8x32xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x32xi32>, tensor<8x32xi32>) -> tensor<8x32xi1>
    %5 = stablehlo.convert %4 : (tensor<8x32xi1>) -> tensor<8x32xf32>
    return %5 : tensor<8x32xf32>
  }
  func.func private @cumsum(%arg0: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<8x32xf32>) -> tensor<8x32xf32>
    return %0 : tensor<8x32xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x32xf32>, tensor<f32>) -> tensor<8x32xf32>
    return %1 : tensor<8x32xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<8x32xi32>) -> tensor<8x32x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x32xi32>) -> tensor<8x32x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x1xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<8x32x1xi32>
    %3 = stablehlo.compare EQ, %0, %2, SIGNED : (tensor<8x32x1xi32>, tensor<8x32x1xi32>) -> tensor<8x32x1xi1>
    %4 = stablehlo.convert %3 : (tensor<8x32x1xi1>) -> tensor<8x32x1xf32>
    return %4 : tensor<8x32x1xf32>
  }
}
