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
      {Rule::bitcast_convert, bitcast_convert},
      {Rule::broadcast_in_dim, broadcast_in_dim},
      {Rule::call, call},
      {Rule::case_of, case_of},
      {Rule::clamp, clamp},
      {Rule::collective_broadcast, collective_broadcast},
      {Rule::collective_permute, collective_permute},
      {Rule::compare, compare},
      {Rule::complex, complex},
      {Rule::composite, composite},
      {Rule::concatenate, concatenate},
      {Rule::constant, constant},
      {Rule::convert, convert},
      {Rule::convolution, convolution},
      {Rule::custom_call, custom_call},
      {Rule::dot_general, dot_general},
      {Rule::dynamic_slice, dynamic_slice},
      {Rule::dynamic_update_slice, dynamic_update_slice},
      {Rule::each_same, each_same},
      {Rule::elementwise, elementwise},
      {Rule::gather, gather},
      {Rule::get_tuple_element, get_tuple_element},
      {Rule::iota, iota},
      {Rule::manual_computation, manual_computation},
      {Rule::map, map},
      {Rule::pad, pad},
      {Rule::process_id, process_id},
      {Rule::real_part, real_part},
      {Rule::reduce, reduce},
      {Rule::reduce_scatter, reduce_scatter},
      {Rule::reduce_window, reduce_window},
      {Rule::reshape, reshape},
      {Rule::reverse, reverse},
      {Rule::rng_bit_generator, rng_bit_generator},
      {Rule::scatter, scatter},
      {Rule::select, select},
      {Rule::select_and_scatter, select_and_scatter},
      {Rule::slice, slice},
      {Rule::sort, sort},
      {Rule::to_pred, to_pred},
      {Rule::top_k, top_k},
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
