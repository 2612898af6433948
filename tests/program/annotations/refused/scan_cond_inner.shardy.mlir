module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x2xf32> {jax.result_info = "result"}) {
    %0 = call @"<lambda>"(%arg0) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    return %0 : tensor<8x2xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<8x2xf32>) -> tensor<8x2xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:3 = stablehlo.while(%iterArg = %0, %iterArg_0 = %c, %iterArg_1 = %arg0) : tensor<3xi32>, tensor<i32>, tensor<8x2xf32>
    cond {
      %c_2 = stablehlo.constant dense<3> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
      %3 = func.call @closed_call(%iterArg_1, %2) : (tensor<8x2xf32>, tensor<i32>) -> tensor<8x2xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %4, %3 : tensor<3xi32>, tensor<i32>, tensor<8x2xf32>
    }
    return %1#2 : tensor<8x2xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<8x2xf32>, %arg1: tensor<i32>) -> tensor<8x2xf32> {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.compare GT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.convert %0 : (tensor<i1>) -> tensor<i32>
    %2 = "stablehlo.case"(%1) ({
      %3 = stablehlo.sine %arg0 : tensor<8x2xf32>
      stablehlo.return %3 : tensor<8x2xf32>
    }, {
      %3 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
      stablehlo.return %3 : tensor<8x2xf32>
    }) : (tensor<i32>) -> tensor<8x2xf32>
    return %2 : tensor<8x2xf32>
  }
}
