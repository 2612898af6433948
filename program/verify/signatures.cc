// SPDX-License-Identifier: Apache-2.0
// The signatures of the operations of StableHLO, CHLO and Shardy: StableHLO specification, the
// inputs, outputs and constraints of each operation.
#include "program/verify/signature_rows.h"

namespace understudy::program::rules {
namespace {

constexpr SignatureRow kRows[] = {
    // element-wise
    {"stablehlo: add maximum minimum multiply", "any.e.S any.e.S", "=", ""},
    {"stablehlo: and or xor", "pred|int.e.S pred|int.e.S", "=", ""},
    {"stablehlo: divide power remainder subtract", "int|float|complex.e.S int|float|complex.e.S",
     "=", ""},
    {"stablehlo: atan2", "float|complex.e.S float|complex.e.S", "=", ""},
    {"stablehlo: shift_left shift_right_arithmetic shift_right_logical", "int.e.S int.e.S", "=",
     ""},
    {"stablehlo: cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt "
     "sine "
     "sqrt tan tanh",
     "float|complex.e.S", "=", "?result_accuracy:accuracy"},
    {"stablehlo: ceil floor round_nearest_afz round_nearest_even", "float.e.S", "=", ""},
    {"stablehlo: count_leading_zeros popcnt", "int.e.S", "=", ""},
    {"stablehlo: not", "pred|int.e.S", "=", ""},
    {"stablehlo: negate", "int|float|complex.e.S", "=", ""},
    {"stablehlo: sign", "sint|float|complex.e.S", "=", ""},
    {"stablehlo: abs", "sint|float|complex.S", "sint|float.S", ""},
    {"stablehlo: real imag", "float|complex.S", "float.S", ""},
    {"stablehlo: is_finite", "float.S", "pred.S", ""},
    {"stablehlo: complex", "part.e.S part.e.S", "complex.S", ""},
    {"stablehlo: compare", "any.e.S any.e.S", "pred.S",
     "comparison_direction:{EQ,NE,GE,GT,LE,LT} ?compare_type:{NOTYPE,FLOAT,TOTALORDER,SIGNED,"
     "UNSIGNED}"},
    {"stablehlo: select", "pred any.e.S any.e.S", "any.e.S", ""},
    {"stablehlo: clamp", "any.e any.e.S any.e", "any.e.S", ""},
    {"stablehlo: convert", "any.S", "any.S", ""},
    {"stablehlo: bitcast_convert", "any", "any", ""},
    {"stablehlo: reduce_precision", "float.e.S", "=", "exponent_bits:i32>0 mantissa_bits:i32>=0"},
    {"stablehlo: map", "any.S*", "any.S", "dimensions:ints"},
    // values from nothing
    {"stablehlo: constant", "", "any!", "value:elements"},
    {"stablehlo: iota", "", "int|float|complex!", "iota_dimension:i64>=0"},
    {"stablehlo: partition_id replica_id", "", "ui32.0", ""},
    // data movement
    {"stablehlo: reshape", "any.e", "any.e", ""},
    {"stablehlo: transpose", "any.e.R", "any.e.R", "permutation:ints"},
    {"stablehlo: broadcast_in_dim", "any.e", "any.e", "broadcast_dimensions:ints"},
    {"stablehlo: broadcast", "any.e", "any.e", "broadcast_sizes:ints"},
    {"stablehlo: concatenate", "any.e.R*", "any.e.R", "dimension:i64>=0"},
    {"stablehlo: slice", "any.e.R", "any.e.R",
     "start_indices:ints limit_indices:ints strides:ints"},
    {"stablehlo: dynamic_slice", "any.e.R int.i.0*", "any.e.R", "slice_sizes:ints"},
    {"stablehlo: dynamic_update_slice", "any.e.S any.e int.i.0*", "any.e.S", ""},
    {"stablehlo: pad", "any.e.R any.e.0", "any.e.R",
     "edge_padding_low:ints edge_padding_high:ints interior_padding:ints"},
    {"stablehlo: reverse", "any.e.S", "=", "dimensions:ints"},
    {"stablehlo: gather", "any.e int", "any.e",
     "dimension_numbers:#gather slice_sizes:ints ?indices_are_sorted:bool"},
    {"stablehlo: scatter", "any*", "any*",
     "scatter_dimension_numbers:#scatter ?indices_are_sorted:bool ?unique_indices:bool"},
    {"stablehlo: sort", "any.S*", "any.S*", "?dimension:i64 ?is_stable:bool"},
    {"stablehlo: torch_index_select", "any any", "any", "dim:i64 batch_dims:i64"},
    {"stablehlo: get_dimension_size", "any", "i32.0", "dimension:i64>=0"},
    {"stablehlo: set_dimension_size", "any.e.R i32.0", "any.e.R", "dimension:i64>=0"},
    // reductions and windows
    {"stablehlo: reduce", "any*", "any*", "dimensions:ints"},
    {"stablehlo: reduce_window", "any*", "any*",
     "window_dimensions:ints ?window_strides:ints ?base_dilations:ints ?window_dilations:ints "
     "?padding:dense"},
    {"stablehlo: select_and_scatter", "any.R any.R any.0", "any.R",
     "?window_dimensions:ints ?window_strides:ints ?padding:dense"},
    // linear algebra
    {"stablehlo: dot_general", "any any", "any",
     "dot_dimension_numbers:#dot ?precision_config:precision ?algorithm:#dot_algorithm"},
    {"stablehlo: dot", "any any", "any", "?precision_config:precision"},
    {"stablehlo: convolution", "any.R any.R", "any.R",
     "dimension_numbers:#conv feature_group_count:i64>0 batch_group_count:i64>0 "
     "?window_strides:ints ?padding:dense ?lhs_dilation:ints ?rhs_dilation:ints "
     "?window_reversal:bools ?precision_config:precision"},
    {"stablehlo: cholesky", "float|complex.e.S", "=", "?lower:bool"},
    {"stablehlo: triangular_solve", "float|complex.e.R float|complex.e.S.R", "float|complex.e.S",
     "left_side:bool lower:bool unit_diagonal:bool "
     "transpose_a:{NO_TRANSPOSE,TRANSPOSE,ADJOINT}"},
    {"stablehlo: fft", "float|complex", "float|complex",
     "fft_type:{FFT,IFFT,RFFT,IRFFT} fft_length:ints"},
    {"stablehlo: batch_norm_training", "float.e.S float.e.1 float.e.1",
     "float.e.S float.e.1 float.e.1", "epsilon:f32 feature_index:i64>=0"},
    {"stablehlo: batch_norm_inference", "float.e.S float.e.1 float.e.1 float.e.1 float.e.1",
     "float.e.S", "epsilon:f32 feature_index:i64>=0"},
    {"stablehlo: batch_norm_grad", "float.e.S float.e.1 float.e.1 float.e.1 float.e.S",
     "float.e.S float.e.1 float.e.1", "epsilon:f32 feature_index:i64>=0"},
    {"stablehlo: einsum", "any any", "any", "einsum_config:text"},
    {"stablehlo: unary_einsum", "any", "any", "einsum_config:text"},
    // control flow, calls, structure
    {"stablehlo: composite", "value*", "value*",
     "name:text decomposition:symbol ?composite_attributes:dict ?version:i32"},
    {"stablehlo: custom_call", "value*", "value*",
     "call_target_name:text ?has_side_effect:bool ?backend_config:config ?api_version:api "
     "?called_computations:symbols ?operand_layouts:layouts ?result_layouts:layouts "
     "?output_operand_aliases:aliases"},
    {"stablehlo: optimization_barrier", "any|token*", "any|token*", ""},
    {"stablehlo: tuple", "any|token|tuple*", "tuple", ""},
    {"stablehlo: get_tuple_element", "tuple", "any|token|tuple", "index:i32>=0"},
    {"stablehlo: after_all", "token*", "token", ""},
    {"stablehlo: create_token", "", "token", ""},
    {"stablehlo: infeed", "token", "any|token!*", "?infeed_config:text ?layout:list"},
    {"stablehlo: outfeed", "any* token", "token", "?outfeed_config:text"},
    {"stablehlo: send", "any* token", "token",
     "channel_handle:#channel_handle ?is_host_transfer:bool ?source_target_pairs:dense"},
    {"stablehlo: recv", "token", "any!* token",
     "channel_handle:#channel_handle ?is_host_transfer:bool ?source_target_pairs:dense"},
    {"stablehlo: async_start", "any*", "future", ""},
    {"stablehlo: async_done", "future", "any*", ""},
    {"func: call", "value*", "value*", "callee:symbol"},
    // collectives
    {"stablehlo: all_reduce", "any*", "any*",
     "replica_groups:groups ?channel_handle:#channel_handle ?use_global_device_ids:unit"},
    {"stablehlo: reduce_scatter", "any", "any",
     "scatter_dimension:i64>=0 replica_groups:groups ?channel_handle:#channel_handle "
     "?use_global_device_ids:unit"},
    {"stablehlo: all_gather", "any*", "any*",
     "all_gather_dim:i64>=0 replica_groups:groups ?channel_handle:#channel_handle "
     "?use_global_device_ids:unit"},
    {"stablehlo: all_to_all", "any*", "any*",
     "split_dimension:i64>=0 concat_dimension:i64>=0 split_count:i64>0 replica_groups:groups "
     "?channel_handle:#channel_handle"},
    {"stablehlo: collective_permute", "any.e.S", "=",
     "source_target_pairs:dense ?channel_handle:#channel_handle"},
    {"stablehlo: collective_broadcast", "any*", "any*",
     "replica_groups:groups ?channel_handle:#channel_handle"},
    {"stablehlo: collective_reduce", "any*", "any*",
     "replica_groups:groups ?channel_handle:#channel_handle"},
    {"stablehlo: cross-replica-sum", "any.e.S", "=", "replica_groups:dense"},
    // random numbers
    {"stablehlo: rng_bit_generator", "int|float.e.S", "int|float.e.S int|float!",
     "rng_algorithm:{DEFAULT,THREE_FRY,PHILOX}"},
    {"stablehlo: rng", "pred|int|float.e.0 pred|int|float.e.0 int.1!", "pred|int|float.e",
     "rng_distribution:{UNIFORM,NORMAL}"},
    // shapes as values
    {"stablehlo: dynamic_reshape", "any.e int.1!", "any.e", ""},
    {"stablehlo: dynamic_broadcast_in_dim", "any.e int.1!", "any.e",
     "broadcast_dimensions:ints ?known_expanding_dimensions:ints "
     "?known_nonexpanding_dimensions:ints"},
    {"stablehlo: dynamic_iota", "int.1!", "int|float|complex", "iota_dimension:i64>=0"},
    {"stablehlo: dynamic_pad", "any.e.R any.e.0 int.i.1!.S int.i.1!.S int.i.1!.S", "any.e.R", ""},
    {"stablehlo: real_dynamic_slice", "any.e.R int.i.1.S int.i.1.S int.i.1.S", "any.e.R", ""},
    {"stablehlo: dynamic_gather", "any.e int int.1!", "any.e",
     "dimension_numbers:#gather ?indices_are_sorted:bool"},
    {"stablehlo: dynamic_conv", "any.R any.R int.2!", "any.R",
     "dimension_numbers:#conv feature_group_count:i64>0 batch_group_count:i64>0 "
     "?window_strides:ints ?lhs_dilation:ints ?rhs_dilation:ints ?window_reversal:bools "
     "?precision_config:precision"},
    // CHLO
    {"chlo: acos acosh asin asinh atan atanh bessel_i1e conj cosh sinh square tan",
     "float|complex.e.S", "=", ""},
    {"chlo: digamma erf erf_inv erfc lgamma", "float.e.S", "=", ""},
    {"chlo: _asin_acos_kernel", "complex.e.S", "=", ""},
    {"chlo: is_inf is_neg_inf is_pos_inf", "float.S", "pred.S", ""},
    {"chlo: next_after polygamma zeta", "float.e.S float.e.S", "=", ""},
    {"chlo: mulhi", "int.e.S int.e.S", "=", ""},
    {"chlo: constant", "", "any!", "value:elements"},
    {"chlo: constant_like", "any.S", "any.S", "value:number"},
    {"chlo: broadcast_add broadcast_atan2 broadcast_divide broadcast_maximum broadcast_minimum "
     "broadcast_multiply broadcast_next_after broadcast_polygamma broadcast_power "
     "broadcast_remainder broadcast_shift_left broadcast_shift_right_arithmetic "
     "broadcast_shift_right_logical broadcast_subtract",
     "any.e any.e", "any.e", "?broadcast_dimensions:ints"},
    {"chlo: broadcast_and broadcast_or broadcast_xor", "pred|int.e pred|int.e", "pred|int.e",
     "?broadcast_dimensions:ints"},
    {"chlo: broadcast_zeta", "float.e float.e", "float.e", "?broadcast_dimensions:ints"},
    {"chlo: broadcast_complex", "float.e float.e", "complex", "?broadcast_dimensions:ints"},
    {"chlo: broadcast_compare", "any.e any.e", "pred",
     "?broadcast_dimensions:ints comparison_direction:{EQ,NE,GE,GT,LE,LT} "
     "?compare_type:{NOTYPE,FLOAT,TOTALORDER,SIGNED,UNSIGNED}"},
    {"chlo: broadcast_select", "pred any.e any.e", "any", ""},
    {"chlo: top_k", "any.e.R", "any.e.R.S i32.R.S", "k:i64 ?is_stable:bool"},
    {"chlo: ragged_dot", "any any int", "any",
     "ragged_dot_dimension_numbers:#ragged_dot ?precision_config:precision"},
    {"chlo: scan", "any*", "any*",
     "dimension:i64>=0 ?is_reverse:bool ?is_associative:bool ?scan_dim_size:i64"},
    // Shardy
    {"sdy: sharding_constraint reshard", "any.e.S", "=", "sharding:sharding"},
    {"sdy: data_flow_edge", "any.e.S", "=", "?sharding:sharding"},
    {"sdy: all_gather all_reduce all_slice all_to_all collective_permute reduce_scatter "
     "replicated_to_unreduced sharded_to_unreduced",
     "any.e.S", "=", ""},
    {"interpreter: probe", "any.e.S", "=", "probe_id:text"},
    {"sdy: propagation_barrier", "any.e.S", "=", "allowed_direction:direction"},
    {"sdy: constant", "", "any!", "value:elements"},
    {"sdy: sharding_group", "any", "", "group_id:i64"},
    {"sdy: named_computation", "value*", "value*",
     "name:text ?in_shardings:shardings ?out_shardings:shardings"},
    {"sdy: manual_computation", "any*", "any*",
     "in_shardings:shardings out_shardings:shardings manual_axes:axes"},
};

}  // namespace

std::span<const SignatureRow> signature_rows() { return kRows; }

}  // namespace understudy::program::rules
