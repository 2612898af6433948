// SPDX-License-Identifier: Apache-2.0
// Pretty forms that ops.def describes by a format, and the canonical shape of attributes.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/dense.h"
#include "program/literal.h"
#include "program/op_table.h"
#include "program/parser.h"

namespace understudy::program {
namespace {

Attribute list_of(std::vector<Attribute> elements) {
  return {std::make_shared<const ArrayAttribute>(ArrayAttribute{std::move(elements)})};
}

Attribute empty_list() { return list_of({}); }

struct ModeName {
  std::string_view name;
  Parser::Signature mode;
};
constexpr std::array<ModeName, 6> kModes = {{{":same", Parser::Signature::same},
                                             {":result", Parser::Signature::result},
                                             {":operands", Parser::Signature::operands},
                                             {":each", Parser::Signature::each},
                                             {":select", Parser::Signature::select},
                                             {":complex", Parser::Signature::complex}}};

// Lists of integers that older files write as dense<...> : tensor<Nxi64>.
constexpr std::array<std::string_view, 19> kLists = {
    "base_dilations",    "broadcast_dimensions", "broadcast_sizes", "dimensions",
    "edge_padding_high", "edge_padding_low",     "fft_length",      "interior_padding",
    "lhs_dilation",      "limit_indices",        "permutation",     "rhs_dilation",
    "slice_sizes",       "start_indices",        "strides",         "window_dilations",
    "window_dimensions", "window_reversal",      "window_strides"};

// Structures whose absent fields mean an empty list, or 0 where the name says index.
struct Structure {
  std::string_view dialect, mnemonic;
  std::array<std::string_view, 6> fields;
};
constexpr std::array<Structure, 4> kStructures = {
    {{"chlo",
      "ragged_dot",
      {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
       "rhs_contracting_dimensions", "lhs_ragged_dimensions", "rhs_group_dimensions"}},
     {"stablehlo",
      "dot",
      {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
       "rhs_contracting_dimensions", "", ""}},
     {"stablehlo",
      "gather",
      {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
       "start_indices_batching_dims", "start_index_map", "index_vector_dim"}},
     {"stablehlo",
      "scatter",
      {"update_window_dims", "inserted_window_dims", "input_batching_dims",
       "scatter_indices_batching_dims", "scatter_dims_to_operand_dims", "index_vector_dim"}}}};

void complete(Attribute& attribute) {
  const DialectAttribute* old = attribute.dialect();
  for (const Structure& structure : kStructures) {
    if (old->mnemonic != structure.mnemonic) continue;
    DialectAttribute out{std::string(structure.dialect), old->mnemonic, {}};
    for (const std::string_view field : structure.fields) {
      if (field.empty()) continue;
      const Attribute* given = old->find(field);
      const Attribute zero{IntegerAttribute{0, Type::of(TensorType{ElementType::i64, {}})}};
      out.parameters.emplace_back(field, given != nullptr              ? *given
                                         : field == "index_vector_dim" ? zero
                                                                       : empty_list());
    }
    for (const auto& [key, value] : old->parameters) {
      if (out.find(key) == nullptr) out.parameters.emplace_back(key, value);
    }
    attribute = {std::make_shared<const DialectAttribute>(std::move(out))};
    return;
  }
}

Attribute listed(const DenseAttribute& dense) {
  DenseAttribute out{dense.type, true, false, dense.data};
  if (dense.is_splat) {
    std::vector<std::byte> data;
    const std::uint64_t bits = stored_bits(dense.type.element, *dense.data, 0);
    for (std::int64_t i = 0; i < dense.type.shape[0]; ++i)
      append_bits(dense.type.element, bits, data);
    out.data = std::make_shared<const std::vector<std::byte>>(std::move(data));
  }
  return {std::move(out)};
}

}  // namespace

void canonicalise(Operation& op) {
  constexpr std::int64_t kLongestList = 1024;
  std::sort(op.attributes.begin(), op.attributes.end(),
            [](const NamedAttribute& a, const NamedAttribute& b) { return a.first < b.first; });
  if (op.name.rfind("stablehlo.", 0) != 0 && op.name.rfind("chlo.", 0) != 0) return;
  for (auto& [name, value] : op.attributes) {
    if (value.dialect() != nullptr) {
      complete(value);
      continue;
    }
    const auto* dense = value.get<DenseAttribute>();
    const bool old_list = dense != nullptr && !dense->is_array && dense->type.ndims() == 1 &&
                          dense->type.shape[0] <= kLongestList &&
                          std::find(kLists.begin(), kLists.end(), name) != kLists.end();
    if (old_list) value = listed(*dense);
  }
}

// [1, 0] as array<i64: 1, 0>
Attribute Parser::integers() {
  std::vector<std::int64_t> values;
  expect("[", "before the list");
  if (!accept("]")) {
    do values.push_back(integer("an integer"));
    while (accept(","));
    expect("]", "after the list");
  }
  return array_of(ElementType::i64, values);
}

// [DEFAULT, HIGHEST]
Attribute Parser::words() {
  std::vector<Attribute> out;
  expect("[", "before the list");
  if (!accept("]")) {
    do out.push_back({EnumAttribute{std::string(word("a word"))}});
    while (accept(","));
    expect("]", "after the list");
  }
  return list_of(std::move(out));
}

Attribute Parser::formatted(std::string_view kind) {
  if (kind == "ints") return integers();
  if (kind == "words") return words();
  if (kind == "word") return {EnumAttribute{std::string(word("a word"))}};
  if (kind == "string") return {StringAttribute{quoted("text")}};
  if (kind == "int") {
    const Type i64 = Type::of(TensorType{ElementType::i64, {}});
    return {IntegerAttribute{integer("an integer"), i64}};
  }
  if (kind == "flag" && !token_.is_word("true") && !token_.is_word("false")) {
    unexpected("true or false");
  }
  return attribute();
}

// "[?][,][key]=name:kind"
void Parser::format_attribute(Operation& op, std::string_view item) {
  const bool optional = item.front() == '?';
  if (optional) item.remove_prefix(1);
  const bool comma = item.front() == ',';
  if (comma) item.remove_prefix(1);
  const std::size_t equals = item.find('=');
  const std::size_t colon = item.rfind(':');
  const std::string_view key = item.substr(0, equals);
  const std::string_view name = item.substr(equals + 1, colon - equals - 1);
  const std::string_view kind = item.substr(colon + 1);
  const Token first = comma ? peek() : token_;
  const bool here_it_is = (!comma || token_.is(",")) &&
                          (key.empty() ? first.kind == TokenKind::word : first.is_word(key));
  if (!here_it_is && optional) return;
  if (comma) expect(",", fmt::format("before the attributes of {}", op.name));
  if (!key.empty()) {
    expect_word(key, fmt::format("in {}", op.name));
    expect("=", fmt::format("after {}", key));
  }
  if (kind == "format") return reduce_precision_form(op);
  op.set(name, formatted(kind));
}

void Parser::format(Operation& op, std::string_view text) {
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view item = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (item == "%*") {
      operands(op);
    } else if (item == "{}") {
      optional_dictionary_into(op);
    } else if (item.find('=') != std::string_view::npos) {
      format_attribute(op, item);
    } else if (item.front() == ':') {
      const auto* mode = std::find_if(kModes.begin(), kModes.end(),
                                      [&](const ModeName& row) { return row.name == item; });
      UNDERSTUDY_ASSERT(mode != kModes.end());
      signature(op, mode->mode);
    } else {
      expect(item, fmt::format("in {}", op.name));
    }
  }
}

}  // namespace understudy::program
