module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100xf32>) -> (tensor<2xf32> {jax.result_info = "result[0]"}, tensor<100xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:2] : (tensor<100xf32>) -> tensor<2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<100xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %0, %iterArg_2 = %1) : tensor<100xf32>, tensor<i32>, tensor<2xf32>, tensor<100xf32>
    cond {
      %c_3 = stablehlo.constant dense<100> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_0, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<100xf32>, tensor<i32>) -> tensor<f32>
      %4:2 = func.call @closed_call(%iterArg_1, %3) : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
      %5 = func.call @dynamic_update_index_in_dim(%iterArg_2, %4#1, %iterArg_0) : (tensor<100xf32>, tensor<f32>, tensor<i32>) -> tensor<100xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_0, %c_3 : tensor<i32>
      stablehlo.return %iterArg, %6, %4#0, %5 : tensor<100xf32>, tensor<i32>, tensor<2xf32>, tensor<100xf32>
    }
    return %2#2, %2#3 : tensor<2xf32>, tensor<100xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<100xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<100xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<2xf32>, %arg1: tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<1.600000e+00> : tensor<f32>
    %2 = stablehlo.multiply %cst, %1 : tensor<f32>
    %3 = stablehlo.slice %arg0 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.699999988> : tensor<f32>
    %5 = stablehlo.multiply %cst_0, %4 : tensor<f32>
    %6 = stablehlo.subtract %2, %5 : tensor<f32>
    %7 = stablehlo.add %6, %arg1 : tensor<f32>
    %8 = stablehlo.slice %arg0 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %9 = stablehlo.reshape %8 : (tensor<1xf32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %12 = stablehlo.concatenate %10, %11, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %13 = stablehlo.slice %arg0 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
    return %12, %14 : tensor<2xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<100xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<100xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<100xf32>, tensor<1xf32>, tensor<i32>) -> tensor<100xf32>
    return %1 : tensor<100xf32>
  }
}
