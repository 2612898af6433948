// Written by generate_grids.py: see there.
module @all_reduce_cross_replica_2x2_0 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[1], [0]]> : tensor<2x1xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_2x2_1 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[1], [0]]> : tensor<2x1xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43]> : tensor<4xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_2x2_2 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[1], [0]]> : tensor<2x1xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_2x2_3 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[40, 42, 44, 46]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[60, 62, 64, 66]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[40, 42, 44, 46]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[60, 62, 64, 66]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_2x2_4 {
  func.func @one(%a: tensor<4xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 30, 31, 32, 33]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 40, 41, 42, 43]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 30, 31, 32, 33]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[20, 21, 22, 23, 40, 41, 42, 43]> : tensor<8xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_2x2_5 {
  func.func @one(%a: tensor<4xi64>) -> tensor<2xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<2xi64>
    return %r : tensor<2xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[40, 42]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<[60, 62]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[44, 46]> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<[64, 66]> : tensor<2xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_and_partition_2x2_6 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[30, 32, 34, 36]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[30, 32, 34, 36]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[70, 72, 74, 76]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[70, 72, 74, 76]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_and_partition_2x2_7 {
  func.func @one(%a: tensor<4xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 20, 21, 22, 23]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[10, 11, 12, 13, 20, 21, 22, 23]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 40, 41, 42, 43]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[30, 31, 32, 33, 40, 41, 42, 43]> : tensor<8xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_and_partition_2x2_8 {
  func.func @one(%a: tensor<4xi64>) -> tensor<2xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<2xi64>
    return %r : tensor<2xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[30, 32]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<[34, 36]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[70, 72]> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<[74, 76]> : tensor<2xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_and_partition_2x2_9 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[100, 104, 108, 112]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[100, 104, 108, 112]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[100, 104, 108, 112]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[100, 104, 108, 112]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_and_partition_2x2_10 {
  func.func @one(%a: tensor<4xi64>) -> tensor<16xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<16xi64>
    return %r : tensor<16xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 30, 31, 32, 33, 20, 21, 22, 23, 40, 41, 42, 43]> : tensor<16xi64>
    check.expect_eq_const %r#1, dense<[10, 11, 12, 13, 30, 31, 32, 33, 20, 21, 22, 23, 40, 41, 42, 43]> : tensor<16xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 30, 31, 32, 33, 20, 21, 22, 23, 40, 41, 42, 43]> : tensor<16xi64>
    check.expect_eq_const %r#3, dense<[10, 11, 12, 13, 30, 31, 32, 33, 20, 21, 22, 23, 40, 41, 42, 43]> : tensor<16xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_and_partition_2x2_11 {
  func.func @one(%a: tensor<4xi64>) -> tensor<1xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<1xi64>
    return %r : tensor<1xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %r#0, dense<[100]> : tensor<1xi64>
    check.expect_eq_const %r#1, dense<[108]> : tensor<1xi64>
    check.expect_eq_const %r#2, dense<[104]> : tensor<1xi64>
    check.expect_eq_const %r#3, dense<[112]> : tensor<1xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_2x2_12 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[2], [1], [0], [3]]> : tensor<4x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_2x2_13 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[2], [1], [0], [3]]> : tensor<4x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43]> : tensor<4xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_2x2_14 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[2], [1], [0], [3]]> : tensor<4x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_2x2_15 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[40, 42, 44, 46]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[60, 62, 64, 66]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[40, 42, 44, 46]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[60, 62, 64, 66]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_2x2_16 {
  func.func @one(%a: tensor<4xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 30, 31, 32, 33]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[40, 41, 42, 43, 20, 21, 22, 23]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 30, 31, 32, 33]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 20, 21, 22, 23]> : tensor<8xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_2x2_17 {
  func.func @one(%a: tensor<4xi64>) -> tensor<2xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<2xi64>
    return %r : tensor<2xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[40, 42]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<[64, 66]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[44, 46]> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<[60, 62]> : tensor<2xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_2x2_18 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[1, 3, 2, 0]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[100, 104, 108, 112]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[100, 104, 108, 112]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[100, 104, 108, 112]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[100, 104, 108, 112]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_2x2_19 {
  func.func @one(%a: tensor<4xi64>) -> tensor<16xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 3, 2, 0]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<16xi64>
    return %r : tensor<16xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>)
    check.expect_eq_const %r#0, dense<[20, 21, 22, 23, 40, 41, 42, 43, 30, 31, 32, 33, 10, 11, 12, 13]> : tensor<16xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 40, 41, 42, 43, 30, 31, 32, 33, 10, 11, 12, 13]> : tensor<16xi64>
    check.expect_eq_const %r#2, dense<[20, 21, 22, 23, 40, 41, 42, 43, 30, 31, 32, 33, 10, 11, 12, 13]> : tensor<16xi64>
    check.expect_eq_const %r#3, dense<[20, 21, 22, 23, 40, 41, 42, 43, 30, 31, 32, 33, 10, 11, 12, 13]> : tensor<16xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_2x2_20 {
  func.func @one(%a: tensor<4xi64>) -> tensor<1xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[1, 3, 2, 0]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xi64>) -> tensor<1xi64>
    return %r : tensor<1xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %r#0, dense<[112]> : tensor<1xi64>
    check.expect_eq_const %r#1, dense<[100]> : tensor<1xi64>
    check.expect_eq_const %r#2, dense<[108]> : tensor<1xi64>
    check.expect_eq_const %r#3, dense<[104]> : tensor<1xi64>
    func.return
  }
}
// -----
module @all_to_all_cross_replica_2x2_21 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[32, 33, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[42, 43, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 10, 11]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 20, 21]> : tensor<4xi64>
    func.return
  }
}
// -----
module @collective_broadcast_cross_replica_2x2_22 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[40, 41, 42, 43]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43]> : tensor<4xi64>
    func.return
  }
}
// -----
module @collective_permute_cross_replica_2x2_23 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[0, 0, 0, 0]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[0, 0, 0, 0]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_to_all_cross_partition_2x2_24 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[22, 23, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 10, 11]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[42, 43, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 30, 31]> : tensor<4xi64>
    func.return
  }
}
// -----
module @collective_broadcast_cross_partition_2x2_25 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[40, 41, 42, 43]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43]> : tensor<4xi64>
    func.return
  }
}
// -----
module @collective_permute_cross_partition_2x2_26 {
  func.func @one(%a: tensor<4xi64>) -> tensor<4xi64> {
    %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23]> : tensor<4xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33]> : tensor<4xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43]> : tensor<4xi64>
    %r:4 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3) {programs = [[@one, @one], [@one, @one]]} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[0, 0, 0, 0]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[0, 0, 0, 0]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_2x3_27 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_2x3_28 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_2x3_29 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_2x3_30 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[50, 52, 54, 56, 58, 60]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[70, 72, 74, 76, 78, 80]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[90, 92, 94, 96, 98, 100]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[50, 52, 54, 56, 58, 60]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[70, 72, 74, 76, 78, 80]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[90, 92, 94, 96, 98, 100]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_2x3_31 {
  func.func @one(%a: tensor<6xi64>) -> tensor<12xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<6xi64>) -> tensor<12xi64>
    return %r : tensor<12xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<12xi64>, tensor<12xi64>, tensor<12xi64>, tensor<12xi64>, tensor<12xi64>, tensor<12xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 40, 41, 42, 43, 44, 45]> : tensor<12xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 50, 51, 52, 53, 54, 55]> : tensor<12xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 60, 61, 62, 63, 64, 65]> : tensor<12xi64>
    check.expect_eq_const %r#3, dense<[10, 11, 12, 13, 14, 15, 40, 41, 42, 43, 44, 45]> : tensor<12xi64>
    check.expect_eq_const %r#4, dense<[20, 21, 22, 23, 24, 25, 50, 51, 52, 53, 54, 55]> : tensor<12xi64>
    check.expect_eq_const %r#5, dense<[30, 31, 32, 33, 34, 35, 60, 61, 62, 63, 64, 65]> : tensor<12xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_2x3_32 {
  func.func @one(%a: tensor<6xi64>) -> tensor<3xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<6xi64>) -> tensor<3xi64>
    return %r : tensor<3xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>)
    check.expect_eq_const %r#0, dense<[50, 52, 54]> : tensor<3xi64>
    check.expect_eq_const %r#1, dense<[70, 72, 74]> : tensor<3xi64>
    check.expect_eq_const %r#2, dense<[90, 92, 94]> : tensor<3xi64>
    check.expect_eq_const %r#3, dense<[56, 58, 60]> : tensor<3xi64>
    check.expect_eq_const %r#4, dense<[76, 78, 80]> : tensor<3xi64>
    check.expect_eq_const %r#5, dense<[96, 98, 100]> : tensor<3xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_and_partition_2x3_33 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[60, 63, 66, 69, 72, 75]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[60, 63, 66, 69, 72, 75]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[60, 63, 66, 69, 72, 75]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[150, 153, 156, 159, 162, 165]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[150, 153, 156, 159, 162, 165]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[150, 153, 156, 159, 162, 165]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_and_partition_2x3_34 {
  func.func @one(%a: tensor<6xi64>) -> tensor<18xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<18xi64>
    return %r : tensor<18xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<18xi64>, tensor<18xi64>, tensor<18xi64>, tensor<18xi64>, tensor<18xi64>, tensor<18xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 30, 31, 32, 33, 34, 35]> : tensor<18xi64>
    check.expect_eq_const %r#1, dense<[10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 30, 31, 32, 33, 34, 35]> : tensor<18xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 30, 31, 32, 33, 34, 35]> : tensor<18xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 50, 51, 52, 53, 54, 55, 60, 61, 62, 63, 64, 65]> : tensor<18xi64>
    check.expect_eq_const %r#4, dense<[40, 41, 42, 43, 44, 45, 50, 51, 52, 53, 54, 55, 60, 61, 62, 63, 64, 65]> : tensor<18xi64>
    check.expect_eq_const %r#5, dense<[40, 41, 42, 43, 44, 45, 50, 51, 52, 53, 54, 55, 60, 61, 62, 63, 64, 65]> : tensor<18xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_and_partition_2x3_35 {
  func.func @one(%a: tensor<6xi64>) -> tensor<2xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<2xi64>
    return %r : tensor<2xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[60, 63]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<[66, 69]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[72, 75]> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<[150, 153]> : tensor<2xi64>
    check.expect_eq_const %r#4, dense<[156, 159]> : tensor<2xi64>
    check.expect_eq_const %r#5, dense<[162, 165]> : tensor<2xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_and_partition_2x3_36 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_and_partition_2x3_37 {
  func.func @one(%a: tensor<6xi64>) -> tensor<36xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<36xi64>
    return %r : tensor<36xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<36xi64>, tensor<36xi64>, tensor<36xi64>, tensor<36xi64>, tensor<36xi64>, tensor<36xi64>)
    check.expect_eq_const %r#0, dense<[40, 41, 42, 43, 44, 45, 10, 11, 12, 13, 14, 15, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 60, 61, 62, 63, 64, 65, 30, 31, 32, 33, 34, 35]> : tensor<36xi64>
    check.expect_eq_const %r#1, dense<[40, 41, 42, 43, 44, 45, 10, 11, 12, 13, 14, 15, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 60, 61, 62, 63, 64, 65, 30, 31, 32, 33, 34, 35]> : tensor<36xi64>
    check.expect_eq_const %r#2, dense<[40, 41, 42, 43, 44, 45, 10, 11, 12, 13, 14, 15, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 60, 61, 62, 63, 64, 65, 30, 31, 32, 33, 34, 35]> : tensor<36xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 10, 11, 12, 13, 14, 15, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 60, 61, 62, 63, 64, 65, 30, 31, 32, 33, 34, 35]> : tensor<36xi64>
    check.expect_eq_const %r#4, dense<[40, 41, 42, 43, 44, 45, 10, 11, 12, 13, 14, 15, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 60, 61, 62, 63, 64, 65, 30, 31, 32, 33, 34, 35]> : tensor<36xi64>
    check.expect_eq_const %r#5, dense<[40, 41, 42, 43, 44, 45, 10, 11, 12, 13, 14, 15, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 60, 61, 62, 63, 64, 65, 30, 31, 32, 33, 34, 35]> : tensor<36xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_and_partition_2x3_38 {
  func.func @one(%a: tensor<6xi64>) -> tensor<1xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<1xi64>
    return %r : tensor<1xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %r#0, dense<[216]> : tensor<1xi64>
    check.expect_eq_const %r#1, dense<[228]> : tensor<1xi64>
    check.expect_eq_const %r#2, dense<[240]> : tensor<1xi64>
    check.expect_eq_const %r#3, dense<[210]> : tensor<1xi64>
    check.expect_eq_const %r#4, dense<[222]> : tensor<1xi64>
    check.expect_eq_const %r#5, dense<[234]> : tensor<1xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_2x3_39 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[4], [1], [5], [2], [0], [3]]> : tensor<6x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_2x3_40 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[4], [1], [5], [2], [0], [3]]> : tensor<6x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_2x3_41 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[4], [1], [5], [2], [0], [3]]> : tensor<6x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_2x3_42 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[2, 0], [5, 1], [4, 3]]> : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[40, 42, 44, 46, 48, 50]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[80, 82, 84, 86, 88, 90]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[40, 42, 44, 46, 48, 50]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[90, 92, 94, 96, 98, 100]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[90, 92, 94, 96, 98, 100]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[80, 82, 84, 86, 88, 90]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_2x3_43 {
  func.func @one(%a: tensor<6xi64>) -> tensor<12xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[2, 0], [5, 1], [4, 3]]> : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<12xi64>
    return %r : tensor<12xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<12xi64>, tensor<12xi64>, tensor<12xi64>, tensor<12xi64>, tensor<12xi64>, tensor<12xi64>)
    check.expect_eq_const %r#0, dense<[30, 31, 32, 33, 34, 35, 10, 11, 12, 13, 14, 15]> : tensor<12xi64>
    check.expect_eq_const %r#1, dense<[60, 61, 62, 63, 64, 65, 20, 21, 22, 23, 24, 25]> : tensor<12xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 10, 11, 12, 13, 14, 15]> : tensor<12xi64>
    check.expect_eq_const %r#3, dense<[50, 51, 52, 53, 54, 55, 40, 41, 42, 43, 44, 45]> : tensor<12xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 40, 41, 42, 43, 44, 45]> : tensor<12xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 20, 21, 22, 23, 24, 25]> : tensor<12xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_2x3_44 {
  func.func @one(%a: tensor<6xi64>) -> tensor<3xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[2, 0], [5, 1], [4, 3]]> : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<3xi64>
    return %r : tensor<3xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>)
    check.expect_eq_const %r#0, dense<[46, 48, 50]> : tensor<3xi64>
    check.expect_eq_const %r#1, dense<[86, 88, 90]> : tensor<3xi64>
    check.expect_eq_const %r#2, dense<[40, 42, 44]> : tensor<3xi64>
    check.expect_eq_const %r#3, dense<[96, 98, 100]> : tensor<3xi64>
    check.expect_eq_const %r#4, dense<[90, 92, 94]> : tensor<3xi64>
    check.expect_eq_const %r#5, dense<[80, 82, 84]> : tensor<3xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_2x3_45 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[2, 0, 5], [1, 4, 3]]> : tensor<2x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[100, 103, 106, 109, 112, 115]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[110, 113, 116, 119, 122, 125]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[100, 103, 106, 109, 112, 115]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[110, 113, 116, 119, 122, 125]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[110, 113, 116, 119, 122, 125]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[100, 103, 106, 109, 112, 115]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_2x3_46 {
  func.func @one(%a: tensor<6xi64>) -> tensor<18xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[2, 0, 5], [1, 4, 3]]> : tensor<2x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<18xi64>
    return %r : tensor<18xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<18xi64>, tensor<18xi64>, tensor<18xi64>, tensor<18xi64>, tensor<18xi64>, tensor<18xi64>)
    check.expect_eq_const %r#0, dense<[30, 31, 32, 33, 34, 35, 10, 11, 12, 13, 14, 15, 60, 61, 62, 63, 64, 65]> : tensor<18xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 50, 51, 52, 53, 54, 55, 40, 41, 42, 43, 44, 45]> : tensor<18xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 10, 11, 12, 13, 14, 15, 60, 61, 62, 63, 64, 65]> : tensor<18xi64>
    check.expect_eq_const %r#3, dense<[20, 21, 22, 23, 24, 25, 50, 51, 52, 53, 54, 55, 40, 41, 42, 43, 44, 45]> : tensor<18xi64>
    check.expect_eq_const %r#4, dense<[20, 21, 22, 23, 24, 25, 50, 51, 52, 53, 54, 55, 40, 41, 42, 43, 44, 45]> : tensor<18xi64>
    check.expect_eq_const %r#5, dense<[30, 31, 32, 33, 34, 35, 10, 11, 12, 13, 14, 15, 60, 61, 62, 63, 64, 65]> : tensor<18xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_2x3_47 {
  func.func @one(%a: tensor<6xi64>) -> tensor<2xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[2, 0, 5], [1, 4, 3]]> : tensor<2x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<2xi64>
    return %r : tensor<2xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[106, 109]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<[110, 113]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[100, 103]> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<[122, 125]> : tensor<2xi64>
    check.expect_eq_const %r#4, dense<[116, 119]> : tensor<2xi64>
    check.expect_eq_const %r#5, dense<[112, 115]> : tensor<2xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_2x3_48 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0, 2, 4, 1, 3, 5]]> : tensor<1x6xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[210, 216, 222, 228, 234, 240]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_2x3_49 {
  func.func @one(%a: tensor<6xi64>) -> tensor<36xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2, 4, 1, 3, 5]]> : tensor<1x6xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<36xi64>
    return %r : tensor<36xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<36xi64>, tensor<36xi64>, tensor<36xi64>, tensor<36xi64>, tensor<36xi64>, tensor<36xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 30, 31, 32, 33, 34, 35, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 40, 41, 42, 43, 44, 45, 60, 61, 62, 63, 64, 65]> : tensor<36xi64>
    check.expect_eq_const %r#1, dense<[10, 11, 12, 13, 14, 15, 30, 31, 32, 33, 34, 35, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 40, 41, 42, 43, 44, 45, 60, 61, 62, 63, 64, 65]> : tensor<36xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 14, 15, 30, 31, 32, 33, 34, 35, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 40, 41, 42, 43, 44, 45, 60, 61, 62, 63, 64, 65]> : tensor<36xi64>
    check.expect_eq_const %r#3, dense<[10, 11, 12, 13, 14, 15, 30, 31, 32, 33, 34, 35, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 40, 41, 42, 43, 44, 45, 60, 61, 62, 63, 64, 65]> : tensor<36xi64>
    check.expect_eq_const %r#4, dense<[10, 11, 12, 13, 14, 15, 30, 31, 32, 33, 34, 35, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 40, 41, 42, 43, 44, 45, 60, 61, 62, 63, 64, 65]> : tensor<36xi64>
    check.expect_eq_const %r#5, dense<[10, 11, 12, 13, 14, 15, 30, 31, 32, 33, 34, 35, 50, 51, 52, 53, 54, 55, 20, 21, 22, 23, 24, 25, 40, 41, 42, 43, 44, 45, 60, 61, 62, 63, 64, 65]> : tensor<36xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_2x3_50 {
  func.func @one(%a: tensor<6xi64>) -> tensor<1xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 1, 3, 5]]> : tensor<1x6xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<6xi64>) -> tensor<1xi64>
    return %r : tensor<1xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %r#0, dense<[210]> : tensor<1xi64>
    check.expect_eq_const %r#1, dense<[228]> : tensor<1xi64>
    check.expect_eq_const %r#2, dense<[216]> : tensor<1xi64>
    check.expect_eq_const %r#3, dense<[234]> : tensor<1xi64>
    check.expect_eq_const %r#4, dense<[222]> : tensor<1xi64>
    check.expect_eq_const %r#5, dense<[240]> : tensor<1xi64>
    func.return
  }
}
// -----
module @all_to_all_cross_replica_2x3_51 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 40, 41, 42]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 50, 51, 52]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 60, 61, 62]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[13, 14, 15, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[23, 24, 25, 53, 54, 55]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[33, 34, 35, 63, 64, 65]> : tensor<6xi64>
    func.return
  }
}
// -----
module @collective_broadcast_cross_replica_2x3_52 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    func.return
  }
}
// -----
module @collective_permute_cross_replica_2x3_53 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[0, 0, 0, 0, 0, 0]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[0, 0, 0, 0, 0, 0]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[0, 0, 0, 0, 0, 0]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_to_all_cross_partition_2x3_54 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 20, 21, 30, 31]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[12, 13, 22, 23, 32, 33]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[14, 15, 24, 25, 34, 35]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 50, 51, 60, 61]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[42, 43, 52, 53, 62, 63]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[44, 45, 54, 55, 64, 65]> : tensor<6xi64>
    func.return
  }
}
// -----
module @collective_broadcast_cross_partition_2x3_55 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    func.return
  }
}
// -----
module @collective_permute_cross_partition_2x3_56 {
  func.func @one(%a: tensor<6xi64>) -> tensor<6xi64> {
    %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 2], [1, 1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<6xi64>) -> tensor<6xi64>
    return %r : tensor<6xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35]> : tensor<6xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65]> : tensor<6xi64>
    %r:6 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5) {programs = [[@one, @one, @one], [@one, @one, @one]]} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>)
    check.expect_eq_const %r#0, dense<[0, 0, 0, 0, 0, 0]> : tensor<6xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25]> : tensor<6xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 14, 15]> : tensor<6xi64>
    check.expect_eq_const %r#3, dense<[0, 0, 0, 0, 0, 0]> : tensor<6xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55]> : tensor<6xi64>
    check.expect_eq_const %r#5, dense<[40, 41, 42, 43, 44, 45]> : tensor<6xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_4x2_57 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0], [2], [1], [3]]> : tensor<4x1xi64>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_4x2_58 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [2], [1], [3]]> : tensor<4x1xi64>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_4x2_59 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0], [2], [1], [3]]> : tensor<4x1xi64>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_4x2_60 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[3, 2], [0, 1]]> : tensor<2x2xi64>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[40, 42, 44, 46, 48, 50, 52, 54]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[60, 62, 64, 66, 68, 70, 72, 74]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[40, 42, 44, 46, 48, 50, 52, 54]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[60, 62, 64, 66, 68, 70, 72, 74]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[120, 122, 124, 126, 128, 130, 132, 134]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[140, 142, 144, 146, 148, 150, 152, 154]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[120, 122, 124, 126, 128, 130, 132, 134]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[140, 142, 144, 146, 148, 150, 152, 154]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_4x2_61 {
  func.func @one(%a: tensor<8xi64>) -> tensor<16xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[3, 2], [0, 1]]> : tensor<2x2xi64>} : (tensor<8xi64>) -> tensor<16xi64>
    return %r : tensor<16xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<16xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<16xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 14, 15, 16, 17, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<16xi64>
    check.expect_eq_const %r#3, dense<[20, 21, 22, 23, 24, 25, 26, 27, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<16xi64>
    check.expect_eq_const %r#4, dense<[70, 71, 72, 73, 74, 75, 76, 77, 50, 51, 52, 53, 54, 55, 56, 57]> : tensor<16xi64>
    check.expect_eq_const %r#5, dense<[80, 81, 82, 83, 84, 85, 86, 87, 60, 61, 62, 63, 64, 65, 66, 67]> : tensor<16xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77, 50, 51, 52, 53, 54, 55, 56, 57]> : tensor<16xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87, 60, 61, 62, 63, 64, 65, 66, 67]> : tensor<16xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_4x2_62 {
  func.func @one(%a: tensor<8xi64>) -> tensor<4xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[3, 2], [0, 1]]> : tensor<2x2xi64>} : (tensor<8xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[40, 42, 44, 46]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[60, 62, 64, 66]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[48, 50, 52, 54]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[68, 70, 72, 74]> : tensor<4xi64>
    check.expect_eq_const %r#4, dense<[128, 130, 132, 134]> : tensor<4xi64>
    check.expect_eq_const %r#5, dense<[148, 150, 152, 154]> : tensor<4xi64>
    check.expect_eq_const %r#6, dense<[120, 122, 124, 126]> : tensor<4xi64>
    check.expect_eq_const %r#7, dense<[140, 142, 144, 146]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_4x2_63 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0, 2, 3, 1]]> : tensor<1x4xi64>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[160, 164, 168, 172, 176, 180, 184, 188]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[200, 204, 208, 212, 216, 220, 224, 228]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[160, 164, 168, 172, 176, 180, 184, 188]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[200, 204, 208, 212, 216, 220, 224, 228]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[160, 164, 168, 172, 176, 180, 184, 188]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[200, 204, 208, 212, 216, 220, 224, 228]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[160, 164, 168, 172, 176, 180, 184, 188]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[200, 204, 208, 212, 216, 220, 224, 228]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_4x2_64 {
  func.func @one(%a: tensor<8xi64>) -> tensor<32xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2, 3, 1]]> : tensor<1x4xi64>} : (tensor<8xi64>) -> tensor<32xi64>
    return %r : tensor<32xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<32xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<32xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<32xi64>
    check.expect_eq_const %r#3, dense<[20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<32xi64>
    check.expect_eq_const %r#4, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<32xi64>
    check.expect_eq_const %r#5, dense<[20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<32xi64>
    check.expect_eq_const %r#6, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<32xi64>
    check.expect_eq_const %r#7, dense<[20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<32xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_4x2_65 {
  func.func @one(%a: tensor<8xi64>) -> tensor<2xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2, 3, 1]]> : tensor<1x4xi64>} : (tensor<8xi64>) -> tensor<2xi64>
    return %r : tensor<2xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[160, 164]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<[200, 204]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[184, 188]> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<[224, 228]> : tensor<2xi64>
    check.expect_eq_const %r#4, dense<[168, 172]> : tensor<2xi64>
    check.expect_eq_const %r#5, dense<[208, 212]> : tensor<2xi64>
    check.expect_eq_const %r#6, dense<[176, 180]> : tensor<2xi64>
    check.expect_eq_const %r#7, dense<[216, 220]> : tensor<2xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_and_partition_4x2_66 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0], [3], [1], [2]]> : tensor<4x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[30, 32, 34, 36, 38, 40, 42, 44]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[30, 32, 34, 36, 38, 40, 42, 44]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[70, 72, 74, 76, 78, 80, 82, 84]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[70, 72, 74, 76, 78, 80, 82, 84]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[110, 112, 114, 116, 118, 120, 122, 124]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[110, 112, 114, 116, 118, 120, 122, 124]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[150, 152, 154, 156, 158, 160, 162, 164]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[150, 152, 154, 156, 158, 160, 162, 164]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_and_partition_4x2_67 {
  func.func @one(%a: tensor<8xi64>) -> tensor<16xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [3], [1], [2]]> : tensor<4x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<16xi64>
    return %r : tensor<16xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<16xi64>
    check.expect_eq_const %r#1, dense<[10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<16xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<16xi64>
    check.expect_eq_const %r#3, dense<[30, 31, 32, 33, 34, 35, 36, 37, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<16xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57, 60, 61, 62, 63, 64, 65, 66, 67]> : tensor<16xi64>
    check.expect_eq_const %r#5, dense<[50, 51, 52, 53, 54, 55, 56, 57, 60, 61, 62, 63, 64, 65, 66, 67]> : tensor<16xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<16xi64>
    check.expect_eq_const %r#7, dense<[70, 71, 72, 73, 74, 75, 76, 77, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<16xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_and_partition_4x2_68 {
  func.func @one(%a: tensor<8xi64>) -> tensor<4xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0], [3], [1], [2]]> : tensor<4x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[30, 32, 34, 36]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[38, 40, 42, 44]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[70, 72, 74, 76]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[78, 80, 82, 84]> : tensor<4xi64>
    check.expect_eq_const %r#4, dense<[110, 112, 114, 116]> : tensor<4xi64>
    check.expect_eq_const %r#5, dense<[118, 120, 122, 124]> : tensor<4xi64>
    check.expect_eq_const %r#6, dense<[150, 152, 154, 156]> : tensor<4xi64>
    check.expect_eq_const %r#7, dense<[158, 160, 162, 164]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_and_partition_4x2_69 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[2, 3], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[100, 104, 108, 112, 116, 120, 124, 128]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[100, 104, 108, 112, 116, 120, 124, 128]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[100, 104, 108, 112, 116, 120, 124, 128]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[100, 104, 108, 112, 116, 120, 124, 128]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[260, 264, 268, 272, 276, 280, 284, 288]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[260, 264, 268, 272, 276, 280, 284, 288]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[260, 264, 268, 272, 276, 280, 284, 288]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[260, 264, 268, 272, 276, 280, 284, 288]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_and_partition_4x2_70 {
  func.func @one(%a: tensor<8xi64>) -> tensor<32xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[2, 3], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<32xi64>
    return %r : tensor<32xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>)
    check.expect_eq_const %r#0, dense<[30, 31, 32, 33, 34, 35, 36, 37, 10, 11, 12, 13, 14, 15, 16, 17, 40, 41, 42, 43, 44, 45, 46, 47, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<32xi64>
    check.expect_eq_const %r#1, dense<[30, 31, 32, 33, 34, 35, 36, 37, 10, 11, 12, 13, 14, 15, 16, 17, 40, 41, 42, 43, 44, 45, 46, 47, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<32xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37, 10, 11, 12, 13, 14, 15, 16, 17, 40, 41, 42, 43, 44, 45, 46, 47, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<32xi64>
    check.expect_eq_const %r#3, dense<[30, 31, 32, 33, 34, 35, 36, 37, 10, 11, 12, 13, 14, 15, 16, 17, 40, 41, 42, 43, 44, 45, 46, 47, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<32xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<32xi64>
    check.expect_eq_const %r#5, dense<[50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<32xi64>
    check.expect_eq_const %r#6, dense<[50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<32xi64>
    check.expect_eq_const %r#7, dense<[50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<32xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_and_partition_4x2_71 {
  func.func @one(%a: tensor<8xi64>) -> tensor<2xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[2, 3], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<2xi64>
    return %r : tensor<2xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[108, 112]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<[124, 128]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[100, 104]> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<[116, 120]> : tensor<2xi64>
    check.expect_eq_const %r#4, dense<[260, 264]> : tensor<2xi64>
    check.expect_eq_const %r#5, dense<[276, 280]> : tensor<2xi64>
    check.expect_eq_const %r#6, dense<[268, 272]> : tensor<2xi64>
    check.expect_eq_const %r#7, dense<[284, 288]> : tensor<2xi64>
    func.return
  }
}
// -----
module @all_reduce_cross_replica_and_partition_4x2_72 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0, 2, 1, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_cross_replica_and_partition_4x2_73 {
  func.func @one(%a: tensor<8xi64>) -> tensor<64xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2, 1, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<64xi64>
    return %r : tensor<64xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<64xi64>
    check.expect_eq_const %r#1, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<64xi64>
    check.expect_eq_const %r#2, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<64xi64>
    check.expect_eq_const %r#3, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<64xi64>
    check.expect_eq_const %r#4, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<64xi64>
    check.expect_eq_const %r#5, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<64xi64>
    check.expect_eq_const %r#6, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<64xi64>
    check.expect_eq_const %r#7, dense<[10, 11, 12, 13, 14, 15, 16, 17, 50, 51, 52, 53, 54, 55, 56, 57, 30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 20, 21, 22, 23, 24, 25, 26, 27, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47, 80, 81, 82, 83, 84, 85, 86, 87]> : tensor<64xi64>
    func.return
  }
}
// -----
module @reduce_scatter_cross_replica_and_partition_4x2_74 {
  func.func @one(%a: tensor<8xi64>) -> tensor<1xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2, 1, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<1xi64>
    return %r : tensor<1xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %r#0, dense<[360]> : tensor<1xi64>
    check.expect_eq_const %r#1, dense<[392]> : tensor<1xi64>
    check.expect_eq_const %r#2, dense<[376]> : tensor<1xi64>
    check.expect_eq_const %r#3, dense<[408]> : tensor<1xi64>
    check.expect_eq_const %r#4, dense<[368]> : tensor<1xi64>
    check.expect_eq_const %r#5, dense<[400]> : tensor<1xi64>
    check.expect_eq_const %r#6, dense<[384]> : tensor<1xi64>
    check.expect_eq_const %r#7, dense<[416]> : tensor<1xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_4x2_75 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[0], [3], [7], [1], [2], [6], [4], [5]]> : tensor<8x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_4x2_76 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [3], [7], [1], [2], [6], [4], [5]]> : tensor<8x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_4x2_77 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0], [3], [7], [1], [2], [6], [4], [5]]> : tensor<8x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_4x2_78 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[5, 2], [7, 4], [0, 1], [6, 3]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[30, 32, 34, 36, 38, 40, 42, 44]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[30, 32, 34, 36, 38, 40, 42, 44]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[90, 92, 94, 96, 98, 100, 102, 104]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[110, 112, 114, 116, 118, 120, 122, 124]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[130, 132, 134, 136, 138, 140, 142, 144]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[90, 92, 94, 96, 98, 100, 102, 104]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[110, 112, 114, 116, 118, 120, 122, 124]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[130, 132, 134, 136, 138, 140, 142, 144]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_4x2_79 {
  func.func @one(%a: tensor<8xi64>) -> tensor<16xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[5, 2], [7, 4], [0, 1], [6, 3]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<16xi64>
    return %r : tensor<16xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>, tensor<16xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<16xi64>
    check.expect_eq_const %r#1, dense<[10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<16xi64>
    check.expect_eq_const %r#2, dense<[60, 61, 62, 63, 64, 65, 66, 67, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<16xi64>
    check.expect_eq_const %r#3, dense<[70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<16xi64>
    check.expect_eq_const %r#4, dense<[80, 81, 82, 83, 84, 85, 86, 87, 50, 51, 52, 53, 54, 55, 56, 57]> : tensor<16xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 66, 67, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<16xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<16xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87, 50, 51, 52, 53, 54, 55, 56, 57]> : tensor<16xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_4x2_80 {
  func.func @one(%a: tensor<8xi64>) -> tensor<4xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[5, 2], [7, 4], [0, 1], [6, 3]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<4xi64>
    return %r : tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %r#0, dense<[30, 32, 34, 36]> : tensor<4xi64>
    check.expect_eq_const %r#1, dense<[38, 40, 42, 44]> : tensor<4xi64>
    check.expect_eq_const %r#2, dense<[98, 100, 102, 104]> : tensor<4xi64>
    check.expect_eq_const %r#3, dense<[118, 120, 122, 124]> : tensor<4xi64>
    check.expect_eq_const %r#4, dense<[138, 140, 142, 144]> : tensor<4xi64>
    check.expect_eq_const %r#5, dense<[90, 92, 94, 96]> : tensor<4xi64>
    check.expect_eq_const %r#6, dense<[110, 112, 114, 116]> : tensor<4xi64>
    check.expect_eq_const %r#7, dense<[130, 132, 134, 136]> : tensor<4xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_4x2_81 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[2, 6, 0, 1], [7, 4, 5, 3]]> : tensor<2x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[130, 134, 138, 142, 146, 150, 154, 158]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[130, 134, 138, 142, 146, 150, 154, 158]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[130, 134, 138, 142, 146, 150, 154, 158]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[230, 234, 238, 242, 246, 250, 254, 258]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[230, 234, 238, 242, 246, 250, 254, 258]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[230, 234, 238, 242, 246, 250, 254, 258]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[130, 134, 138, 142, 146, 150, 154, 158]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[230, 234, 238, 242, 246, 250, 254, 258]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_4x2_82 {
  func.func @one(%a: tensor<8xi64>) -> tensor<32xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[2, 6, 0, 1], [7, 4, 5, 3]]> : tensor<2x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<32xi64>
    return %r : tensor<32xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>, tensor<32xi64>)
    check.expect_eq_const %r#0, dense<[30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<32xi64>
    check.expect_eq_const %r#1, dense<[30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<32xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<32xi64>
    check.expect_eq_const %r#3, dense<[80, 81, 82, 83, 84, 85, 86, 87, 50, 51, 52, 53, 54, 55, 56, 57, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<32xi64>
    check.expect_eq_const %r#4, dense<[80, 81, 82, 83, 84, 85, 86, 87, 50, 51, 52, 53, 54, 55, 56, 57, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<32xi64>
    check.expect_eq_const %r#5, dense<[80, 81, 82, 83, 84, 85, 86, 87, 50, 51, 52, 53, 54, 55, 56, 57, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<32xi64>
    check.expect_eq_const %r#6, dense<[30, 31, 32, 33, 34, 35, 36, 37, 70, 71, 72, 73, 74, 75, 76, 77, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27]> : tensor<32xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87, 50, 51, 52, 53, 54, 55, 56, 57, 60, 61, 62, 63, 64, 65, 66, 67, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<32xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_4x2_83 {
  func.func @one(%a: tensor<8xi64>) -> tensor<2xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[2, 6, 0, 1], [7, 4, 5, 3]]> : tensor<2x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<2xi64>
    return %r : tensor<2xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[146, 150]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<[154, 158]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[130, 134]> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<[254, 258]> : tensor<2xi64>
    check.expect_eq_const %r#4, dense<[238, 242]> : tensor<2xi64>
    check.expect_eq_const %r#5, dense<[246, 250]> : tensor<2xi64>
    check.expect_eq_const %r#6, dense<[138, 142]> : tensor<2xi64>
    check.expect_eq_const %r#7, dense<[230, 234]> : tensor<2xi64>
    func.return
  }
}
// -----
module @all_reduce_flattened_ids_4x2_84 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {replica_groups = dense<[[1, 4, 6, 3, 0, 5, 7, 2]]> : tensor<1x8xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[360, 368, 376, 384, 392, 400, 408, 416]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_gather_flattened_ids_4x2_85 {
  func.func @one(%a: tensor<8xi64>) -> tensor<64xi64> {
    %r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 4, 6, 3, 0, 5, 7, 2]]> : tensor<1x8xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<64xi64>
    return %r : tensor<64xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>)
    check.expect_eq_const %r#0, dense<[20, 21, 22, 23, 24, 25, 26, 27, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47, 10, 11, 12, 13, 14, 15, 16, 17, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<64xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47, 10, 11, 12, 13, 14, 15, 16, 17, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<64xi64>
    check.expect_eq_const %r#2, dense<[20, 21, 22, 23, 24, 25, 26, 27, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47, 10, 11, 12, 13, 14, 15, 16, 17, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<64xi64>
    check.expect_eq_const %r#3, dense<[20, 21, 22, 23, 24, 25, 26, 27, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47, 10, 11, 12, 13, 14, 15, 16, 17, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<64xi64>
    check.expect_eq_const %r#4, dense<[20, 21, 22, 23, 24, 25, 26, 27, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47, 10, 11, 12, 13, 14, 15, 16, 17, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<64xi64>
    check.expect_eq_const %r#5, dense<[20, 21, 22, 23, 24, 25, 26, 27, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47, 10, 11, 12, 13, 14, 15, 16, 17, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<64xi64>
    check.expect_eq_const %r#6, dense<[20, 21, 22, 23, 24, 25, 26, 27, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47, 10, 11, 12, 13, 14, 15, 16, 17, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<64xi64>
    check.expect_eq_const %r#7, dense<[20, 21, 22, 23, 24, 25, 26, 27, 50, 51, 52, 53, 54, 55, 56, 57, 70, 71, 72, 73, 74, 75, 76, 77, 40, 41, 42, 43, 44, 45, 46, 47, 10, 11, 12, 13, 14, 15, 16, 17, 60, 61, 62, 63, 64, 65, 66, 67, 80, 81, 82, 83, 84, 85, 86, 87, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<64xi64>
    func.return
  }
}
// -----
module @reduce_scatter_flattened_ids_4x2_86 {
  func.func @one(%a: tensor<8xi64>) -> tensor<1xi64> {
    %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<i64>, %y: tensor<i64>): %s = stablehlo.add %x, %y : tensor<i64> stablehlo.return %s : tensor<i64> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[1, 4, 6, 3, 0, 5, 7, 2]]> : tensor<1x8xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<8xi64>) -> tensor<1xi64>
    return %r : tensor<1xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %r#0, dense<[392]> : tensor<1xi64>
    check.expect_eq_const %r#1, dense<[360]> : tensor<1xi64>
    check.expect_eq_const %r#2, dense<[416]> : tensor<1xi64>
    check.expect_eq_const %r#3, dense<[384]> : tensor<1xi64>
    check.expect_eq_const %r#4, dense<[368]> : tensor<1xi64>
    check.expect_eq_const %r#5, dense<[400]> : tensor<1xi64>
    check.expect_eq_const %r#6, dense<[376]> : tensor<1xi64>
    check.expect_eq_const %r#7, dense<[408]> : tensor<1xi64>
    func.return
  }
}
// -----
module @all_to_all_cross_replica_4x2_87 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[3, 2, 1, 0]]> : tensor<1x4xi64>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[76, 77, 56, 57, 36, 37, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[86, 87, 66, 67, 46, 47, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[74, 75, 54, 55, 34, 35, 14, 15]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[84, 85, 64, 65, 44, 45, 24, 25]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[72, 73, 52, 53, 32, 33, 12, 13]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[82, 83, 62, 63, 42, 43, 22, 23]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 50, 51, 30, 31, 10, 11]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 60, 61, 40, 41, 20, 21]> : tensor<8xi64>
    func.return
  }
}
// -----
module @collective_broadcast_cross_replica_4x2_88 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[3, 2, 1, 0]]> : tensor<1x4xi64>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    func.return
  }
}
// -----
module @collective_permute_cross_replica_4x2_89 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 0], [1, 2], [2, 3]]> : tensor<3x2xi64>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[0, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[0, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    func.return
  }
}
// -----
module @all_to_all_cross_partition_4x2_90 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[24, 25, 26, 27, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 10, 11, 12, 13]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[44, 45, 46, 47, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 30, 31, 32, 33]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[64, 65, 66, 67, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 50, 51, 52, 53]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[84, 85, 86, 87, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 70, 71, 72, 73]> : tensor<8xi64>
    func.return
  }
}
// -----
module @collective_broadcast_cross_partition_4x2_91 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    func.return
  }
}
// -----
module @collective_permute_cross_partition_4x2_92 {
  func.func @one(%a: tensor<8xi64>) -> tensor<8xi64> {
    %r = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8xi64>) -> tensor<8xi64>
    return %r : tensor<8xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    %a1 = stablehlo.constant dense<[20, 21, 22, 23, 24, 25, 26, 27]> : tensor<8xi64>
    %a2 = stablehlo.constant dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    %a3 = stablehlo.constant dense<[40, 41, 42, 43, 44, 45, 46, 47]> : tensor<8xi64>
    %a4 = stablehlo.constant dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    %a5 = stablehlo.constant dense<[60, 61, 62, 63, 64, 65, 66, 67]> : tensor<8xi64>
    %a6 = stablehlo.constant dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    %a7 = stablehlo.constant dense<[80, 81, 82, 83, 84, 85, 86, 87]> : tensor<8xi64>
    %r:8 = "interpreter.run_parallel"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {programs = [[@one, @one], [@one, @one], [@one, @one], [@one, @one]]} : (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>)
    check.expect_eq_const %r#0, dense<[10, 11, 12, 13, 14, 15, 16, 17]> : tensor<8xi64>
    check.expect_eq_const %r#1, dense<[0, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
    check.expect_eq_const %r#2, dense<[30, 31, 32, 33, 34, 35, 36, 37]> : tensor<8xi64>
    check.expect_eq_const %r#3, dense<[0, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
    check.expect_eq_const %r#4, dense<[50, 51, 52, 53, 54, 55, 56, 57]> : tensor<8xi64>
    check.expect_eq_const %r#5, dense<[0, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
    check.expect_eq_const %r#6, dense<[70, 71, 72, 73, 74, 75, 76, 77]> : tensor<8xi64>
    check.expect_eq_const %r#7, dense<[0, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
    func.return
  }
}
