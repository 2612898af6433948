// Replica groups as axes of a mesh: one axis, part of an axis, several in another order, a mesh
// written in place with its own device order. And a collective that is started and awaited.
module @one_axis attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @m = <["x"=2, "y"=4]>
  func.func @gather(%x: tensor<1xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>) {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<1xi64>) -> tensor<2xi64>
    %1 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<1xi64>) -> tensor<2xi64>
    %2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "y">, #stablehlo.axis_ref<name = "x">]>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<1xi64>) -> tensor<8xi64>
    %3 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [<name = "a", size = 4>, <name = "b", size = 2>], device_ids = dense<[0, 7, 1, 6, 2, 5, 3, 4]> : tensor<8xi64>>, axes = [<name = "b">]>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<1xi64>) -> tensor<2xi64>
    return %0, %1, %2, %3 : tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>
  }
  func.func @own() -> (tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>) {
    %p = stablehlo.partition_id : tensor<ui32>
    %w = stablehlo.convert %p : (tensor<ui32>) -> tensor<i64>
    %x = stablehlo.reshape %w : (tensor<i64>) -> tensor<1xi64>
    %0:4 = func.call @gather(%x) : (tensor<1xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>
  }
  func.func @main() {
    %0:32 = "interpreter.run_parallel"() {programs = [[@own, @own, @own, @own, @own, @own, @own, @own]]}
      : () -> (tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>,
               tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>,
               tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>,
               tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<8xi64>, tensor<2xi64>)
    check.expect_eq_const %0#0, dense<[0, 4]> : tensor<2xi64>
    check.expect_eq_const %0#1, dense<[0, 2]> : tensor<2xi64>
    check.expect_eq_const %0#2, dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
    check.expect_eq_const %0#3, dense<[0, 7]> : tensor<2xi64>
    check.expect_eq_const %0#20, dense<[1, 5]> : tensor<2xi64>
    check.expect_eq_const %0#21, dense<[5, 7]> : tensor<2xi64>
    check.expect_eq_const %0#22, dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
    check.expect_eq_const %0#23, dense<[2, 5]> : tensor<2xi64>
    func.return
  }
}
// -----
module @asynchronous {
  func.func @sum(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.async_start"(%x) ({
    ^bb0(%v: tensor<2xf32>):
      %1 = "stablehlo.all_reduce"(%v) ({
      ^bb1(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
    %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
    %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@sum], [@sum]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    check.expect_eq_const %0#0, dense<[4.0, 6.0]> : tensor<2xf32>
    check.expect_eq_const %0#1, dense<[4.0, 6.0]> : tensor<2xf32>
    func.return
  }
}
