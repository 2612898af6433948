module @jit_remat attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x64x64xf32>, %arg1: tensor<256x64xf32>) -> (tensor<f32> {jax.result_info = "result[0]", mhlo.memory_kind = "device"}, tensor<4x64x64xf32> {jax.result_info = "result[1]", mhlo.memory_kind = "device"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x256x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x256x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_7 = %c, %iterArg_8 = %arg1, %iterArg_9 = %0, %iterArg_10 = %1) : tensor<4x64x64xf32>, tensor<i32>, tensor<256x64xf32>, tensor<4x256x64xf32>, tensor<4x256x64xf32>
    cond {
      %c_11 = stablehlo.constant dense<4> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_7, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %13 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_7) : (tensor<4x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %14:3 = func.call @closed_call(%iterArg_8, %13) : (tensor<256x64xf32>, tensor<64x64xf32>) -> (tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>)
      %15 = func.call @dynamic_update_index_in_dim(%iterArg_9, %14#1, %iterArg_7) : (tensor<4x256x64xf32>, tensor<256x64xf32>, tensor<i32>) -> tensor<4x256x64xf32>
      %16 = func.call @dynamic_update_index_in_dim_0(%iterArg_10, %14#2, %iterArg_7) : (tensor<4x256x64xf32>, tensor<256x64xf32>, tensor<i32>) -> tensor<4x256x64xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.add %iterArg_7, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %17, %14#0, %15, %16 : tensor<4x64x64xf32>, tensor<i32>, tensor<256x64xf32>, tensor<4x256x64xf32>, tensor<4x256x64xf32>
    }
    %3 = stablehlo.multiply %2#2, %2#2 : tensor<256x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<256x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %5 = stablehlo.divide %4, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %6 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %8 = stablehlo.multiply %2#2, %7 : tensor<256x64xf32>
    %9 = stablehlo.multiply %7, %2#2 : tensor<256x64xf32>
    %10 = stablehlo.add %8, %9 : tensor<256x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x64x64xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %12:6 = stablehlo.while(%iterArg = %2#3, %iterArg_7 = %2#4, %iterArg_8 = %arg0, %iterArg_9 = %c_6, %iterArg_10 = %10, %iterArg_11 = %11) : tensor<4x256x64xf32>, tensor<4x256x64xf32>, tensor<4x64x64xf32>, tensor<i32>, tensor<256x64xf32>, tensor<4x64x64xf32>
    cond {
      %c_12 = stablehlo.constant dense<4> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %c_12 = stablehlo.constant dense<4> : tensor<i32>
      %13 = stablehlo.subtract %c_12, %iterArg_9 : tensor<i32>
      %c_13 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.subtract %13, %c_13 : tensor<i32>
      %15 = func.call @dynamic_index_in_dim_1(%iterArg, %14) : (tensor<4x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %16 = func.call @dynamic_index_in_dim_2(%iterArg_7, %14) : (tensor<4x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %17 = func.call @dynamic_index_in_dim(%iterArg_8, %14) : (tensor<4x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %18:2 = func.call @closed_call_3(%iterArg_10, %15, %16, %17) : (tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>, tensor<64x64xf32>) -> (tensor<256x64xf32>, tensor<64x64xf32>)
      %19 = func.call @dynamic_update_index_in_dim_4(%iterArg_11, %18#1, %14) : (tensor<4x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<4x64x64xf32>
      %c_14 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.add %iterArg_9, %c_14 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_7, %iterArg_8, %20, %18#0, %19 : tensor<4x256x64xf32>, tensor<4x256x64xf32>, tensor<4x64x64xf32>, tensor<i32>, tensor<256x64xf32>, tensor<4x64x64xf32>
    }
    return %5, %12#5 : tensor<f32>, tensor<4x64x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x64x64xf32>, %arg1: tensor<i32>) -> tensor<64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 64] : (tensor<4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
  func.func private @closed_call(%arg0: tensor<256x64xf32>, %arg1: tensor<64x64xf32>) -> (tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
    %1 = stablehlo.sine %0 : tensor<256x64xf32>
    %2 = stablehlo.custom_call @annotate_device_placement(%1) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<256x64xf32>) -> tensor<256x64xf32>
    %3 = stablehlo.tanh %1 : tensor<256x64xf32>
    return %3, %2, %arg0 : tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x256x64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<i32>) -> tensor<4x256x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x64xf32>) -> tensor<1x256x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x256x64xf32>, tensor<1x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x256x64xf32>
    return %1 : tensor<4x256x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<4x256x64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<i32>) -> tensor<4x256x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x64xf32>) -> tensor<1x256x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x256x64xf32>, tensor<1x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x256x64xf32>
    return %1 : tensor<4x256x64xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4x256x64xf32>, %arg1: tensor<i32>) -> tensor<256x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 64] : (tensor<4x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    return %1 : tensor<256x64xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<4x256x64xf32>, %arg1: tensor<i32>) -> tensor<256x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 64] : (tensor<4x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    return %1 : tensor<256x64xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<256x64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<256x64xf32>, %arg3: tensor<64x64xf32>) -> (tensor<256x64xf32>, tensor<64x64xf32>) {
    %0:4 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg0 : tensor<256x64xf32>, tensor<256x64xf32>, tensor<64x64xf32>, tensor<256x64xf32>
    %1 = stablehlo.dot_general %0#1, %0#2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
    %2 = stablehlo.cosine %1 : tensor<256x64xf32>
    %3 = stablehlo.custom_call @annotate_device_placement(%0#0) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<256x64xf32>) -> tensor<256x64xf32>
    %4 = stablehlo.tanh %3 : tensor<256x64xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<256x64xf32>
    %7 = stablehlo.multiply %0#3, %6 : tensor<256x64xf32>
    %8 = stablehlo.multiply %7, %4 : tensor<256x64xf32>
    %9 = stablehlo.add %7, %8 : tensor<256x64xf32>
    %10 = stablehlo.multiply %9, %2 : tensor<256x64xf32>
    %11 = stablehlo.dot_general %10, %0#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<64x64xf32>
    %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %13 = stablehlo.dot_general %10, %0#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
    return %13, %12 : tensor<256x64xf32>, tensor<64x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<4x64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<i32>) -> tensor<4x64x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x64xf32>
    return %1 : tensor<4x64x64xf32>
  }
}
