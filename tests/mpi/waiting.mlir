// 31 chips wait in an all_reduce for the last one, which counts for hours.
module @waiting attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 32 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %id = stablehlo.replica_id : tensor<ui32>
    %last = stablehlo.constant dense<31> : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %many = stablehlo.constant dense<1000000000000> : tensor<i64>
    %is_last = stablehlo.compare EQ, %id, %last : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %count = stablehlo.select %is_last, %many, %zero : tensor<i1>, tensor<i64>
    %counted = stablehlo.while(%i = %zero) : tensor<i64>
    cond {
      %more = stablehlo.compare LT, %i, %count : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %next : tensor<i64>
    }
    %float = stablehlo.convert %counted : (tensor<i64>) -> tensor<f32>
    %mine = stablehlo.add %arg0, %float : tensor<f32>
    %sum = "stablehlo.all_reduce"(%mine) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %ab = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %ab : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    return %sum : tensor<f32>
  }
}
