module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["expert"=2]> {stablehlo.mesh = {axes = [{name = "expert", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<2x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg2: tensor<2x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg3: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}]>}, %arg4: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}]>}) -> (tensor<16x2xf32> {jax.result_info = "result[0]['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<2x16x16xf32> {jax.result_info = "result[0]['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<2x16x16xf32> {jax.result_info = "result[0]['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:4 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, []>] manual_axes={"expert"} (%arg5: tensor<16x2xf32>, %arg6: tensor<1x16x16xf32>, %arg7: tensor<1x16x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<8x16xf32>) {
      %1 = stablehlo.dot_general %arg8, %arg5, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<16x2xf32>) -> tensor<8x2xf32>
      %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<8xf32>
      %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %4 = stablehlo.maximum %3, %2 : tensor<8xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
      %7 = stablehlo.subtract %1, %6 : tensor<8x2xf32>
      %8 = stablehlo.exponential %7 : tensor<8x2xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<8xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
      %12 = stablehlo.divide %8, %11 : tensor<8x2xf32>
      %13 = stablehlo.multiply %10, %10 : tensor<8x1xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
      %15 = stablehlo.divide %14, %13 : tensor<8x1xf32>
      %16 = func.call @argmax(%12) : (tensor<8x2xf32>) -> tensor<8xi32>
      %17 = func.call @_one_hot(%16) : (tensor<8xi32>) -> tensor<8x2xf32>
      %18 = func.call @cumsum(%17) : (tensor<8x2xf32>) -> tensor<8x2xf32>
      %19 = stablehlo.multiply %18, %17 : tensor<8x2xf32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
      %21 = stablehlo.subtract %19, %20 : tensor<8x2xf32>
      %22 = stablehlo.convert %21 : (tensor<8x2xf32>) -> tensor<8x2xi32>
      %23 = func.call @_one_hot_1(%22) : (tensor<8x2xi32>) -> tensor<8x2x8xf32>
      %24 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<8x2xf32>) -> tensor<8x2x1xf32>
      %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<8x2x1xf32>) -> tensor<8x2x8xf32>
      %26 = stablehlo.multiply %23, %25 : tensor<8x2x8xf32>
      %27 = stablehlo.dot_general %26, %arg8, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x2x8xf32>, tensor<8x16xf32>) -> tensor<2x8x16xf32>
      %28 = "stablehlo.all_to_all"(%27) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
      %29 = stablehlo.reshape %28 : (tensor<2x8x16xf32>) -> tensor<16x16xf32>
      %30 = stablehlo.reshape %arg6 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
      %31 = stablehlo.dot_general %29, %30, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %32 = stablehlo.tanh %31 : tensor<16x16xf32>
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %34 = stablehlo.subtract %33, %32 : tensor<16x16xf32>
      %35 = stablehlo.reshape %arg7 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
      %36 = stablehlo.dot_general %32, %35, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %37 = stablehlo.reshape %36 : (tensor<16x16xf32>) -> tensor<2x8x16xf32>
      %38 = "stablehlo.all_to_all"(%37) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
      %39 = stablehlo.multiply %12, %17 : tensor<8x2xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %40 = stablehlo.reduce(%39 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<8xf32>
      %41 = stablehlo.dot_general %26, %38, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<8x2x8xf32>, tensor<2x8x16xf32>) -> tensor<8x16xf32>
      %42 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
      %44 = stablehlo.multiply %41, %43 : tensor<8x16xf32>
      %45 = stablehlo.add %arg8, %44 : tensor<8x16xf32>
      %46 = stablehlo.subtract %45, %arg9 : tensor<8x16xf32>
      %47 = stablehlo.multiply %46, %46 : tensor<8x16xf32>
      %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %48 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %49 = stablehlo.multiply %48, %46 : tensor<8x16xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %50 = stablehlo.reduce(%47 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_8 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %51 = stablehlo.divide %50, %cst_8 : tensor<f32>
      %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_10 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %52 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
      %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %54 = stablehlo.multiply %53, %49 : tensor<8x16xf32>
      %55 = stablehlo.multiply %41, %54 : tensor<8x16xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %56 = stablehlo.reduce(%55 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
      %57 = stablehlo.reshape %56 : (tensor<8xf32>) -> tensor<8x1xf32>
      %58 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
      %59 = stablehlo.multiply %54, %58 : tensor<8x16xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %60 = stablehlo.reduce(%57 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
      %61 = stablehlo.dot_general %59, %26, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<8x2x8xf32>) -> tensor<16x2x8xf32>
      %62 = stablehlo.transpose %61, dims = [1, 2, 0] : (tensor<16x2x8xf32>) -> tensor<2x8x16xf32>
      %63 = stablehlo.broadcast_in_dim %60, dims = [0] : (tensor<8xf32>) -> tensor<8x2xf32>
      %64 = stablehlo.multiply %63, %17 : tensor<8x2xf32>
      %65 = "stablehlo.all_to_all"(%62) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
      %66 = stablehlo.reshape %65 : (tensor<2x8x16xf32>) -> tensor<16x16xf32>
      %67 = stablehlo.dot_general %66, %32, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %68 = stablehlo.transpose %67, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %69 = stablehlo.dot_general %66, %35, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %70 = stablehlo.broadcast_in_dim %68, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
      %71 = stablehlo.multiply %69, %34 : tensor<16x16xf32>
      %72 = stablehlo.multiply %71, %32 : tensor<16x16xf32>
      %73 = stablehlo.add %71, %72 : tensor<16x16xf32>
      %74 = stablehlo.dot_general %73, %29, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %76 = stablehlo.broadcast_in_dim %75, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
      %77 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
      %78 = stablehlo.multiply %64, %77 : tensor<8x2xf32>
      %79 = stablehlo.multiply %78, %8 : tensor<8x2xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %80 = stablehlo.reduce(%79 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<8xf32>
      %81 = stablehlo.reshape %80 : (tensor<8xf32>) -> tensor<8x1xf32>
      %82 = stablehlo.negate %81 : tensor<8x1xf32>
      %83 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
      %84 = stablehlo.divide %64, %83 : tensor<8x2xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %85 = stablehlo.reduce(%82 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
      %86 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<8xf32>) -> tensor<8x2xf32>
      %87 = stablehlo.add %84, %86 : tensor<8x2xf32>
      %88 = stablehlo.multiply %87, %8 : tensor<8x2xf32>
      %89 = stablehlo.dot_general %88, %arg8, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x2xf32>, tensor<8x16xf32>) -> tensor<2x16xf32>
      %90 = stablehlo.transpose %89, dims = [1, 0] : (tensor<2x16xf32>) -> tensor<16x2xf32>
      %91 = "stablehlo.all_reduce"(%90) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %109 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %109 : tensor<f32>
      }) : (tensor<16x2xf32>) -> tensor<16x2xf32>
      %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %92 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
      %93 = stablehlo.divide %91, %92 : tensor<16x2xf32>
      %cst_16 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %94 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %95 = stablehlo.divide %76, %94 : tensor<1x16x16xf32>
      %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %96 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %97 = stablehlo.divide %70, %96 : tensor<1x16x16xf32>
      %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %98 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
      %99 = stablehlo.multiply %98, %93 : tensor<16x2xf32>
      %100 = stablehlo.subtract %arg5, %99 : tensor<16x2xf32>
      %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %101 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %102 = stablehlo.multiply %101, %95 : tensor<1x16x16xf32>
      %103 = stablehlo.subtract %arg6, %102 : tensor<1x16x16xf32>
      %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %104 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %105 = stablehlo.multiply %104, %97 : tensor<1x16x16xf32>
      %106 = stablehlo.subtract %arg7, %105 : tensor<1x16x16xf32>
      %107 = "stablehlo.all_reduce"(%51) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %109 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %109 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %108 = stablehlo.divide %107, %cst_21 : tensor<f32>
      sdy.return %100, %103, %106, %108 : tensor<16x2xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<f32>
    } : (tensor<16x2xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> (tensor<16x2xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<16x2xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<f32>
  }
  func.func private @argmax(%arg0: tensor<8x2xf32>) -> tensor<8xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<8x2xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<8x2xf32>, tensor<8x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
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
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x2xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x2xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<8x2xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi1>
    %5 = stablehlo.convert %4 : (tensor<8x2xi1>) -> tensor<8x2xf32>
    return %5 : tensor<8x2xf32>
  }
  func.func private @cumsum(%arg0: tensor<8x2xf32>) -> tensor<8x2xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    return %0 : tensor<8x2xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<8x2xf32>) -> tensor<8x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xf32>
    return %1 : tensor<8x2xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<8x2xi32>) -> tensor<8x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x2xi32>) -> tensor<8x2x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x2x1xi32>) -> tensor<8x2x8xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x8xi32>) -> tensor<8x2x8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x2x8xi32>, tensor<8x2x8xi32>) -> tensor<8x2x8xi1>
    %5 = stablehlo.convert %4 : (tensor<8x2x8xi1>) -> tensor<8x2x8xf32>
    return %5 : tensor<8x2x8xf32>
  }
}
