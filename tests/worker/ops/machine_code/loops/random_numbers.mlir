module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<ui32>) -> (tensor<ui32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<ui32>
    cond {
      %c_1 = stablehlo.constant dense<10000> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @closed_call(%iterArg_0) : (tensor<ui32>) -> tensor<ui32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<ui32>
    }
    return %0#1 : tensor<ui32>
  }
  func.func private @closed_call(%arg0: tensor<ui32>) -> tensor<ui32> {
    %c = stablehlo.constant dense<1664525> : tensor<ui32>
    %0 = stablehlo.multiply %arg0, %c : tensor<ui32>
    %c_0 = stablehlo.constant dense<1013904223> : tensor<ui32>
    %1 = stablehlo.add %0, %c_0 : tensor<ui32>
    return %1 : tensor<ui32>
  }
}
