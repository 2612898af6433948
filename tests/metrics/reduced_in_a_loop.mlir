// globally_reduced
module @jit_reduced_in_a_loop attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, []>] manual_axes={"data", "model"} (%arg1: tensor<4x8xf32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %c_0 = stablehlo.constant dense<0> : tensor<i32>
      %1:4 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %cst) : tensor<4x8xf32>, tensor<i32>, tensor<i32>, tensor<f32>
      cond {
        %c_4 = stablehlo.constant dense<3> : tensor<i32>
        %2 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %2:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<4x8xf32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
        %c_4 = stablehlo.constant dense<1> : tensor<i32>
        %3 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
        stablehlo.return %iterArg, %3, %2#0, %2#1 : tensor<4x8xf32>, tensor<i32>, tensor<i32>, tensor<f32>
      }
      sdy.return %1#3 : tensor<f32>
    } : (tensor<16x8xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %3 = stablehlo.multiply %1, %2 : tensor<f32>
    %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %5 = stablehlo.convert %arg2 : tensor<f32>
    %6 = stablehlo.add %5, %4 : tensor<f32>
    return %0, %6 : tensor<i32>, tensor<f32>
  }
}
