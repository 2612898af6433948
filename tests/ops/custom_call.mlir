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

// Marks that no value depends on, memory kinds, and buffers that nobody has written.
func.func @marks() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %host = stablehlo.custom_call @annotate_device_placement(%x) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %chip = stablehlo.custom_call @annotate_device_placement(%host) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %order = stablehlo.custom_call @LayoutConstraint(%chip) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %seen = stablehlo.custom_call @InspectSharding(%order) {has_side_effect = true} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  stablehlo.custom_call @dce_sink(%seen) {has_side_effect = true} : (tensor<2x2xf32>) -> ()
  check.expect_eq_const %seen, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %new = stablehlo.custom_call @AllocateBuffer() : () -> tensor<2x2xf32>
  check.expect_eq_const %new, dense<0.0> : tensor<2x2xf32>
  return
}

func.func private @larger(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %p = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %p : tensor<i1>
}

// The largest elements and their indices; equal values by ascending index.
func.func @top_k() {
  %x = stablehlo.constant dense<[3.0, -1.0, 7.0, 3.0, 5.0]> : tensor<5xf32>
  %i = stablehlo.iota dim = 0 : tensor<5xi32>
  %k = stablehlo.constant dense<3> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %a:2 = stablehlo.custom_call @TopK(%x) : (tensor<5xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %a#0, dense<[7.0, 5.0, 3.0]> : tensor<3xf32>
  check.expect_eq_const %a#1, dense<[2, 4, 0]> : tensor<3xi32>
  %b:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %b#0, dense<[-1.0, 3.0]> : tensor<2xf32>
  check.expect_eq_const %b#1, dense<[1, 0]> : tensor<2xi32>
  %c:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<5xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %c#1, dense<[2, 4, 0]> : tensor<3xi32>
  %d:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %least, %none) {called_computations = [@larger], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %d#0, dense<[7.0, 5.0, 3.0]> : tensor<3xf32>
  check.expect_eq_const %d#1, dense<[2, 4, 0]> : tensor<3xi32>
  %e:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %i, %least, %none, %k) {called_computations = [@larger], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64}} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %e#1, dense<[2, 4, 0]> : tensor<3xi32>
  return
}

// Several results in one tuple, as XLA writes them: the Cholesky factor and LAPACK's status.
func.func @tuples() {
  %a = stablehlo.constant dense<[[4.0, 0.0], [2.0, 10.0]]> : tensor<2x2xf64>
  %r = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf64>) -> tuple<tensor<2x2xf64>, tensor<i32>>
  %status = stablehlo.get_tuple_element %r[1] : (tuple<tensor<2x2xf64>, tensor<i32>>) -> tensor<i32>
  %factor = stablehlo.get_tuple_element %r[0] : (tuple<tensor<2x2xf64>, tensor<i32>>) -> tensor<2x2xf64>
  check.expect_eq_const %factor, dense<[[2.0, 0.0], [1.0, 3.0]]> : tensor<2x2xf64>
  check.expect_eq_const %status, dense<0> : tensor<i32>
  return
}
