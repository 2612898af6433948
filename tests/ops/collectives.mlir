// SPDX-License-Identifier: Apache-2.0
// Every collective over several chips: two replicas, two by two processes, groups out of order.

func.func @sums(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %all = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  %old = "stablehlo.cross-replica-sum"(%x) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %all, %old : tensor<2xi32>, tensor<2xi32>
}

func.func @moves(%x: tensor<2xi32>) -> (tensor<4xi32>, tensor<1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %gathered = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<4xi32>
  %scattered = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<1xi32>
  %exchanged = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  %sent = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  %spread = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %gathered, %scattered, %exchanged, %sent, %spread : tensor<4xi32>, tensor<1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

func.func @over_partitions(%x: tensor<1xi32>) -> tensor<1xi32> {
  %r = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>} : (tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

func.func @all_reduce() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %r:4 = "interpreter.run_parallel"(%a, %b) {programs = [[@sums], [@sums]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[31, 42]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %r#2, dense<[31, 42]> : tensor<2xi32>
  check.expect_eq_const %r#3, dense<[30, 40]> : tensor<2xi32>
  return
}

func.func @movement() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %r:10 = "interpreter.run_parallel"(%a, %b) {programs = [[@moves], [@moves]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<4xi32>, tensor<1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<4xi32>, tensor<1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[30, 40, 1, 2]> : tensor<4xi32>
  check.expect_eq_const %r#1, dense<30> : tensor<1xi32>
  check.expect_eq_const %r#2, dense<[1, 30]> : tensor<2xi32>
  check.expect_eq_const %r#3, dense<0> : tensor<2xi32>
  check.expect_eq_const %r#4, dense<[30, 40]> : tensor<2xi32>
  check.expect_eq_const %r#5, dense<[30, 40, 1, 2]> : tensor<4xi32>
  check.expect_eq_const %r#6, dense<80> : tensor<1xi32>
  check.expect_eq_const %r#7, dense<[2, 40]> : tensor<2xi32>
  check.expect_eq_const %r#8, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %r#9, dense<[30, 40]> : tensor<2xi32>
  return
}

// With a channel, a group of replicas has the members of all partitions.
func.func @two_by_two() {
  %a = stablehlo.constant dense<1> : tensor<1xi32>
  %b = stablehlo.constant dense<7> : tensor<1xi32>
  %c = stablehlo.constant dense<5> : tensor<1xi32>
  %d = stablehlo.constant dense<-2> : tensor<1xi32>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@over_partitions, @over_partitions], [@over_partitions, @over_partitions]]} : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %r#0, dense<7> : tensor<1xi32>
  check.expect_eq_const %r#1, dense<7> : tensor<1xi32>
  check.expect_eq_const %r#2, dense<5> : tensor<1xi32>
  check.expect_eq_const %r#3, dense<5> : tensor<1xi32>
  return
}
