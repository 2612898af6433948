module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100xf32>, %arg1: tensor<1000xf32>) -> (tensor<1000xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1000xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %arg0, %iterArg_2 = %c_0, %iterArg_3 = %0) : tensor<1000xf32>, tensor<100xf32>, tensor<i32>, tensor<1000xi32>
    cond {
      %c_4 = stablehlo.constant dense<1000> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_2, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<1000xf32>, tensor<i32>) -> tensor<f32>
      %3 = func.call @closed_call(%iterArg_1, %2) : (tensor<100xf32>, tensor<f32>) -> tensor<i32>
      %4 = func.call @dynamic_update_index_in_dim(%iterArg_3, %3, %iterArg_2) : (tensor<1000xi32>, tensor<i32>, tensor<i32>) -> tensor<1000xi32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_2, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %5, %4 : tensor<1000xf32>, tensor<100xf32>, tensor<i32>, tensor<1000xi32>
    }
    return %1#3 : tensor<1000xi32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<1000xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<1000xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<100xf32>, %arg1: tensor<f32>) -> tensor<i32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<100> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %c, %iterArg_3 = %c_0) : tensor<100xf32>, tensor<f32>, tensor<i32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %iterArg_2, %iterArg_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg_2, %iterArg_3 : tensor<i32>
      %c_4 = stablehlo.constant dense<2> : tensor<i32>
      %2 = func.call @floor_divide(%1, %c_4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %3 = stablehlo.compare LT, %2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.convert %2 : tensor<i32>
      %c_6 = stablehlo.constant dense<100> : tensor<i32>
      %5 = stablehlo.add %4, %c_6 : tensor<i32>
      %6 = stablehlo.select %3, %5, %2 : tensor<i1>, tensor<i32>
      %7 = stablehlo.dynamic_slice %iterArg, %6, sizes = [1] : (tensor<100xf32>, tensor<i32>) -> tensor<1xf32>
      %8 = stablehlo.reshape %7 : (tensor<1xf32>) -> tensor<f32>
      %9 = stablehlo.compare LT, %8, %iterArg_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %2, %c_7 : tensor<i32>
      %11 = func.call @_where(%9, %10, %iterArg_2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %12 = stablehlo.compare LT, %2, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %13 = stablehlo.convert %2 : tensor<i32>
      %c_9 = stablehlo.constant dense<100> : tensor<i32>
      %14 = stablehlo.add %13, %c_9 : tensor<i32>
      %15 = stablehlo.select %12, %14, %2 : tensor<i1>, tensor<i32>
      %16 = stablehlo.dynamic_slice %iterArg, %15, sizes = [1] : (tensor<100xf32>, tensor<i32>) -> tensor<1xf32>
      %17 = stablehlo.reshape %16 : (tensor<1xf32>) -> tensor<f32>
      %18 = stablehlo.compare LT, %17, %iterArg_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %19 = func.call @_where(%18, %iterArg_3, %2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %11, %19 : tensor<100xf32>, tensor<f32>, tensor<i32>, tensor<i32>
    }
    return %0#2 : tensor<i32>
  }
  func.func private @floor_divide(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<i32>
    %1 = stablehlo.sign %arg0 : tensor<i32>
    %2 = stablehlo.sign %arg1 : tensor<i32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare NE, %4, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<i1>
    %7 = stablehlo.compare NE, %3, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.convert %7 : tensor<i1>
    %c_1 = stablehlo.constant dense<false> : tensor<i1>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<i1>
    %10 = stablehlo.compare NE, %5, %9, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %11 = stablehlo.convert %10 : tensor<i1>
    %12 = stablehlo.and %8, %11 : tensor<i1>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %13 = stablehlo.subtract %0, %c_2 : tensor<i32>
    %14 = call @_where(%12, %13, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %14 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<1000xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1000xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<1000xi32>, tensor<1xi32>, tensor<i32>) -> tensor<1000xi32>
    return %1 : tensor<1000xi32>
  }
}
