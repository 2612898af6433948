module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=1]> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<1x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %arg5: tensor<1x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<32xf32> {jax.result_info = "result[0]['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['w_gate']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[0]['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<1x8x32xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x8x32xf32>
    %4 = stablehlo.negate %3 : tensor<1x8x32xf32>
    %5 = stablehlo.exponential %4 : tensor<1x8x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
    %7 = stablehlo.add %6, %5 : tensor<1x8x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
    %9 = stablehlo.divide %8, %7 : tensor<1x8x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
    %11 = stablehlo.subtract %10, %9 : tensor<1x8x32xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<1x8x32xf32>
    %13 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %15 = stablehlo.transpose %9, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
    %16 = stablehlo.transpose %13, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %20:7 = stablehlo.while(%iterArg = %15, %iterArg_26 = %16, %iterArg_27 = %c, %iterArg_28 = %14, %iterArg_29 = %17, %iterArg_30 = %18, %iterArg_31 = %19) : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
    cond {
      %c_32 = stablehlo.constant dense<8> : tensor<i32>
      %77 = stablehlo.compare LT, %iterArg_27, %c_32, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %77 : tensor<i1>
    } do {
      %77 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_27) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %78 = func.call @dynamic_index_in_dim(%iterArg_26, %iterArg_27) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %79:4 = func.call @closed_call(%iterArg_28, %77, %78) : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
      %80 = func.call @dynamic_update_index_in_dim(%iterArg_29, %79#1, %iterArg_27) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %81 = func.call @dynamic_update_index_in_dim(%iterArg_30, %79#2, %iterArg_27) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %82 = func.call @dynamic_update_index_in_dim(%iterArg_31, %79#3, %iterArg_27) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %83 = stablehlo.add %iterArg_27, %c_32 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_26, %83, %79#0, %80, %81, %82 : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
    }
    %21 = stablehlo.transpose %20#4, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
    %22 = stablehlo.dot_general %21, %arg3, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<32x16xf32>) -> tensor<1x8x16xf32>
    %23 = stablehlo.add %arg4, %22 : tensor<1x8x16xf32>
    %24 = stablehlo.subtract %23, %arg5 : tensor<1x8x16xf32>
    %25 = stablehlo.multiply %24, %24 : tensor<1x8x16xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x8x16xf32>
    %27 = stablehlo.multiply %26, %24 : tensor<1x8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%25 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %29 = stablehlo.divide %28, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %30 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<1x8x16xf32>
    %32 = stablehlo.multiply %31, %27 : tensor<1x8x16xf32>
    %33 = stablehlo.dot_general %32, %21, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<1x8x32xf32>) -> tensor<16x32xf32>
    %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %35 = stablehlo.dot_general %32, %arg3, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<32x16xf32>) -> tensor<1x8x32xf32>
    %36 = stablehlo.transpose %35, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %40:9 = stablehlo.while(%iterArg = %36, %iterArg_26 = %20#5, %iterArg_27 = %15, %iterArg_28 = %16, %iterArg_29 = %20#6, %iterArg_30 = %c_14, %iterArg_31 = %37, %iterArg_32 = %38, %iterArg_33 = %39) : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
    cond {
      %c_34 = stablehlo.constant dense<8> : tensor<i32>
      %77 = stablehlo.compare LT, %iterArg_30, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %77 : tensor<i1>
    } do {
      %c_34 = stablehlo.constant dense<8> : tensor<i32>
      %77 = stablehlo.subtract %c_34, %iterArg_30 : tensor<i32>
      %c_35 = stablehlo.constant dense<1> : tensor<i32>
      %78 = stablehlo.subtract %77, %c_35 : tensor<i32>
      %79 = func.call @dynamic_index_in_dim(%iterArg, %78) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %80 = func.call @dynamic_index_in_dim(%iterArg_26, %78) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %81 = func.call @dynamic_index_in_dim(%iterArg_27, %78) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %82 = func.call @dynamic_index_in_dim(%iterArg_28, %78) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %83 = func.call @dynamic_index_in_dim(%iterArg_29, %78) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %84:3 = func.call @closed_call_0(%iterArg_31, %79, %80, %81, %82, %83) : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
      %85 = func.call @dynamic_update_index_in_dim(%iterArg_32, %84#1, %78) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %86 = func.call @dynamic_update_index_in_dim(%iterArg_33, %84#2, %78) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %c_36 = stablehlo.constant dense<1> : tensor<i32>
      %87 = stablehlo.add %iterArg_30, %c_36 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %87, %84#0, %85, %86 : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
    }
    %41 = stablehlo.transpose %40#8, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
    %42 = stablehlo.transpose %40#7, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
    %43 = stablehlo.dot_general %41, %arg4, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
    %44 = stablehlo.transpose %43, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %45 = stablehlo.multiply %42, %12 : tensor<1x8x32xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<1x8x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %47 = stablehlo.reshape %46 : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %49 = stablehlo.dot_general %45, %arg4, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
    %50 = stablehlo.transpose %49, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %51 = "stablehlo.all_reduce"(%48) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %77 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %77 : tensor<f32>
    }) : (tensor<32xf32>) -> tensor<32xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %53 = stablehlo.divide %51, %52 : tensor<32xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %55 = stablehlo.multiply %54, %53 : tensor<32xf32>
    %56 = stablehlo.subtract %arg0, %55 : tensor<32xf32>
    %57 = "stablehlo.all_reduce"(%50) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %77 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %77 : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %59 = stablehlo.divide %57, %58 : tensor<16x32xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %61 = stablehlo.multiply %60, %59 : tensor<16x32xf32>
    %62 = stablehlo.subtract %arg1, %61 : tensor<16x32xf32>
    %63 = "stablehlo.all_reduce"(%44) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %77 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %77 : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %65 = stablehlo.divide %63, %64 : tensor<16x32xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<16x32xf32>
    %68 = stablehlo.subtract %arg2, %67 : tensor<16x32xf32>
    %69 = "stablehlo.all_reduce"(%34) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %77 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %77 : tensor<f32>
    }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %71 = stablehlo.divide %69, %70 : tensor<32x16xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %73 = stablehlo.multiply %72, %71 : tensor<32x16xf32>
    %74 = stablehlo.subtract %arg3, %73 : tensor<32x16xf32>
    %75 = "stablehlo.all_reduce"(%29) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %77 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %77 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.divide %75, %cst_25 : tensor<f32>
    return %56, %62, %68, %74, %76 : tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>
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
