// globally_reduced
module @jit_rotation_in_a_loop attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, []>] manual_axes={"data", "model"} (%arg1: tensor<4x8xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.reduce(%arg1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %3:3 = stablehlo.while(%iterArg = %c, %iterArg_1 = %1, %iterArg_2 = %2) : tensor<i32>, tensor<f32>, tensor<f32>
      cond {
        %c_3 = stablehlo.constant dense<3> : tensor<i32>
        %4 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        %4:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
        %c_3 = stablehlo.constant dense<1> : tensor<i32>
        %5 = stablehlo.add %iterArg, %c_3 : tensor<i32>
        stablehlo.return %5, %4#0, %4#1 : tensor<i32>, tensor<f32>, tensor<f32>
      }
      sdy.return %3#2 : tensor<f32>
    } : (tensor<16x8xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 4], [4, 6], [6, 0], [1, 3], [3, 5], [5, 7], [7, 1]]> : tensor<8x2xi64>}> : (tensor<f32>) -> tensor<f32>
    %1 = stablehlo.add %arg1, %0 : tensor<f32>
    return %0, %1 : tensor<f32>, tensor<f32>
  }
}
