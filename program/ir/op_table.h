// SPDX-License-Identifier: Apache-2.0
// The rows of ops.def. Constant data; safe to read from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace understudy::program {

// How many operands, results or regions an operation may have.
struct Arity {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  bool fits(std::size_t count) const { return count >= least && count <= most; }
};

// The type rule that the verifier applies; see verify/rules.h.
enum class Rule : std::uint8_t {
  all_gather,
  all_reduce,
  all_to_all,
  anything,
  async_done,
  async_start,
  batch_norm,
  bitcast_convert,
  broadcast,
  broadcast_binary,
  broadcast_complex,
  broadcast_in_dim,
  broadcast_select,
  call,
  case_of,
  cholesky,
  clamp,
  collective_broadcast,
  collective_permute,
  compare,
  complex,
  composite,
  concatenate,
  constant,
  constant_like,
  convolution,
  custom_call,
  dot,
  dot_general,
  dynamic_broadcast_in_dim,
  dynamic_conv,
  dynamic_gather,
  dynamic_iota,
  dynamic_pad,
  dynamic_reshape,
  dynamic_slice,
  dynamic_update_slice,
  each_same,
  fft,
  gather,
  get_dimension_size,
  get_tuple_element,
  infeed,
  iota,
  manual_computation,
  map,
  named_computation,
  pad,
  ragged_dot,
  real_dynamic_slice,
  real_part,
  reduce,
  reduce_scatter,
  reduce_window,
  reshape,
  reverse,
  rng,
  scan,
  scatter,
  select,
  select_and_scatter,
  set_dimension_size,
  sharded,
  slice,
  sort,
  top_k,
  torch_index_select,
  transfer,
  transpose,
  triangular_solve,
  tuple,
  uniform_dequantize,
  uniform_quantize,
  while_loop,
};
inline constexpr std::size_t kRules = static_cast<std::size_t>(Rule::while_loop) + 1;

struct OpRow {
  std::string_view name;
  Arity operands, results, regions;
  Rule rule = Rule::anything;
  std::string_view format;
};

std::span<const OpRow> op_table();
const OpRow* find_op(std::string_view name);  // nullptr: unknown
// The known name that looks most like this one, or empty.
std::string_view similar_op(std::string_view name);

}  // namespace understudy::program
