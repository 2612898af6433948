// Every form of attributes, literals and types; the operations mean nothing.
#loc1 = loc("train.py":3:4)
#layout = dense<[0, 1]> : tensor<2xindex>
!batch = tensor<8x4xf32>
module @"odd name" attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32, x.map = affine_map<(d0, d1) -> (d1, d0)>} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}} loc(#loc1)
  sdy.mesh @permuted = <["x"=4], device_ids=[3, 2, 1, 0]>
  sdy.mesh @empty = <[]>
  func.func public @main(%arg0: !batch {jax.buffer_donor = true, mhlo.sharding = "{devices=[4,2]<=[8]}", sdy.sharding = #sdy.sharding<@mesh, [{"data", ?}p1, {"model":(1)2}], replicated={"x"}>} loc("a"("b")), %arg1: tensor<2x?xf32> loc(unknown)) -> (!batch {jax.result_info = "result['a'][0]"}) attributes {note = "\22quoted\22 \\ \0A"} {
    %0:3 = "test.op"() <{a, b = unit, c = 5 : i64, d = -3 : i8, e = 7, f = 18446744073709551615 : ui64, g = 3 : index, h = true, i = 1.5 : f32, j = 2.5, k = 0x7FC00000 : f32, l = "text", m = [1, "two", [3.5 : f16]], n = {inner = @symbol, "odd key" = @a::@b}, o = tensor<3xf32>, p = i32, q = (tensor<2xf32>, i1) -> tensor<f32>, r = array<i64: 1, -2>, s = array<i64>, t = array<i1: true, false>, u = array<f32: 1.5, -0.0>, v = #layout, w = #other.thing<[1], <2>, "a>b">, x = #other.bare, y = !quant.uniform<i8:f32, 0.5:-3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}]>, <@mesh, []>, <@mesh, [{?}], unreduced={"model"}>]>} : () -> (tensor<2xf32>, tensor<f32>, tensor<4xi1>) loc(fused["x", callsite("y" at #loc1)])
    %1 = "test.op"() {rule = #sdy.op_sharding_rule<([i, j])->([k, l]) {i=4, j=5}, custom>} : () -> tensor<11x!quant.uniform<i8:f32, 0.0039:-128>>
    %2 = "test.op"() : () -> tensor<?x3xf32, #stablehlo.bounds<5, ?>>
    %3 = "test.op"() : () -> tuple<tensor<f32>, tuple<tensor<2xi1>, !stablehlo.token>, tuple<>>
    %4 = "test.op"() : () -> tensor<*xf32>
    %5 = "test.op"() {resource = dense_resource<blob> : tensor<2xi32>} : () -> memref<4xf32>
    "test.done"(%0#2, %0#1, %0) : (tensor<4xi1>, tensor<f32>, tensor<2xf32>) -> ()
    return %arg0 : tensor<8x4xf32> loc(#loc9)
  } loc("main.py":1:2 to 3:4)
} loc(#loc)
#loc9 = loc("late")
#loc = loc(unknown)
{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000100000002000000"
    }
  }
#-}
