func.func @f(%x: tensor<2x3xf32>, %t: !stablehlo.token) -> tensor<2x3xf32> {
  %0 = "stablehlo.custom_call"(%x) {call_target_name = "f", api_version = 4 : i32, backend_config = {a = 1 : i64}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %2 = "stablehlo.composite"(%0) {name = "a.b", decomposition = @g} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
func.func @g(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.log %x {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
