module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=8]> {stablehlo.mesh = {axes = [{name = "data", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<8x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %arg5: tensor<8x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<32xf32> {jax.result_info = "result[0]['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['w_gate']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[0]['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:5 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) in_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"data"}, {}, {}]>, <@mesh, [{"data"}, {}, {}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"data"} (%arg6: tensor<32xf32>, %arg7: tensor<16x32xf32>, %arg8: tensor<16x32xf32>, %arg9: tensor<32x16xf32>, %arg10: tensor<1x8x16xf32>, %arg11: tensor<1x8x16xf32>) {
      %1 = stablehlo.dot_general %arg10, %arg7, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
      %2 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<1x8x32xf32>
      %4 = stablehlo.add %1, %3 : tensor<1x8x32xf32>
      %5 = stablehlo.negate %4 : tensor<1x8x32xf32>
      %6 = stablehlo.exponential %5 : tensor<1x8x32xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
      %8 = stablehlo.add %7, %6 : tensor<1x8x32xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
      %10 = stablehlo.divide %9, %8 : tensor<1x8x32xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
      %12 = stablehlo.subtract %11, %10 : tensor<1x8x32xf32>
      %13 = stablehlo.multiply %10, %12 : tensor<1x8x32xf32>
      %14 = stablehlo.dot_general %arg10, %arg8, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
      %16 = stablehlo.transpose %10, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
      %17 = stablehlo.transpose %14, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %21:7 = stablehlo.while(%iterArg = %16, %iterArg_26 = %17, %iterArg_27 = %c, %iterArg_28 = %15, %iterArg_29 = %18, %iterArg_30 = %19, %iterArg_31 = %20) : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
      cond {
        %c_32 = stablehlo.constant dense<8> : tensor<i32>
        %78 = stablehlo.compare LT, %iterArg_27, %c_32, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %78 : tensor<i1>
      } do {
        %78 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_27) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %79 = func.call @dynamic_index_in_dim(%iterArg_26, %iterArg_27) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %80:4 = func.call @closed_call(%iterArg_28, %78, %79) : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
        %81 = func.call @dynamic_update_index_in_dim(%iterArg_29, %80#1, %iterArg_27) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %82 = func.call @dynamic_update_index_in_dim(%iterArg_30, %80#2, %iterArg_27) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %83 = func.call @dynamic_update_index_in_dim(%iterArg_31, %80#3, %iterArg_27) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %c_32 = stablehlo.constant dense<1> : tensor<i32>
        %84 = stablehlo.add %iterArg_27, %c_32 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_26, %84, %80#0, %81, %82, %83 : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
      }
      %22 = stablehlo.transpose %21#4, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
      %23 = stablehlo.dot_general %22, %arg9, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<32x16xf32>) -> tensor<1x8x16xf32>
      %24 = stablehlo.add %arg10, %23 : tensor<1x8x16xf32>
      %25 = stablehlo.subtract %24, %arg11 : tensor<1x8x16xf32>
      %26 = stablehlo.multiply %25, %25 : tensor<1x8x16xf32>
      %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x8x16xf32>
      %28 = stablehlo.multiply %27, %25 : tensor<1x8x16xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %29 = stablehlo.reduce(%26 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_8 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %30 = stablehlo.divide %29, %cst_8 : tensor<f32>
      %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_10 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %31 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<1x8x16xf32>
      %33 = stablehlo.multiply %32, %28 : tensor<1x8x16xf32>
      %34 = stablehlo.dot_general %33, %22, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<1x8x32xf32>) -> tensor<16x32xf32>
      %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
      %36 = stablehlo.dot_general %33, %arg9, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<32x16xf32>) -> tensor<1x8x32xf32>
      %37 = stablehlo.transpose %36, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %39 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %40 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %41:9 = stablehlo.while(%iterArg = %37, %iterArg_26 = %21#5, %iterArg_27 = %16, %iterArg_28 = %17, %iterArg_29 = %21#6, %iterArg_30 = %c_14, %iterArg_31 = %38, %iterArg_32 = %39, %iterArg_33 = %40) : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
      cond {
        %c_34 = stablehlo.constant dense<8> : tensor<i32>
        %78 = stablehlo.compare LT, %iterArg_30, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %78 : tensor<i1>
      } do {
        %c_34 = stablehlo.constant dense<8> : tensor<i32>
        %78 = stablehlo.subtract %c_34, %iterArg_30 : tensor<i32>
        %c_35 = stablehlo.constant dense<1> : tensor<i32>
        %79 = stablehlo.subtract %78, %c_35 : tensor<i32>
        %80 = func.call @dynamic_index_in_dim(%iterArg, %79) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %81 = func.call @dynamic_index_in_dim(%iterArg_26, %79) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %82 = func.call @dynamic_index_in_dim(%iterArg_27, %79) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %83 = func.call @dynamic_index_in_dim(%iterArg_28, %79) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %84 = func.call @dynamic_index_in_dim(%iterArg_29, %79) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %85:3 = func.call @closed_call_0(%iterArg_31, %80, %81, %82, %83, %84) : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
        %86 = func.call @dynamic_update_index_in_dim(%iterArg_32, %85#1, %79) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %87 = func.call @dynamic_update_index_in_dim(%iterArg_33, %85#2, %79) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %c_36 = stablehlo.constant dense<1> : tensor<i32>
        %88 = stablehlo.add %iterArg_30, %c_36 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %88, %85#0, %86, %87 : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
      }
      %42 = stablehlo.transpose %41#8, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
      %43 = stablehlo.transpose %41#7, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
      %44 = stablehlo.dot_general %42, %arg10, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
      %45 = stablehlo.transpose %44, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %46 = stablehlo.multiply %43, %13 : tensor<1x8x32xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %47 = stablehlo.reduce(%46 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<1x8x32xf32>, tensor<f32>) -> tensor<1x32xf32>
      %48 = stablehlo.reshape %47 : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %49 = stablehlo.reduce(%48 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
      %50 = stablehlo.dot_general %46, %arg10, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
      %51 = stablehlo.transpose %50, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %52 = "stablehlo.all_reduce"(%49) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %78 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %78 : tensor<f32>
      }) : (tensor<32xf32>) -> tensor<32xf32>
      %cst_17 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %53 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %54 = stablehlo.divide %52, %53 : tensor<32xf32>
      %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %55 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %56 = stablehlo.multiply %55, %54 : tensor<32xf32>
      %57 = stablehlo.subtract %arg6, %56 : tensor<32xf32>
      %58 = "stablehlo.all_reduce"(%51) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %78 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %78 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %cst_19 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %59 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %60 = stablehlo.divide %58, %59 : tensor<16x32xf32>
      %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %61 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %62 = stablehlo.multiply %61, %60 : tensor<16x32xf32>
      %63 = stablehlo.subtract %arg7, %62 : tensor<16x32xf32>
      %64 = "stablehlo.all_reduce"(%45) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %78 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %78 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %cst_21 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %65 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %66 = stablehlo.divide %64, %65 : tensor<16x32xf32>
      %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %67 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %68 = stablehlo.multiply %67, %66 : tensor<16x32xf32>
      %69 = stablehlo.subtract %arg8, %68 : tensor<16x32xf32>
      %70 = "stablehlo.all_reduce"(%35) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %78 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %78 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
      %cst_23 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %71 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %72 = stablehlo.divide %70, %71 : tensor<32x16xf32>
      %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %73 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %74 = stablehlo.multiply %73, %72 : tensor<32x16xf32>
      %75 = stablehlo.subtract %arg9, %74 : tensor<32x16xf32>
      %76 = "stablehlo.all_reduce"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %78 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %78 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_25 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %77 = stablehlo.divide %76, %cst_25 : tensor<f32>
      sdy.return %57, %63, %69, %75, %77 : tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>
    } : (tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<8x8x16xf32>, tensor<8x8x16xf32>) -> (tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x1x32xf32>, %arg1: tensor<i32>) -> tensor<1x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 32] : (tensor<8x1x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x32xf32>) -> tensor<1x32xf32>
    return %1 : tensor<1x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x32xf32>, %arg1: tensor<1x32xf32>, %arg2: tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<1x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %2 = stablehlo.subtract %1, %arg1 : tensor<1x32xf32>
    %3 = stablehlo.multiply %2, %arg2 : tensor<1x32xf32>
    %4 = stablehlo.add %0, %3 : tensor<1x32xf32>
    return %4, %4, %arg0, %2 : tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8x1x32xf32>, %arg1: tensor<1x32xf32>, %arg2: tensor<i32>) -> tensor<8x1x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x1x32xf32>, tensor<1x1x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x1x32xf32>
    return %1 : tensor<8x1x32xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<1x32xf32>, %arg1: tensor<1x32xf32>, %arg2: tensor<1x32xf32>, %arg3: tensor<1x32xf32>, %arg4: tensor<1x32xf32>, %arg5: tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<1x32xf32>
    %1 = stablehlo.multiply %arg5, %0 : tensor<1x32xf32>
    %2 = stablehlo.multiply %0, %arg4 : tensor<1x32xf32>
    %3 = stablehlo.negate %2 : tensor<1x32xf32>
    %4 = stablehlo.multiply %arg3, %0 : tensor<1x32xf32>
    %5 = stablehlo.multiply %0, %arg2 : tensor<1x32xf32>
    %6 = stablehlo.add %3, %5 : tensor<1x32xf32>
    return %4, %6, %1 : tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>
  }
}
