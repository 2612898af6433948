// SPDX-License-Identifier: Apache-2.0
#include "program/bytecode/operations.h"

#include <array>
#include <unordered_map>

#include "configs/base/error.h"

namespace understudy::program::bytecode {
namespace {

// One row per version of an operation. Properties are "name" or "name:form" in the order of the
// bytecode, which is alphabetical, with a "?" before those that may be absent. `structure` is
// "attribute=mnemonic" if the properties are the fields of one structured attribute (VHLO flattens
// dimension numbers into one property per field). The stablehlo name is the VHLO name without its
// version, unless `target` is given.
//
// An operation gets a new version when its properties or semantics change; the older rows stay, as
// artifacts of older targets use them.
struct Row {
  std::string_view name, properties, structure, target;
};

constexpr std::string_view kGather = "dimension_numbers=gather";
constexpr std::string_view kScatter = "scatter_dimension_numbers=scatter";
constexpr std::string_view kConv = "dimension_numbers=conv";
constexpr std::string_view kDot = "dot_dimension_numbers=dot";

// clang-format off
constexpr Row kOperations[] = {
    {"vhlo.abs_v1", "", "", ""},
    {"vhlo.add_v1", "", "", ""},
    {"vhlo.after_all_v1", "", "", ""},
    {"vhlo.all_gather_v1", "all_gather_dim channel_id:channel replica_groups use_global_device_ids:unit", "", ""},
    {"vhlo.all_gather_v2", "all_gather_dim channel_id:channel replica_groups use_global_device_ids:unit", "", ""},
    {"vhlo.all_reduce_v1", "channel_id:channel replica_groups use_global_device_ids:unit", "", ""},
    {"vhlo.all_reduce_v2", "channel_id:channel replica_groups use_global_device_ids:unit", "", ""},
    {"vhlo.all_to_all_v1", "channel_id:channel concat_dimension replica_groups split_count split_dimension", "", ""},
    {"vhlo.all_to_all_v2", "channel_id:channel concat_dimension replica_groups split_count split_dimension", "", ""},
    {"vhlo.and_v1", "", "", ""},
    {"vhlo.async_done_v1", "", "", ""},
    {"vhlo.async_start_v1", "", "", ""},
    {"vhlo.atan2_v1", "", "", ""},
    {"vhlo.batch_norm_grad_v1", "epsilon feature_index", "", ""},
    {"vhlo.batch_norm_inference_v1", "epsilon feature_index", "", ""},
    {"vhlo.batch_norm_training_v1", "epsilon feature_index", "", ""},
    {"vhlo.bitcast_convert_v1", "", "", ""},
    {"vhlo.broadcast_in_dim_v1", "broadcast_dimensions:list", "", ""},
    {"vhlo.broadcast_v1", "broadcast_sizes:list", "", ""},
    {"vhlo.call_v1", "callee:symbol", "", "func.call"},
    {"vhlo.case_v1", "", "", ""},
    {"vhlo.cbrt_v1", "", "", ""},
    {"vhlo.cbrt_v2", "result_accuracy", "", ""},
    {"vhlo.ceil_v1", "", "", ""},
    {"vhlo.cholesky_v1", "lower", "", ""},
    {"vhlo.clamp_v1", "", "", ""},
    {"vhlo.collective_broadcast_v1", "channel_id:channel replica_groups", "", ""},
    {"vhlo.collective_broadcast_v2", "channel_id:channel has_dynamic_root:unit replica_groups", "", ""},
    {"vhlo.collective_permute_v1", "channel_id:channel source_target_pairs", "", ""},
    {"vhlo.collective_reduce_v1", "channel_id:channel has_dynamic_root:unit replica_groups use_global_device_ids:unit", "", ""},
    {"vhlo.compare_v1", "compare_type comparison_direction", "", ""},
    {"vhlo.complex_v1", "", "", ""},
    {"vhlo.composite_v1", "composite_attributes decomposition:symbol name version", "", ""},
    {"vhlo.composite_v2", "composite_attributes decomposition:symbol name version", "", ""},
    {"vhlo.concatenate_v1", "dimension", "", ""},
    {"vhlo.constant_v1", "value", "", ""},
    {"vhlo.convert_v1", "", "", ""},
    {"vhlo.convolution_v1", "batch_group_count feature_group_count input_batch_dimension:field input_feature_dimension:field input_spatial_dimensions:field kernel_input_feature_dimension:field kernel_output_feature_dimension:field kernel_spatial_dimensions:field lhs_dilation:list output_batch_dimension:field output_feature_dimension:field output_spatial_dimensions:field padding precision_config rhs_dilation:list window_reversal:list window_strides:list", kConv, ""},
    {"vhlo.cosine_v1", "", "", ""},
    {"vhlo.cosine_v2", "result_accuracy", "", ""},
    {"vhlo.count_leading_zeros_v1", "", "", ""},
    {"vhlo.create_token_v1", "", "", ""},
    {"vhlo.cross-replica-sum_v1", "replica_groups", "", ""},
    {"vhlo.custom_call_v1", "api_version backend_config call_target_name called_computations:symbols has_side_effect operand_layouts output_operand_aliases result_layouts", "", ""},
    {"vhlo.custom_call_v2", "api_version backend_config call_target_name called_computations:symbols has_side_effect operand_layouts output_operand_aliases result_layouts result_tilings", "", ""},
    {"vhlo.divide_v1", "", "", ""},
    {"vhlo.dot_general_v1", "lhs_batching_dimensions:field lhs_contracting_dimensions:field precision_config rhs_batching_dimensions:field rhs_contracting_dimensions:field", kDot, ""},
    {"vhlo.dot_general_v2", "accumulation_type:algorithm allow_imprecise_accumulation:algorithm lhs_batching_dimensions:field lhs_component_count:algorithm lhs_contracting_dimensions:field lhs_precision_type:algorithm num_primitive_operations:algorithm precision_config rhs_batching_dimensions:field rhs_component_count:algorithm rhs_contracting_dimensions:field rhs_precision_type:algorithm", kDot, ""},
    {"vhlo.dot_v1", "precision_config", "", ""},
    {"vhlo.dynamic_broadcast_in_dim_v1", "broadcast_dimensions:list known_expanding_dimensions:list known_nonexpanding_dimensions:list", "", ""},
    {"vhlo.dynamic_conv_v1", "batch_group_count feature_group_count input_batch_dimension:field input_feature_dimension:field input_spatial_dimensions:field kernel_input_feature_dimension:field kernel_output_feature_dimension:field kernel_spatial_dimensions:field lhs_dilation:list output_batch_dimension:field output_feature_dimension:field output_spatial_dimensions:field padding:skip precision_config rhs_dilation:list window_reversal:list window_strides:list", kConv, ""},
    {"vhlo.dynamic_conv_v2", "batch_group_count feature_group_count input_batch_dimension:field input_feature_dimension:field input_spatial_dimensions:field kernel_input_feature_dimension:field kernel_output_feature_dimension:field kernel_spatial_dimensions:field lhs_dilation:list output_batch_dimension:field output_feature_dimension:field output_spatial_dimensions:field precision_config rhs_dilation:list window_reversal:list window_strides:list", kConv, ""},
    {"vhlo.dynamic_gather_v1", "collapsed_slice_dims:field index_vector_dim:field indices_are_sorted offset_dims:field start_index_map:field", kGather, ""},
    {"vhlo.dynamic_gather_v2", "collapsed_slice_dims:field index_vector_dim:field indices_are_sorted offset_dims:field operand_batching_dims:field start_index_map:field start_indices_batching_dims:field", kGather, ""},
    {"vhlo.dynamic_iota_v1", "iota_dimension", "", ""},
    {"vhlo.dynamic_pad_v1", "", "", ""},
    {"vhlo.dynamic_reshape_v1", "", "", ""},
    {"vhlo.dynamic_slice_v1", "slice_sizes:list", "", ""},
    {"vhlo.dynamic_update_slice_v1", "", "", ""},
    {"vhlo.einsum_v1", "einsum_config", "", ""},
    {"vhlo.exponential_minus_one_v1", "", "", ""},
    {"vhlo.exponential_minus_one_v2", "result_accuracy", "", ""},
    {"vhlo.exponential_v1", "", "", ""},
    {"vhlo.exponential_v2", "result_accuracy", "", ""},
    {"vhlo.fft_v1", "fft_length:list fft_type", "", ""},
    {"vhlo.floor_v1", "", "", ""},
    {"vhlo.func_v1", "arg_attrs function_type res_attrs sym_name sym_visibility", "", "func.func"},
    {"vhlo.gather_v1", "collapsed_slice_dims:field index_vector_dim:field indices_are_sorted offset_dims:field slice_sizes:list start_index_map:field", kGather, ""},
    {"vhlo.gather_v2", "collapsed_slice_dims:field index_vector_dim:field indices_are_sorted offset_dims:field operand_batching_dims:field slice_sizes:list start_index_map:field start_indices_batching_dims:field", kGather, ""},
    {"vhlo.get_dimension_size_v1", "dimension", "", ""},
    {"vhlo.get_tuple_element_v1", "index", "", ""},
    {"vhlo.if_v1", "", "", ""},
    {"vhlo.imag_v1", "", "", ""},
    {"vhlo.infeed_v1", "infeed_config layout", "", ""},
    {"vhlo.iota_v1", "iota_dimension", "", ""},
    {"vhlo.is_finite_v1", "", "", ""},
    {"vhlo.log_plus_one_v1", "", "", ""},
    {"vhlo.log_plus_one_v2", "result_accuracy", "", ""},
    {"vhlo.log_v1", "", "", ""},
    {"vhlo.log_v2", "result_accuracy", "", ""},
    {"vhlo.logistic_v1", "", "", ""},
    {"vhlo.logistic_v2", "result_accuracy", "", ""},
    {"vhlo.map_v1", "dimensions:list", "", ""},
    {"vhlo.maximum_v1", "", "", ""},
    {"vhlo.minimum_v1", "", "", ""},
    {"vhlo.multiply_v1", "", "", ""},
    {"vhlo.negate_v1", "", "", ""},
    {"vhlo.not_v1", "", "", ""},
    {"vhlo.optimization_barrier_v1", "", "", ""},
    {"vhlo.or_v1", "", "", ""},
    {"vhlo.outfeed_v1", "outfeed_config", "", ""},
    {"vhlo.pad_v1", "edge_padding_high:list edge_padding_low:list interior_padding:list", "", ""},
    {"vhlo.partition_id_v1", "", "", ""},
    {"vhlo.popcnt_v1", "", "", ""},
    {"vhlo.power_v1", "", "", ""},
    {"vhlo.real_dynamic_slice_v1", "", "", ""},
    {"vhlo.real_v1", "", "", ""},
    {"vhlo.recv_v1", "channel_id:channel channel_type:kind is_host_transfer", "", ""},
    {"vhlo.recv_v2", "channel_id:channel channel_type:kind is_host_transfer source_target_pairs", "", ""},
    {"vhlo.reduce_precision_v1", "exponent_bits mantissa_bits", "", ""},
    {"vhlo.reduce_scatter_v1", "channel_id:channel replica_groups scatter_dimension use_global_device_ids:unit", "", ""},
    {"vhlo.reduce_v1", "dimensions:list", "", ""},
    {"vhlo.reduce_window_v1", "base_dilations:list padding window_dilations:list window_dimensions:list window_strides:list", "", ""},
    {"vhlo.remainder_v1", "", "", ""},
    {"vhlo.replica_id_v1", "", "", ""},
    {"vhlo.reshape_v1", "", "", ""},
    {"vhlo.return_v1", "", "", ""},
    {"vhlo.reverse_v1", "dimensions:list", "", ""},
    {"vhlo.rng_bit_generator_v1", "rng_algorithm", "", ""},
    {"vhlo.rng_v1", "rng_distribution", "", ""},
    {"vhlo.round_nearest_afz_v1", "", "", ""},
    {"vhlo.round_nearest_even_v1", "", "", ""},
    {"vhlo.rsqrt_v1", "", "", ""},
    {"vhlo.rsqrt_v2", "result_accuracy", "", ""},
    {"vhlo.scatter_v1", "index_vector_dim:field indices_are_sorted inserted_window_dims:field scatter_dims_to_operand_dims:field unique_indices update_window_dims:field", kScatter, ""},
    {"vhlo.scatter_v2", "index_vector_dim:field indices_are_sorted input_batching_dims:field inserted_window_dims:field scatter_dims_to_operand_dims:field scatter_indices_batching_dims:field unique_indices update_window_dims:field", kScatter, ""},
    {"vhlo.select_and_scatter_v1", "padding window_dimensions:list window_strides:list", "", ""},
    {"vhlo.select_v1", "", "", ""},
    {"vhlo.send_v1", "channel_id:channel channel_type:kind is_host_transfer", "", ""},
    {"vhlo.send_v2", "channel_id:channel channel_type:kind is_host_transfer source_target_pairs", "", ""},
    {"vhlo.set_dimension_size_v1", "dimension", "", ""},
    {"vhlo.shift_left_v1", "", "", ""},
    {"vhlo.shift_right_arithmetic_v1", "", "", ""},
    {"vhlo.shift_right_logical_v1", "", "", ""},
    {"vhlo.sign_v1", "", "", ""},
    {"vhlo.sine_v1", "", "", ""},
    {"vhlo.sine_v2", "result_accuracy", "", ""},
    {"vhlo.slice_v1", "limit_indices:list start_indices:list strides:list", "", ""},
    {"vhlo.sort_v1", "dimension is_stable", "", ""},
    {"vhlo.sqrt_v1", "", "", ""},
    {"vhlo.sqrt_v2", "result_accuracy", "", ""},
    {"vhlo.subtract_v1", "", "", ""},
    {"vhlo.tan_v1", "", "", ""},
    {"vhlo.tan_v2", "result_accuracy", "", ""},
    {"vhlo.tanh_v1", "", "", ""},
    {"vhlo.tanh_v2", "result_accuracy", "", ""},
    {"vhlo.torch_index_select_v1", "batch_dims dim", "", ""},
    {"vhlo.transpose_v1", "permutation:list", "", ""},
    {"vhlo.triangular_solve_v1", "left_side lower transpose_a unit_diagonal", "", ""},
    {"vhlo.tuple_v1", "", "", ""},
    {"vhlo.unary_einsum_v1", "einsum_config", "", ""},
    {"vhlo.uniform_dequantize_v1", "", "", ""},
    {"vhlo.uniform_quantize_v1", "", "", ""},
    {"vhlo.while_v1", "", "", ""},
    {"vhlo.xor_v1", "", "", ""},
    {"builtin.module", "?sym_name ?sym_visibility", "", "builtin.module"},
    {"builtin.unrealized_conversion_cast", "", "", "builtin.unrealized_conversion_cast"},
    {"sdy.constant", "value", "", "sdy.constant"},
    {"sdy.data_flow_edge", "?sharding", "", "sdy.data_flow_edge"},
    {"sdy.manual_computation", "in_shardings manual_axes out_shardings", "", "sdy.manual_computation"},
    {"sdy.mesh", "mesh sym_name", "", "sdy.mesh"},
    {"sdy.named_computation", "?in_shardings name ?out_shardings", "", "sdy.named_computation"},
    {"sdy.propagation_barrier", "allowed_direction", "", "sdy.propagation_barrier"},
    {"sdy.reshard", "sharding", "", "sdy.reshard"},
    {"sdy.return", "", "", "sdy.return"},
    {"sdy.sharding_constraint", "sharding", "", "sdy.sharding_constraint"},
    {"sdy.sharding_group", "group_id", "", "sdy.sharding_group"},
};
// clang-format on

struct FormName {
  std::string_view name;
  Form form;
};
constexpr std::array<FormName, 9> kForms = {{{"list", Form::list},
                                             {"unit", Form::unit},
                                             {"channel", Form::channel},
                                             {"kind", Form::kind},
                                             {"symbol", Form::symbol},
                                             {"symbols", Form::symbols},
                                             {"field", Form::field},
                                             {"algorithm", Form::algorithm},
                                             {"skip", Form::skip}}};

Form form_of(std::string_view name) {
  for (const FormName& row : kForms) {
    if (row.name == name) return row.form;
  }
  // The table is ours: an unknown word is a mistake in it.
  UNDERSTUDY_ASSERT(false);
}

// Parses one row: the version suffix is cut off the name, the properties are split at blanks.
KnownOp known_of(const Row& row) {
  KnownOp out;
  const std::size_t dot = row.name.find('.');
  // The version is cut at the last "_v", as names contain underscores.
  out.name =
      !row.target.empty()
          ? row.target
          : "stablehlo." + std::string(row.name.substr(dot + 1, row.name.rfind("_v") - dot - 1));
  for (std::string_view rest = row.properties; !rest.empty();) {
    std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    const bool is_optional = word.front() == '?';
    if (is_optional) word.remove_prefix(1);
    const std::size_t colon = word.find(':');
    const bool plain = colon == std::string_view::npos;
    out.properties.push_back(
        {word.substr(0, colon), plain ? Form::same : form_of(word.substr(colon + 1)), is_optional});
  }
  const std::size_t equals = row.structure.find('=');
  if (equals != std::string_view::npos) {
    out.structure = row.structure.substr(0, equals);
    out.mnemonic = row.structure.substr(equals + 1);
  }
  return out;
}

}  // namespace

const KnownOp* find_known_op(std::string_view dialect, std::string_view name) {
  // Parsed once, on first use: readers look up every operation of a file.
  static const auto kByName = [] {
    std::unordered_map<std::string, KnownOp> map;
    for (const Row& row : kOperations) map.emplace(row.name, known_of(row));
    return map;
  }();
  const auto found = kByName.find(std::string(dialect) + "." + std::string(name));
  return found == kByName.end() ? nullptr : &found->second;
}

std::vector<std::string_view> known_ops() {
  std::vector<std::string_view> names;
  for (const Row& row : kOperations) names.push_back(row.name);
  return names;
}

}  // namespace understudy::program::bytecode
