// SPDX-License-Identifier: Apache-2.0
#include "program/verify/rules.h"

#include <array>
#include <utility>

namespace understudy::program::rules {
namespace {

constexpr auto kFunctions = [] {
  std::array<RuleFunction, kRules> table{};
  const std::pair<Rule, RuleFunction> rows[] = {
      {Rule::all_gather, all_gather},
      {Rule::all_reduce, all_reduce},
      {Rule::all_to_all, all_to_all},
      {Rule::async_done, async_done},
      {Rule::async_start, async_start},
      {Rule::batch_norm, batch_norm},
      {Rule::bitcast_convert, bitcast_convert},
      {Rule::broadcast, broadcast},
      {Rule::broadcast_binary, broadcast_binary},
      {Rule::broadcast_complex, broadcast_complex},
      {Rule::broadcast_in_dim, broadcast_in_dim},
      {Rule::broadcast_select, broadcast_select},
      {Rule::call, call},
      {Rule::case_of, case_of},
      {Rule::cholesky, cholesky},
      {Rule::clamp, clamp},
      {Rule::collective_broadcast, collective_broadcast},
      {Rule::collective_permute, collective_permute},
      {Rule::compare, compare},
      {Rule::complex, complex},
      {Rule::composite, composite},
      {Rule::concatenate, concatenate},
      {Rule::constant, constant},
      {Rule::constant_like, constant_like},
      {Rule::convolution, convolution},
      {Rule::custom_call, custom_call},
      {Rule::dot, dot},
      {Rule::dot_general, dot_general},
      {Rule::dynamic_broadcast_in_dim, dynamic_broadcast_in_dim},
      {Rule::dynamic_conv, dynamic_conv},
      {Rule::dynamic_gather, dynamic_gather},
      {Rule::dynamic_iota, dynamic_iota},
      {Rule::dynamic_pad, dynamic_pad},
      {Rule::dynamic_reshape, dynamic_reshape},
      {Rule::dynamic_slice, dynamic_slice},
      {Rule::dynamic_update_slice, dynamic_update_slice},
      {Rule::each_same, each_same},
      {Rule::fft, fft},
      {Rule::gather, gather},
      {Rule::get_dimension_size, get_dimension_size},
      {Rule::get_tuple_element, get_tuple_element},
      {Rule::infeed, infeed},
      {Rule::iota, iota},
      {Rule::manual_computation, manual_computation},
      {Rule::map, map},
      {Rule::named_computation, named_computation},
      {Rule::pad, pad},
      {Rule::ragged_dot, ragged_dot},
      {Rule::real_dynamic_slice, real_dynamic_slice},
      {Rule::real_part, real_part},
      {Rule::reduce, reduce},
      {Rule::reduce_scatter, reduce_scatter},
      {Rule::reduce_window, reduce_window},
      {Rule::reshape, reshape},
      {Rule::reverse, reverse},
      {Rule::rng, rng},
      {Rule::scan, scan},
      {Rule::scatter, scatter},
      {Rule::select, select},
      {Rule::select_and_scatter, select_and_scatter},
      {Rule::set_dimension_size, set_dimension_size},
      {Rule::sharded, sharded},
      {Rule::slice, slice},
      {Rule::sort, sort},
      {Rule::top_k, top_k},
      {Rule::torch_index_select, torch_index_select},
      {Rule::transfer, transfer},
      {Rule::transpose, transpose},
      {Rule::triangular_solve, triangular_solve},
      {Rule::tuple, tuple},
      {Rule::uniform_dequantize, uniform_dequantize},
      {Rule::uniform_quantize, uniform_quantize},
      {Rule::while_loop, while_loop},
  };
  for (const auto& [rule, function] : rows) table[static_cast<std::size_t>(rule)] = function;
  return table;
}();

}  // namespace

RuleFunction function_of(Rule rule) { return kFunctions[static_cast<std::size_t>(rule)]; }

}  // namespace understudy::program::rules
