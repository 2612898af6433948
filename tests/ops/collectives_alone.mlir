// SPDX-License-Identifier: Apache-2.0
// Every collective in a group of one chip: what it had is what it gets.

func.func @each() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %sum = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %scattered = "stablehlo.reduce_scatter"(%sum) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %gathered = "stablehlo.all_gather"(%scattered) {all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %exchanged = "stablehlo.all_to_all"(%gathered) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %sent = "stablehlo.collective_permute"(%exchanged) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %spread = "stablehlo.collective_broadcast"(%sent) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %old = "stablehlo.cross-replica-sum"(%spread) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %old, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return
}

func.func @nobody_sends() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<> : tensor<0x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<0> : tensor<2xi32>
  return
}
