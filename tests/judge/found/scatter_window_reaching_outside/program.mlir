module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3x17xi16>, %arg1: tensor<5x2xi64>, %arg2: tensor<5x2x9xi16>) -> (tensor<5x3x17xi16> {jax.result_info = "result"}) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i16>, %arg4: tensor<i16>):
      %1 = stablehlo.minimum %arg3, %arg4 : tensor<i16>
      stablehlo.return %1 : tensor<i16>
    }) : (tensor<5x3x17xi16>, tensor<5x2xi64>, tensor<5x2x9xi16>) -> tensor<5x3x17xi16>
    return %0 : tensor<5x3x17xi16>
  }
}
