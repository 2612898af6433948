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
  anything,
  all_gather,
  all_reduce,
  all_to_all,
  bitcast_convert,
  broadcast_in_dim,
  call,
  case_of,
  clamp,
  collective_broadcast,
  collective_permute,
  compare,
  complex,
  composite,
  concatenate,
  constant,
  convert,
  convolution,
  custom_call,
  dot_general,
  dynamic_slice,
  dynamic_update_slice,
  each_same,
  elementwise,
  gather,
  get_tuple_element,
  iota,
  manual_computation,
  map,
  pad,
  process_id,
  real_part,
  reduce,
  reduce_scatter,
  reduce_window,
  reshape,
  reverse,
  rng_bit_generator,
  scatter,
  select,
  select_and_scatter,
  slice,
  sort,
  to_pred,
  top_k,
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
