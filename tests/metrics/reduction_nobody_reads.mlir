// local | unused_reduction read_before_reduction
module @nobody_reads attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["data"=4]>
  func.func public @main(%x: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"data"}]>] out_shardings=[<@mesh, []>] manual_axes={"data"} (%v: tensor<4xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %sum = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %all = "stablehlo.all_reduce"(%sum) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      sdy.return %sum : tensor<f32>
    } : (tensor<16xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
