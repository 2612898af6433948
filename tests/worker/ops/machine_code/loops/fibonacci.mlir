module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100xi32>) -> (tensor<2xi32> {jax.result_info = "result[0]"}, tensor<100xi32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:2] : (tensor<100xi32>) -> tensor<2xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<100xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c_0, %iterArg_2 = %0, %iterArg_3 = %1) : tensor<100xi32>, tensor<i32>, tensor<2xi32>, tensor<100xi32>
    cond {
      %c_4 = stablehlo.constant dense<100> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<100xi32>, tensor<i32>) -> tensor<i32>
      %4:2 = func.call @closed_call(%iterArg_2, %3) : (tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
      %5 = func.call @dynamic_update_index_in_dim(%iterArg_3, %4#1, %iterArg_1) : (tensor<100xi32>, tensor<i32>, tensor<i32>) -> tensor<100xi32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %6, %4#0, %5 : tensor<100xi32>, tensor<i32>, tensor<2xi32>, tensor<100xi32>
    }
    return %2#2, %2#3 : tensor<2xi32>, tensor<100xi32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<100xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<100xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<2xi32>, %arg1: tensor<i32>) -> (tensor<2xi32>, tensor<i32>) {
    %0 = stablehlo.slice %arg0 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    %2 = stablehlo.slice %arg0 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
    %4 = stablehlo.add %3, %arg1 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.slice %arg0 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %9 = stablehlo.reshape %8 : (tensor<1xi32>) -> tensor<i32>
    return %7, %9 : tensor<2xi32>, tensor<i32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<100xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<100xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<100xi32>, tensor<1xi32>, tensor<i32>) -> tensor<100xi32>
    return %1 : tensor<100xi32>
  }
}
