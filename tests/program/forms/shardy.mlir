// What Shardy writes, also what its partitioner adds.
module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @maximal = <[], device_ids=[0]>
  sdy.mesh @private = <["x"=2]> {sym_visibility = "private"}
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2], device_ids=[1, 0]>, sym_name = "permuted"}> : () -> ()
  func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["z"=4]>, [{"z", ?}p1]>}) -> tensor<8x8xf32> {
    %0 = sdy.all_gather [{"x"}, {}] %a out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
    %1 = sdy.all_slice [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
    %2 = sdy.all_to_all [{"x"}: 0->1] %1 out_sharding=<@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
    %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{}, {"x", "y"}]> : tensor<8x8xf32>
    %neg = stablehlo.negate %a : tensor<8x8xf32>
    %c = sdy.constant dense<1.0> : tensor<8x8xf32>
    %e = sdy.data_flow_edge %neg sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>

    %n = sdy.named_computation<"foo">(%3) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] (%arg: tensor<8x8xf32>) {
      sdy.return %arg : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %r = sdy.reshard %n <@mesh, [{}, {"y":(1)2}]> : tensor<8x8xf32>
    %k = sdy.sharding_constraint %r <@mesh, [{}, {?}], replicated={"x"}> : tensor<8x8xf32>
    sdy.sharding_group %k group_id=3 : tensor<8x8xf32>
    %p = sdy.propagation_barrier %k allowed_direction=NONE : tensor<8x8xf32>
    %u0 = sdy.sharded_to_unreduced [{"x"}, {}] %a out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
    %u1 = sdy.all_reduce {"x"} %u0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
    %u2 = sdy.replicated_to_unreduced {"x"} %u1 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<8x8xf32>
    %u3 = sdy.reduce_scatter [{"x"}, {}] %u2 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
    return %p : tensor<8x8xf32>
  }
}
