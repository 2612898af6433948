// SPDX-License-Identifier: Apache-2.0
// Drops attributes at their default. Portable artifacts spell out what text omits, and JAX prints
// some defaults and not others; digests of both forms must agree.
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "program/ir/canonicalise.h"
#include "program/ir/literal.h"

namespace understudy::program {
namespace {

// A value of the wrong type is not the default: it is a mistake for the verifier to report.
bool is_number(const Attribute& value, std::int64_t number, bool is_flag = false) {
  const auto* found = value.get<IntegerAttribute>();
  return found != nullptr && found->value == number && found->type.is_tensor() &&
         is_pred(found->type.tensor.element) == is_flag;
}
bool is_false(const Attribute& value) { return is_number(value, 0, true); }
bool is_zero(const Attribute& value) { return is_number(value, 0); }
bool is_one(const Attribute& value) { return is_number(value, 1); }
bool is_last(const Attribute& value) { return is_number(value, -1); }

bool is_empty_text(const Attribute& value) {
  const auto* text = value.get<StringAttribute>();
  return text != nullptr && text->value.empty();
}
bool is_empty_list(const Attribute& value) {
  return value.array() != nullptr && value.array()->elements.empty();
}
bool is_empty_dictionary(const Attribute& value) {
  return value.dictionary() != nullptr && value.dictionary()->entries.empty();
}
bool is_empty_config(const Attribute& value) {
  return is_empty_text(value) || is_empty_dictionary(value);
}
bool is_empty_dense(const Attribute& value) {
  const auto* dense = value.get<DenseAttribute>();
  return dense != nullptr && !dense->is_array && dense->data->empty();
}
bool is_empty_ints(const Attribute& value) {
  const auto* dense = value.get<DenseAttribute>();
  return dense != nullptr && dense->is_array && dense->data->empty();
}

// All elements have these bits; true for splats too, as data then holds one element.
bool holds_only(const Attribute& value, std::uint64_t bits) {
  const auto* dense = value.get<DenseAttribute>();
  if (dense == nullptr || is_complex(dense->type.element) || dense->data->empty()) return false;
  const std::size_t count = dense->data->size() / byte_size(dense->type.element);
  for (std::size_t i = 0; i < count; ++i) {
    if (stored_bits(dense->type.element, *dense->data, i) != bits) return false;
  }
  return true;
}
bool is_ones(const Attribute& value) { return holds_only(value, 1); }
bool is_zeros(const Attribute& value) { return holds_only(value, 0); }

bool is_word(const Attribute& value, std::string_view word) {
  const auto* found = value.get<EnumAttribute>();
  return found != nullptr && found->word == word;
}
bool is_no_type(const Attribute& value) { return is_word(value, "NOTYPE"); }

bool is_default_precision(const Attribute& value) {
  const ArrayAttribute* array = value.array();
  // One entry per operand; longer lists are a mistake for the verifier.
  return array != nullptr && array->elements.size() <= 2 &&
         std::all_of(array->elements.begin(), array->elements.end(),
                     [](const Attribute& each) { return is_word(each, "DEFAULT"); });
}

bool is_default_accuracy(const Attribute& value) {
  const DialectAttribute* found = value.dialect();
  const Attribute* mode = found == nullptr ? nullptr : found->find("mode");
  return mode != nullptr && is_word(*mode, "DEFAULT");
}

// No channel. A collective's channel says that it crosses partitions; its type says nothing more,
// and artifacts do not keep it.
// Handle 0 stands for "no channel" in every format.
bool is_no_channel(const Attribute& value) {
  const DialectAttribute* found = value.dialect();
  const Attribute* handle = found == nullptr ? nullptr : found->find("handle");
  return handle != nullptr && is_zero(*handle);
}

using Test = bool (*)(const Attribute&);
// Operation (without its dialect), attribute, and the test for its default.
struct DefaultRow {
  std::string_view op, attribute;
  Test is_default;
};

// Sorted by operation. Each default is that of the StableHLO specification or of its ODS
// definition.
constexpr DefaultRow kDefaults[] = {
    {"all_gather", "channel_handle", is_no_channel},
    {"all_reduce", "channel_handle", is_no_channel},
    {"all_to_all", "channel_handle", is_no_channel},
    {"cholesky", "lower", is_false},
    {"collective_broadcast", "channel_handle", is_no_channel},
    {"collective_permute", "channel_handle", is_no_channel},
    {"collective_reduce", "channel_handle", is_no_channel},
    {"compare", "compare_type", is_no_type},
    {"composite", "composite_attributes", is_empty_dictionary},
    {"composite", "version", is_zero},
    {"convolution", "lhs_dilation", is_ones},
    {"convolution", "padding", is_zeros},
    {"convolution", "precision_config", is_default_precision},
    {"convolution", "rhs_dilation", is_ones},
    {"convolution", "window_reversal", is_zeros},
    {"convolution", "window_strides", is_ones},
    {"custom_call", "api_version", is_one},
    {"custom_call", "backend_config", is_empty_config},
    {"custom_call", "called_computations", is_empty_list},
    {"custom_call", "has_side_effect", is_false},
    {"custom_call", "output_operand_aliases", is_empty_list},
    {"custom_call", "result_tilings", is_empty_list},
    {"dot", "precision_config", is_default_precision},
    {"dot_general", "precision_config", is_default_precision},
    {"dynamic_broadcast_in_dim", "known_expanding_dimensions", is_empty_ints},
    {"dynamic_broadcast_in_dim", "known_nonexpanding_dimensions", is_empty_ints},
    {"dynamic_conv", "lhs_dilation", is_ones},
    {"dynamic_conv", "precision_config", is_default_precision},
    {"dynamic_conv", "rhs_dilation", is_ones},
    {"dynamic_conv", "window_reversal", is_zeros},
    {"dynamic_conv", "window_strides", is_ones},
    {"dynamic_gather", "indices_are_sorted", is_false},
    {"gather", "indices_are_sorted", is_false},
    {"infeed", "infeed_config", is_empty_text},
    {"infeed", "layout", is_empty_list},
    {"outfeed", "outfeed_config", is_empty_text},
    {"recv", "is_host_transfer", is_false},
    {"recv", "source_target_pairs", is_empty_dense},
    {"reduce_scatter", "channel_handle", is_no_channel},
    {"reduce_window", "base_dilations", is_ones},
    {"reduce_window", "padding", is_zeros},
    {"reduce_window", "window_dilations", is_ones},
    {"reduce_window", "window_strides", is_ones},
    {"scatter", "indices_are_sorted", is_false},
    {"scatter", "unique_indices", is_false},
    {"select_and_scatter", "padding", is_zeros},
    {"select_and_scatter", "window_strides", is_ones},
    {"send", "is_host_transfer", is_false},
    {"send", "source_target_pairs", is_empty_dense},
    {"sort", "dimension", is_last},
    {"sort", "is_stable", is_false},
    {"cbrt", "result_accuracy", is_default_accuracy},
    {"cosine", "result_accuracy", is_default_accuracy},
    {"exponential", "result_accuracy", is_default_accuracy},
    {"exponential_minus_one", "result_accuracy", is_default_accuracy},
    {"log", "result_accuracy", is_default_accuracy},
    {"log_plus_one", "result_accuracy", is_default_accuracy},
    {"logistic", "result_accuracy", is_default_accuracy},
    {"rsqrt", "result_accuracy", is_default_accuracy},
    {"sine", "result_accuracy", is_default_accuracy},
    {"sqrt", "result_accuracy", is_default_accuracy},
    {"tan", "result_accuracy", is_default_accuracy},
    {"tanh", "result_accuracy", is_default_accuracy},
};

// Indexed by operation: this runs for every attribute of a program.
bool is_default(std::string_view op, const NamedAttribute& entry) {
  static const auto kByOp = [] {
    std::unordered_multimap<std::string_view, const DefaultRow*> map;
    for (const DefaultRow& row : kDefaults) map.emplace(row.op, &row);
    return map;
  }();
  const auto [first, last] = kByOp.equal_range(op);
  return std::any_of(first, last, [&](const auto& found) {
    return found.second->attribute == entry.first && found.second->is_default(entry.second);
  });
}

// The type of a collective's channel carries no information beyond its presence, and artifacts do
// not keep it.
void forget_channel_type(NamedAttribute& entry) {
  const DialectAttribute* handle = entry.second.dialect();
  if (handle == nullptr || handle->find("type") == nullptr) return;
  DialectAttribute out = *handle;
  for (auto& [key, value] : out.parameters) {
    if (key == "type") value = {IntegerAttribute{0, Type::of(TensorType{ElementType::i64, {}})}};
  }
  // Attributes are shared and immutable, so the changed one is a copy.
  entry.second = {std::make_shared<const DialectAttribute>(std::move(out))};
}

// Layouts are given for all operands and results, or for none.
void drop_empty_layouts(Operation& op) {
  const Attribute* operands = op.find("operand_layouts");
  const Attribute* results = op.find("result_layouts");
  if (operands != nullptr && !is_empty_list(*operands)) return;
  if (results != nullptr && !is_empty_list(*results)) return;
  op.erase("operand_layouts");
  op.erase("result_layouts");
}

}  // namespace

// Send and recv keep their channel type: it says whether the host is the other end.
void drop_defaults(Operation& op) {
  constexpr std::string_view kDialect = "stablehlo.";
  if (op.name.rfind(kDialect, 0) != 0) return;
  const std::string_view name = std::string_view(op.name).substr(kDialect.size());
  const auto drop = [&](const NamedAttribute& entry) { return is_default(name, entry); };
  op.attributes.erase(std::remove_if(op.attributes.begin(), op.attributes.end(), drop),
                      op.attributes.end());
  const bool point_to_point = name == "send" || name == "recv";
  for (NamedAttribute& entry : op.attributes) {
    if (entry.first == "channel_handle" && !point_to_point) forget_channel_type(entry);
  }
  if (name == "custom_call") drop_empty_layouts(op);
}

}  // namespace understudy::program
