// local
// 
module @jit_mapped attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "stage"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "stage", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<4x8x8xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{"stage"}, {}, {}]>] out_shardings=[<@mesh, []>] manual_axes={"data", "stage"} (%arg2: tensor<8x8xf32>, %arg3: tensor<1x8x8xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %5 = stablehlo.reshape %arg2 : (tensor<8x8xf32>) -> tensor<4x2x8xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
      %7 = stablehlo.iota dim = 0 : tensor<7xi32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x2x8xf32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %9:7 = stablehlo.while(%iterArg = %7, %iterArg_6 = %5, %iterArg_7 = %4, %iterArg_8 = %arg3, %iterArg_9 = %c_2, %iterArg_10 = %6, %iterArg_11 = %8) : tensor<7xi32>, tensor<4x2x8xf32>, tensor<i32>, tensor<1x8x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<7x2x8xf32>
      cond {
        %c_12 = stablehlo.constant dense<7> : tensor<i32>
        %16 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %16 : tensor<i1>
      } do {
        %16 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_9) : (tensor<7xi32>, tensor<i32>) -> tensor<i32>
        %17:2 = func.call @closed_call(%iterArg_6, %iterArg_7, %iterArg_8, %iterArg_10, %16) : (tensor<4x2x8xf32>, tensor<i32>, tensor<1x8x8xf32>, tensor<2x8xf32>, tensor<i32>) -> (tensor<2x8xf32>, tensor<2x8xf32>)
        %18 = func.call @dynamic_update_index_in_dim(%iterArg_11, %17#1, %iterArg_9) : (tensor<7x2x8xf32>, tensor<2x8xf32>, tensor<i32>) -> tensor<7x2x8xf32>
        %c_12 = stablehlo.constant dense<1> : tensor<i32>
        %19 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %iterArg_8, %19, %17#0, %18 : tensor<7xi32>, tensor<4x2x8xf32>, tensor<i32>, tensor<1x8x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<7x2x8xf32>
      }
      %10 = stablehlo.slice %9#6 [3:7, 0:2, 0:8] : (tensor<7x2x8xf32>) -> tensor<4x2x8xf32>
      %11 = stablehlo.multiply %10, %10 : tensor<4x2x8xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x8xf32>, tensor<f32>) -> tensor<f32>
      %cst_4 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
      %13 = stablehlo.divide %12, %cst_4 : tensor<f32>
      %14 = "stablehlo.all_reduce"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %16 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %16 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %15 = stablehlo.divide %14, %cst_5 : tensor<f32>
      sdy.return %15 : tensor<f32>
    } : (tensor<16x8xf32>, tensor<4x8x8xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<7xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<7xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<4x2x8xf32>, %arg1: tensor<i32>, %arg2: tensor<1x8x8xf32>, %arg3: tensor<2x8xf32>, %arg4: tensor<i32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %0 = stablehlo.minimum %arg4, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.add %0, %c_1 : tensor<i32>
    %3 = stablehlo.select %1, %2, %0 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %c_2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %5 = stablehlo.add %c_4, %c_5 : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.select %4, %5, %c_6 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %c_7, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %c_10 = stablehlo.constant dense<8> : tensor<i32>
    %8 = stablehlo.add %c_9, %c_10 : tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.select %7, %8, %c_11 : tensor<i1>, tensor<i32>
    %10 = stablehlo.dynamic_slice %arg0, %3, %6, %9, sizes = [1, 2, 8] : (tensor<4x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.compare EQ, %arg1, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %13 = call @_where(%12, %11, %arg3) : (tensor<i1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %14 = stablehlo.reshape %arg2 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %15 = stablehlo.dot_general %13, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %16 = stablehlo.tanh %15 : tensor<2x8xf32>
    %17 = "stablehlo.collective_permute"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]]> : tensor<8x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
    return %17, %16 : tensor<2x8xf32>, tensor<2x8xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x8xf32>, %arg2: tensor<2x8xf32>) -> tensor<2x8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<7x2x8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<i32>) -> tensor<7x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<7x2x8xf32>, tensor<1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<7x2x8xf32>
    return %1 : tensor<7x2x8xf32>
  }
}
