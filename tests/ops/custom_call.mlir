// SPDX-License-Identifier: Apache-2.0
// Targets that are known by name: element-wise ones, and annotations that move nothing on one chip.

func.func @element_wise() {
  %x = stablehlo.constant dense<[-0.5, 0.0, 0.25]> : tensor<3xf32>
  %erf = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %e = stablehlo.constant dense<[-0.520499878, 0.0, 0.276326390]> : tensor<3xf32>
  check.expect_close %erf, %e, max_ulp_difference = 1 : tensor<3xf32>, tensor<3xf32>
  %asin = "stablehlo.custom_call"(%x) {call_target_name = "mhlo.asin"} : (tensor<3xf32>) -> tensor<3xf32>
  %s = stablehlo.constant dense<[-0.523598776, 0.0, 0.252680255]> : tensor<3xf32>
  check.expect_close %asin, %s, max_ulp_difference = 1 : tensor<3xf32>, tensor<3xf32>
  %sinh = stablehlo.custom_call @mhlo.sinh(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %h = stablehlo.constant dense<[-0.521095306, 0.0, 0.252612317]> : tensor<3xf32>
  check.expect_close %sinh, %h, max_ulp_difference = 1 : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @annotations() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %a = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<3xi32>) -> tensor<3xi32>
  %b = stablehlo.custom_call @SPMDFullToShardShape(%a) {mhlo.sharding = "{manual}"} : (tensor<3xi32>) -> tensor<3xi32>
  %c = stablehlo.custom_call @SPMDShardToFullShape(%b) {mhlo.sharding = "{replicated}"} : (tensor<3xi32>) -> tensor<3xi32>
  %d = stablehlo.custom_call @xla.sdy.FuncResultSharding(%c) {has_side_effect = true} : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %d, dense<[1, 2, 3]> : tensor<3xi32>
  return
}
