// SPDX-License-Identifier: Apache-2.0
// Which operations take quantized tensors: those for which the StableHLO specification allows them,
// and the checks of self-checking programs. An operation works on stored integers (it only moves or
// compares them), on the real numbers that they express, or on either.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "program/lowering/quantized/quantized.h"

namespace understudy::program::passes {

namespace {

using enum QuantizedWork;

// clang-format off
constexpr QuantizedRow kQuantized[] = {
    {"stablehlo.uniform_quantize", formula, Shares::none, lower_uniform_quantize},
    {"stablehlo.uniform_dequantize", formula, Shares::none, lower_uniform_dequantize},
    {"stablehlo.add", formula, Shares::none, lower_quantized_sum},
    {"stablehlo.dot", formula, Shares::none, lower_quantized_product},
    {"stablehlo.dot_general", formula, Shares::none, lower_quantized_product},
    {"stablehlo.convolution", formula, Shares::none, lower_quantized_product},

    // Exact on stored integers where all tensors have the same quantization, else on real numbers.
    {"stablehlo.clamp", either},
    {"stablehlo.maximum", either},
    {"stablehlo.minimum", either},
    {"stablehlo.select", either},

    // Computed on real numbers: dequantized before, quantized after.
    {"stablehlo.abs", expressed},
    {"stablehlo.atan2", expressed},
    {"stablehlo.batch_norm_grad", expressed},
    {"stablehlo.batch_norm_inference", expressed},
    {"stablehlo.batch_norm_training", expressed},
    {"stablehlo.cbrt", expressed},
    {"stablehlo.ceil", expressed},
    {"stablehlo.cholesky", expressed},
    {"stablehlo.compare", expressed},
    {"stablehlo.cosine", expressed},
    {"stablehlo.divide", expressed},
    {"stablehlo.dynamic_conv", expressed},
    {"stablehlo.exponential", expressed},
    {"stablehlo.exponential_minus_one", expressed},
    {"stablehlo.floor", expressed},
    {"stablehlo.is_finite", expressed},
    {"stablehlo.log", expressed},
    {"stablehlo.log_plus_one", expressed},
    {"stablehlo.logistic", expressed},
    {"stablehlo.multiply", expressed},
    {"stablehlo.negate", expressed},
    {"stablehlo.power", expressed},
    {"stablehlo.reduce_precision", expressed},
    {"stablehlo.remainder", expressed},
    {"stablehlo.round_nearest_afz", expressed},
    {"stablehlo.round_nearest_even", expressed},
    {"stablehlo.rsqrt", expressed},
    {"stablehlo.sign", expressed},
    {"stablehlo.sine", expressed},
    {"stablehlo.sqrt", expressed},
    {"stablehlo.subtract", expressed},
    {"stablehlo.tan", expressed},
    {"stablehlo.tanh", expressed},
    {"stablehlo.triangular_solve", expressed},

    // Only moved, so the stored integers stay as they are.
    {"stablehlo.broadcast", integers, Shares::first},
    {"stablehlo.broadcast_in_dim", integers, Shares::moved},
    {"stablehlo.concatenate", integers, Shares::all},
    {"stablehlo.dynamic_broadcast_in_dim", integers, Shares::moved},
    {"stablehlo.dynamic_gather", integers, Shares::first},
    {"stablehlo.dynamic_pad", integers, Shares::pair},
    {"stablehlo.dynamic_reshape", integers, Shares::moved},
    {"stablehlo.dynamic_slice", integers, Shares::first},
    {"stablehlo.dynamic_update_slice", integers, Shares::pair},
    {"stablehlo.gather", integers, Shares::first},
    {"stablehlo.pad", integers, Shares::pair},
    {"stablehlo.real_dynamic_slice", integers, Shares::first},
    {"stablehlo.reshape", integers, Shares::moved},
    {"stablehlo.reverse", integers, Shares::first},
    {"stablehlo.scatter", integers, Shares::scatter},
    {"stablehlo.slice", integers, Shares::first},
    {"stablehlo.sort", integers, Shares::each},
    {"stablehlo.torch_index_select", integers, Shares::first},
    {"stablehlo.transpose", integers, Shares::moved},
    {"stablehlo.bitcast_convert", integers},
    {"stablehlo.constant", integers},
    {"stablehlo.get_dimension_size", integers},
    {"stablehlo.set_dimension_size", integers, Shares::first},

    // Their regions hold quantized operations, each with a row of its own.
    {"stablehlo.map", integers},
    {"stablehlo.reduce", integers, Shares::reduced, lower_quantized_reduction},
    {"stablehlo.reduce_window", integers, Shares::reduced, lower_quantized_reduction},
    {"stablehlo.select_and_scatter", integers, Shares::reduced, lower_quantized_reduction},

    // Moved between processes; the reducers are regions like those above.
    {"stablehlo.all_gather", integers, Shares::each},
    {"stablehlo.all_reduce", integers, Shares::each},
    {"stablehlo.all_to_all", integers, Shares::each},
    {"stablehlo.collective_broadcast", integers, Shares::each},
    {"stablehlo.collective_permute", integers, Shares::each},
    {"stablehlo.reduce_scatter", integers, Shares::each},

    // Passed on whole, whatever the elements are.
    {"stablehlo.case", integers},
    {"stablehlo.composite", integers},
    {"stablehlo.custom_call", integers},
    {"stablehlo.get_tuple_element", integers},
    {"stablehlo.if", integers},
    {"stablehlo.infeed", integers},
    {"stablehlo.optimization_barrier", integers},
    {"stablehlo.outfeed", integers},
    {"stablehlo.recv", integers},
    {"stablehlo.return", integers},
    {"stablehlo.send", integers},
    {"stablehlo.tuple", integers},
    {"stablehlo.while", integers},
    {"func.call", integers},
    {"func.return", integers},
    {"sdy.manual_computation", integers},
    {"sdy.return", integers},
    {"sdy.sharding_constraint", integers, Shares::first},
    {"check.expect_eq", integers},
    {"check.expect_eq_const", integers},
    {"interpreter.print", integers},
    {"interpreter.probe", integers, Shares::first},
    {"interpreter.run_parallel", integers},
};
// clang-format on

// True if all tensors have the same per-tensor quantization: then comparing or moving stored
// integers gives what the real numbers would give.
bool agrees(const Operation& op) {
  const Quantization* one = nullptr;
  // Predicates (of select) have no quantization to agree with.
  const auto fits = [&](const Type& type) {
    if (!type.is_quantized()) return is_pred(type.tensor.element);
    if (one == nullptr) one = type.quantization.get();
    return !one->is_per_axis() && *type.quantization == *one;
  };
  return std::ranges::all_of(op.operands, [&](const Value* value) { return fits(value->type); }) &&
         std::ranges::all_of(op.results, [&](const auto& value) { return fits(value->type); });
}

// Tuples may hold quantized elements.
bool holds_quantized(const Type& type) {
  return type.is_quantized() || std::ranges::any_of(type.elements, holds_quantized);
}

}  // namespace

bool is_quantized(const Operation& op) {
  return std::ranges::any_of(op.operands,
                             [](const Value* value) { return holds_quantized(value->type); }) ||
         std::ranges::any_of(op.results,
                             [](const auto& value) { return holds_quantized(value->type); });
}

const QuantizedRow* quantized_row(std::string_view op_name) {
  static const auto rows = [] {
    std::unordered_map<std::string_view, const QuantizedRow*> by_name;
    // Rows are static, so pointers to them stay valid.
    for (const QuantizedRow& row : kQuantized) by_name.emplace(row.name, &row);
    return by_name;
  }();
  const auto found = rows.find(op_name);
  return found == rows.end() ? nullptr : found->second;
}

// Order: a function of its own, then stored integers if that is exact, else real numbers.
LowerFunction quantized_function(const Operation& op) {
  const QuantizedRow* const row = quantized_row(op.name);
  if (row == nullptr)
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: quantized tensors are not supported", op.name));
  if (row->lower != nullptr) return row->lower;
  const bool integers_do = row->work == integers || (row->work == either && agrees(op));
  return integers_do ? lower_table().at(op.name) : lower_expressed;
}

}  // namespace understudy::program::passes
