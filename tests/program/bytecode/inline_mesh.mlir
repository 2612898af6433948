module @inline_mesh {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>, [{"a"}]>}) -> tensor<8xf32> {
    %0 = sdy.sharding_constraint %arg0 <mesh<["c"=8]>, [{"c"}]> : tensor<8xf32>
    %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8xf32>
    %2 = sdy.reshard %1 <@mesh, [{"x"}]> : tensor<8xf32>
    sdy.sharding_group %2 group_id=3 : tensor<8xf32>
    %3 = sdy.named_computation<"part">(%2) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] (%arg1: tensor<8xf32>) {
      %4 = stablehlo.add %arg1, %arg1 : tensor<8xf32>
      sdy.return %4 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}
