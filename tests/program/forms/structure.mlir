// Declarations, tokens, host transfers, asynchronous regions, old operations, composites, calls.
module @structure attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func nested @nested(%x: tensor<f32>) attributes {no_inline} {
    return
  }
  func.func @tokens(%t: !stablehlo.token, %x: tensor<2xf32>) {
    %0 = stablehlo.after_all  : !stablehlo.token
    %1 = stablehlo.after_all %t, %0 {a} : !stablehlo.token
    %2 = stablehlo.create_token {b} : !stablehlo.token
    %3:2 = "stablehlo.infeed"(%t) <{infeed_config = "abc", layout = [[0]]}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    %4 = "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    %5 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    %6:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    %7 = stablehlo.tuple %x, %t {note} : tuple<tensor<2xf32>, !stablehlo.token>
    %8 = stablehlo.get_tuple_element %7[1] {c} : (tuple<tensor<2xf32>, !stablehlo.token>) -> !stablehlo.token
    %9 = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
      %11 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
      stablehlo.return %11 : tensor<4xf32>
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
    %10 = "stablehlo.async_done"(%9) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    return
  }
  func.func @deprecated(%x: tensor<4x6xf32>, %y: tensor<6x8xf32>, %i: tensor<3xi32>) {
    %0 = stablehlo.broadcast %x, sizes = [2, 3] : (tensor<4x6xf32>) -> tensor<2x3x4x6xf32>
    %1 = stablehlo.dot %x, %y, precision = [DEFAULT, HIGHEST] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.dot %x, %y {a} : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.einsum %x, %y, config = "ab,bc->ac" : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %4 = stablehlo.unary_einsum %x, config = "ab->a" : (tensor<4x6xf32>) -> tensor<4xf32>
    %5 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<4x6xf32>, tensor<3xi32>) -> tensor<4x3xf32>
    %6 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    return
  }
  func.func @calls(%x: tensor<4x6xf32>, %p: tensor<i1>) {
    %0 = stablehlo.composite "a.b" %x {decomposition = @callee, version = 1 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.composite "a.b" %x ({
    ^bb0(%a: tensor<4x6xf32>):
      stablehlo.return %a : tensor<4x6xf32>
    }) {decomposition = @callee} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2:2 = stablehlo.composite "a.none" {composite_attributes = {a = 1 : i32, b = "c"}, decomposition = @constants} : () -> (tensor<f32>, tensor<i32>)
    %3 = stablehlo.custom_call @"a name"(%x) {api_version = 4 : i32, backend_config = {a = [1, 2], b = "c"}, called_computations = [@callee], has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %4:2 = stablehlo.custom_call @two() {mhlo.backend_config = {top_k = 3 : i64}, operand_layouts = [], result_layouts = [dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : () -> (tensor<f32>, tensor<2xf32>)
    stablehlo.custom_call @none() : () -> ()
    %5 = call @callee(%x) {mhlo.frontend_attributes = {}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %6 = "stablehlo.if"(%p) ({
      stablehlo.return %x : tensor<4x6xf32>
    }, {
      %8 = func.call @callee(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      stablehlo.return %8 {note} : tensor<4x6xf32>
    }) : (tensor<i1>) -> tensor<4x6xf32>
    stablehlo.while() cond {
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return
    }
    %7 = stablehlo.optimization_barrier {note} %x : tensor<4x6xf32>
    return
  }
  func.func @callee(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    return %x : tensor<4x6xf32>
  }
  func.func private @constants() -> (tensor<f32>, tensor<i32>) {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.constant dense<1> : tensor<i32>
    return %0, %1 : tensor<f32>, tensor<i32>
  }
  func.func private @declared(tensor<2x3xf32> {a.b}, tensor<f32>) -> (tensor<f32> {c.d})
  "func.func"() <{function_type = (tensor<2xf32>) -> (), no_inline, sym_name = "also_declared", sym_visibility = "private"}> ({}) : () -> ()
}
