module @started {
  func.func public @main(%arg0: tensor<4x8xf32>) -> tensor<16x8xf32> {
    %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%arg1: tensor<4x8xf32>):
      %2 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<4x8xf32>) -> tensor<16x8xf32>
      stablehlo.return %2 : tensor<16x8xf32>
    }) : (tensor<4x8xf32>) -> !stablehlo.future<tensor<16x8xf32>>
    %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<16x8xf32>>) -> tensor<16x8xf32>
    return %1 : tensor<16x8xf32>
  }
  func.func private @elsewhere(tensor<2xf32>) -> tensor<2xf32>
}
