module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["expert"=1]> {stablehlo.mesh = {axes = [{name = "expert", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<16x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg2: tensor<1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg3: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}]>}, %arg4: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}]>}) -> (tensor<16x1xf32> {jax.result_info = "result[0]['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<1x16x16xf32> {jax.result_info = "result[0]['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<1x16x16xf32> {jax.result_info = "result[0]['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<16x1xf32>) -> tensor<8x1xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %5 = stablehlo.subtract %0, %4 : tensor<8x1xf32>
    %6 = stablehlo.exponential %5 : tensor<8x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %9 = stablehlo.divide %6, %8 : tensor<8x1xf32>
    %10 = stablehlo.multiply %8, %8 : tensor<8x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %12 = stablehlo.divide %11, %10 : tensor<8x1xf32>
    %13 = call @argmax(%9) : (tensor<8x1xf32>) -> tensor<8xi32>
    %14 = call @_one_hot(%13) : (tensor<8xi32>) -> tensor<8x1xf32>
    %15 = call @cumsum(%14) : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<8x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %18 = stablehlo.subtract %16, %17 : tensor<8x1xf32>
    %19 = stablehlo.convert %18 : (tensor<8x1xf32>) -> tensor<8x1xi32>
    %20 = call @_one_hot_1(%19) : (tensor<8x1xi32>) -> tensor<8x1x16xf32>
    %21 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x1x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<8x1x1xf32>) -> tensor<8x1x16xf32>
    %23 = stablehlo.multiply %20, %22 : tensor<8x1x16xf32>
    %24 = stablehlo.dot_general %23, %arg3, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x1x16xf32>, tensor<8x16xf32>) -> tensor<1x16x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %26 = stablehlo.reshape %arg1 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %27 = stablehlo.dot_general %25, %26, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %28 = stablehlo.tanh %27 : tensor<16x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %30 = stablehlo.subtract %29, %28 : tensor<16x16xf32>
    %31 = stablehlo.reshape %arg2 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %32 = stablehlo.dot_general %28, %31, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %33 = stablehlo.reshape %32 : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %34 = stablehlo.multiply %9, %14 : tensor<8x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %36 = stablehlo.dot_general %23, %33, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<8x1x16xf32>, tensor<1x16x16xf32>) -> tensor<8x16xf32>
    %37 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
    %39 = stablehlo.multiply %36, %38 : tensor<8x16xf32>
    %40 = stablehlo.add %arg3, %39 : tensor<8x16xf32>
    %41 = stablehlo.subtract %40, %arg4 : tensor<8x16xf32>
    %42 = stablehlo.multiply %41, %41 : tensor<8x16xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %44 = stablehlo.multiply %43, %41 : tensor<8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%42 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %46 = stablehlo.divide %45, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %47 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %49 = stablehlo.multiply %48, %44 : tensor<8x16xf32>
    %50 = stablehlo.multiply %36, %49 : tensor<8x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.reshape %51 : (tensor<8xf32>) -> tensor<8x1xf32>
    %53 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
    %54 = stablehlo.multiply %49, %53 : tensor<8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%52 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %56 = stablehlo.dot_general %54, %23, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<8x1x16xf32>) -> tensor<16x1x16xf32>
    %57 = stablehlo.transpose %56, dims = [1, 2, 0] : (tensor<16x1x16xf32>) -> tensor<1x16x16xf32>
    %58 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %59 = stablehlo.multiply %58, %14 : tensor<8x1xf32>
    %60 = stablehlo.reshape %57 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %61 = stablehlo.dot_general %60, %28, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %62 = stablehlo.transpose %61, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %63 = stablehlo.dot_general %60, %31, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %64 = stablehlo.broadcast_in_dim %62, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %65 = stablehlo.multiply %63, %30 : tensor<16x16xf32>
    %66 = stablehlo.multiply %65, %28 : tensor<16x16xf32>
    %67 = stablehlo.add %65, %66 : tensor<16x16xf32>
    %68 = stablehlo.dot_general %67, %25, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %69 = stablehlo.transpose %68, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %71 = stablehlo.multiply %59, %12 : tensor<8x1xf32>
    %72 = stablehlo.multiply %71, %6 : tensor<8x1xf32>
    %73 = stablehlo.negate %72 : tensor<8x1xf32>
    %74 = stablehlo.divide %59, %8 : tensor<8x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%73 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %77 = stablehlo.add %74, %76 : tensor<8x1xf32>
    %78 = stablehlo.multiply %77, %6 : tensor<8x1xf32>
    %79 = stablehlo.dot_general %78, %arg3, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<1x16xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0] : (tensor<1x16xf32>) -> tensor<16x1xf32>
    %81 = "stablehlo.all_reduce"(%80) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %99 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %99 : tensor<f32>
    }) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %83 = stablehlo.divide %81, %82 : tensor<16x1xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %85 = stablehlo.divide %70, %84 : tensor<1x16x16xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %87 = stablehlo.divide %64, %86 : tensor<1x16x16xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %89 = stablehlo.multiply %88, %83 : tensor<16x1xf32>
    %90 = stablehlo.subtract %arg0, %89 : tensor<16x1xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %92 = stablehlo.multiply %91, %85 : tensor<1x16x16xf32>
    %93 = stablehlo.subtract %arg1, %92 : tensor<1x16x16xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %95 = stablehlo.multiply %94, %87 : tensor<1x16x16xf32>
    %96 = stablehlo.subtract %arg2, %95 : tensor<1x16x16xf32>
    %97 = "stablehlo.all_reduce"(%46) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %99 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %99 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %98 = stablehlo.divide %97, %cst_20 : tensor<f32>
    return %90, %93, %96, %98 : tensor<16x1xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<f32>
  }
  func.func private @argmax(%arg0: tensor<8x1xf32>) -> tensor<8xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<8x1xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<8x1xf32>, tensor<8x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
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
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x1xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<8x1xi32>
    %3 = stablehlo.compare EQ, %0, %2, SIGNED : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
    %4 = stablehlo.convert %3 : (tensor<8x1xi1>) -> tensor<8x1xf32>
    return %4 : tensor<8x1xf32>
  }
  func.func private @cumsum(%arg0: tensor<8x1xf32>) -> tensor<8x1xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<8x1xf32>) -> tensor<8x1xf32>
    return %0 : tensor<8x1xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<8x1xf32>) -> tensor<8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
    return %1 : tensor<8x1xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<8x1xi32>) -> tensor<8x1x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x1x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x16xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x1x1xi32>) -> tensor<8x1x16xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x16xi32>) -> tensor<8x1x16xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x1x16xi32>, tensor<8x1x16xi32>) -> tensor<8x1x16xi1>
    %5 = stablehlo.convert %4 : (tensor<8x1x16xi1>) -> tensor<8x1x16xf32>
    return %5 : tensor<8x1x16xf32>
  }
}
