module @jit_run attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x64x64xf32>, %arg1: tensor<256x64xf32>) -> (tensor<256x64xf32> {jax.result_info = "result", mhlo.memory_kind = "device"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x256x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c, %iterArg_2 = %arg1, %iterArg_3 = %0) : tensor<4x64x64xf32>, tensor<i32>, tensor<256x64xf32>, tensor<4x256x64xf32>
    cond {
      %c_4 = stablehlo.constant dense<4> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<4x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %4:2 = func.call @closed_call(%iterArg_2, %3) : (tensor<256x64xf32>, tensor<64x64xf32>) -> (tensor<256x64xf32>, tensor<256x64xf32>)
      %5 = func.call @dynamic_update_index_in_dim(%iterArg_3, %4#1, %iterArg_1) : (tensor<4x256x64xf32>, tensor<256x64xf32>, tensor<i32>) -> tensor<4x256x64xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %6, %4#0, %5 : tensor<4x64x64xf32>, tensor<i32>, tensor<256x64xf32>, tensor<4x256x64xf32>
    }
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %1#3, %iterArg_2 = %c_0, %iterArg_3 = %1#2) : tensor<4x64x64xf32>, tensor<4x256x64xf32>, tensor<i32>, tensor<256x64xf32>
    cond {
      %c_4 = stablehlo.constant dense<4> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_2, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<4> : tensor<i32>
      %3 = stablehlo.subtract %c_4, %iterArg_2 : tensor<i32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.subtract %3, %c_5 : tensor<i32>
      %5 = func.call @dynamic_index_in_dim(%iterArg, %4) : (tensor<4x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %6 = func.call @dynamic_index_in_dim_0(%iterArg_1, %4) : (tensor<4x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %7 = func.call @closed_call_1(%iterArg_3, %5, %6) : (tensor<256x64xf32>, tensor<64x64xf32>, tensor<256x64xf32>) -> tensor<256x64xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_2, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %8, %7 : tensor<4x64x64xf32>, tensor<4x256x64xf32>, tensor<i32>, tensor<256x64xf32>
    }
    return %2#3 : tensor<256x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x64x64xf32>, %arg1: tensor<i32>) -> tensor<64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 64] : (tensor<4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
  func.func private @closed_call(%arg0: tensor<256x64xf32>, %arg1: tensor<64x64xf32>) -> (tensor<256x64xf32>, tensor<256x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
    %1 = stablehlo.tanh %0 : tensor<256x64xf32>
    %2 = stablehlo.custom_call @annotate_device_placement(%1) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<256x64xf32>) -> tensor<256x64xf32>
    return %1, %2 : tensor<256x64xf32>, tensor<256x64xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x256x64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<i32>) -> tensor<4x256x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x64xf32>) -> tensor<1x256x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x256x64xf32>, tensor<1x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x256x64xf32>
    return %1 : tensor<4x256x64xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<4x256x64xf32>, %arg1: tensor<i32>) -> tensor<256x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 64] : (tensor<4x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    return %1 : tensor<256x64xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<256x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<256x64xf32>) -> tensor<256x64xf32> {
    %0 = stablehlo.custom_call @annotate_device_placement(%arg2) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<256x64xf32>) -> tensor<256x64xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<256x64xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<256x64xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<256x64xf32>
    %5 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = stablehlo.dot_general %4, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
    return %6 : tensor<256x64xf32>
  }
}
