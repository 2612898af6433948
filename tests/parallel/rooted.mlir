// Collectives with a root, fixed and of the run, over all groups and over ragged ones.
module @reduce_to_the_first {
  func.func @reduce(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[2, 0], [1, -1]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
    %c = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
    %d = stablehlo.constant dense<[7.0, 8.0]> : tensor<2xf32>
    %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@reduce], [@reduce], [@reduce], [@reduce]]}
      : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    check.expect_eq_const %0#0, dense<0.0> : tensor<2xf32>
    check.expect_eq_const %0#1, dense<[3.0, 4.0]> : tensor<2xf32>
    check.expect_eq_const %0#2, dense<[6.0, 8.0]> : tensor<2xf32>
    check.expect_eq_const %0#3, dense<0.0> : tensor<2xf32>
    func.return
  }
}
// -----
module @reduce_to_a_root_of_the_run {
  func.func @reduce(%x: tensor<2xi32>, %y: tensor<i32>) -> (tensor<2xi32>, tensor<i32>) {
    %root = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %0:2 = "stablehlo.collective_reduce"(%x, %y, %root) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.maximum %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<2xi32>, tensor<i32>, tensor<2xi64>) -> (tensor<2xi32>, tensor<i32>)
    return %0#0, %0#1 : tensor<2xi32>, tensor<i32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 9]> : tensor<2xi32>
    %b = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %d = stablehlo.constant dense<7> : tensor<i32>
    %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@reduce], [@reduce]]}
      : (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<i32>)
    check.expect_eq_const %0#0, dense<0> : tensor<2xi32>
    check.expect_eq_const %0#1, dense<7> : tensor<i32>
    check.expect_eq_const %0#2, dense<[3, 9]> : tensor<2xi32>
    check.expect_eq_const %0#3, dense<0> : tensor<i32>
    func.return
  }
}
// -----
module @broadcast_from_a_root_of_the_run {
  func.func @spread(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
    %one = stablehlo.constant dense<1.0> : tensor<1xf32>
    %root = stablehlo.convert %one : (tensor<1xf32>) -> tensor<1xi64>
    %0 = "stablehlo.collective_broadcast"(%x, %root) {replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>, has_dynamic_root, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xcomplex<f32>>, tensor<1xi64>) -> tensor<2xcomplex<f32>>
    return %0 : tensor<2xcomplex<f32>>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[(1.0, 2.0), (3.0, -0.0)]> : tensor<2xcomplex<f32>>
    %b = stablehlo.constant dense<[(5.0, 0x7F800000), (-6.0, 7.0)]> : tensor<2xcomplex<f32>>
    %c = stablehlo.constant dense<[(8.0, 9.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
    %none = stablehlo.constant dense<(0.0, 0.0)> : tensor<2xcomplex<f32>>
    %0:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@spread, @spread, @spread]]}
      : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
    check.expect_eq %0#0, %none : tensor<2xcomplex<f32>>
    check.expect_eq %0#1, %b : tensor<2xcomplex<f32>>
    check.expect_eq %0#2, %b : tensor<2xcomplex<f32>>
    func.return
  }
}
