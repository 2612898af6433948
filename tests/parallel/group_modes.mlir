// One reduction in each of the four group modes, on 2 replicas of 2 partitions.
// Process (r, p) holds 1, 2, 4, 8 for (0,0), (0,1), (1,0), (1,1).
module @cross_replica {
  func.func @sum(%x: tensor<i64>) -> tensor<i64> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i64>
    %b = stablehlo.constant dense<2> : tensor<i64>
    %c = stablehlo.constant dense<4> : tensor<i64>
    %d = stablehlo.constant dense<8> : tensor<i64>
    %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@sum, @sum], [@sum, @sum]]}
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>)
    check.expect_eq_const %0#0, dense<5> : tensor<i64>
    check.expect_eq_const %0#1, dense<10> : tensor<i64>
    check.expect_eq_const %0#2, dense<5> : tensor<i64>
    check.expect_eq_const %0#3, dense<10> : tensor<i64>
    func.return
  }
}
// -----
module @cross_replica_and_partition {
  func.func @sum(%x: tensor<i64>) -> tensor<i64> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>
    } : (tensor<i64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i64>
    %b = stablehlo.constant dense<2> : tensor<i64>
    %c = stablehlo.constant dense<4> : tensor<i64>
    %d = stablehlo.constant dense<8> : tensor<i64>
    %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@sum, @sum], [@sum, @sum]]}
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>)
    check.expect_eq_const %0#0, dense<3> : tensor<i64>
    check.expect_eq_const %0#1, dense<3> : tensor<i64>
    check.expect_eq_const %0#2, dense<12> : tensor<i64>
    check.expect_eq_const %0#3, dense<12> : tensor<i64>
    func.return
  }
}
// -----
module @flattened_ids {
  func.func @sum(%x: tensor<i64>) -> tensor<i64> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      replica_groups = dense<[[0, 3, 1], [2, -1, -1]]> : tensor<2x3xi64>,
      use_global_device_ids
    } : (tensor<i64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i64>
    %b = stablehlo.constant dense<2> : tensor<i64>
    %c = stablehlo.constant dense<4> : tensor<i64>
    %d = stablehlo.constant dense<8> : tensor<i64>
    %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@sum, @sum], [@sum, @sum]]}
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>)
    check.expect_eq_const %0#0, dense<11> : tensor<i64>
    check.expect_eq_const %0#1, dense<11> : tensor<i64>
    check.expect_eq_const %0#2, dense<4> : tensor<i64>
    check.expect_eq_const %0#3, dense<11> : tensor<i64>
    func.return
  }
}
// -----
module @cross_partition {
  func.func @spread(%x: tensor<2xi64>) -> tensor<2xi64> {
    %0 = "stablehlo.all_to_all"(%x) {
      split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<2xi64>) -> tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
    %c = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
    %d = stablehlo.constant dense<[7, 8]> : tensor<2xi64>
    %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@spread, @spread], [@spread, @spread]]}
      : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %0#0, dense<[1, 3]> : tensor<2xi64>
    check.expect_eq_const %0#1, dense<[2, 4]> : tensor<2xi64>
    check.expect_eq_const %0#2, dense<[5, 7]> : tensor<2xi64>
    check.expect_eq_const %0#3, dense<[6, 8]> : tensor<2xi64>
    func.return
  }
}
