// SPDX-License-Identifier: Apache-2.0
#include "program/ir/canonicalise.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "program/ir/literal.h"
#include "program/ir/op_table.h"

namespace understudy::program {
namespace {

Attribute empty_list() { return {std::make_shared<const ArrayAttribute>()}; }

// Attributes that are lists of integers or flags in any row of ops.def; older files write them as
// dense<...> : tensor<Nxi64> instead of array<i64: ...>.
// Derived from ops.def, so a new operation needs no second table.
bool is_list(std::string_view attribute) {
  static const auto kLists = [] {
    std::unordered_set<std::string_view> lists;
    for (const OpRow& row : op_table())
      for (std::string_view rest = row.attributes; !rest.empty();) {
        std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        if (word.starts_with('?')) word.remove_prefix(1);
        if (word.ends_with(":ints") || word.ends_with(":bools"))
          lists.insert(word.substr(0, word.find(':')));
      }
    return lists;
  }();
  return kLists.contains(attribute);
}

// Structured attributes whose absent fields mean an empty list, or 0 for index_vector_dim. Text
// omits empty fields, bytecode writes all of them.
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

// Adds the absent fields in their canonical order; unknown fields are kept after them.
void complete(Attribute& attribute) {
  const DialectAttribute* old = attribute.dialect();
  for (const Structure& structure : kStructures) {
    // Mnemonics are unique among these four, whichever dialect wrote them.
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
      const auto& fields = structure.fields;
      // A field without a name, or of a newer version, must survive: the verifier judges it.
      if (key.empty() || std::find(fields.begin(), fields.end(), key) == fields.end())
        out.parameters.emplace_back(key, value);
    }
    attribute = {std::make_shared<const DialectAttribute>(std::move(out))};
    return;
  }
}

// array<...> has no splat form.
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

// As text writes the lists of structures: [1, 2].
Attribute numbers_in(const DenseAttribute& dense) {
  ArrayAttribute out;
  for (std::int64_t i = 0; i < dense.type.shape[0]; ++i) {
    const std::uint64_t bits = stored_bits(dense.type.element, *dense.data,
                                           dense.is_splat ? 0 : static_cast<std::size_t>(i));
    out.elements.push_back({IntegerAttribute{static_cast<std::int64_t>(bits),
                                             Type::of(TensorType{ElementType::i64, {}})}});
  }
  return {std::make_shared<const ArrayAttribute>(std::move(out))};
}

// JAX 0.6 to 0.8 exports chlo.ragged_dot for TPUs as a custom call of that name, whose attribute
// mhlo.attributes has the dimension numbers as six lists, in the order of the structure's fields.
void restore_ragged_dot(Operation& op) {
  const Attribute* target = op.find("call_target_name");
  const Attribute* given = op.find("mhlo.attributes");
  const auto* name = target == nullptr ? nullptr : target->get<StringAttribute>();
  const DictionaryAttribute* entries = given == nullptr ? nullptr : given->dictionary();
  if (name == nullptr || name->value != "chlo.ragged_dot" || entries == nullptr) return;
  const Structure& structure = kStructures[0];
  const Attribute* numbers = entries->find("ragged_dot_dimension_numbers");
  const ArrayAttribute* lists = numbers == nullptr ? nullptr : numbers->array();
  // A list of another length is another call's attribute: the operation then stays a custom call
  // and is refused by name.
  if (lists == nullptr || lists->elements.size() != structure.fields.size()) return;
  DialectAttribute dimensions{std::string(structure.dialect), std::string(structure.mnemonic), {}};
  for (std::size_t i = 0; i < structure.fields.size(); ++i) {
    const auto* dense = lists->elements[i].get<DenseAttribute>();
    if (dense == nullptr || dense->type.ndims() != 1 || dense->type.element != ElementType::i64)
      return;
    dimensions.parameters.emplace_back(structure.fields[i], numbers_in(*dense));
  }
  std::vector<NamedAttribute> attributes;
  attributes.emplace_back("ragged_dot_dimension_numbers",
                          Attribute{std::make_shared<const DialectAttribute>(dimensions)});
  const Attribute* config = entries->find("precision_config");
  if (const ArrayAttribute* words = config == nullptr ? nullptr : config->array()) {
    ArrayAttribute precisions;
    for (const Attribute& word : words->elements) {
      const auto* text = word.get<StringAttribute>();
      if (text == nullptr) return;
      // The enumeration is CHLO's, like the operation's.
      precisions.elements.push_back({EnumAttribute{text->value, "chlo"}});
    }
    attributes.emplace_back("precision_config",
                            Attribute{std::make_shared<const ArrayAttribute>(precisions)});
  }
  op.name = name->value;
  op.attributes = std::move(attributes);
}

}  // namespace

// Gives equal operations equal attributes, whichever form (pretty, generic, bytecode) they were
// read from: sorted by name, lists as arrays, structures complete, defaults dropped.
void canonicalise(Operation& op) {
  // Longer lists are data that only look like a list of numbers; expanding a splat of them could
  // take gigabytes.
  constexpr std::int64_t kLongestList = 1024;
  if (op.name == "stablehlo.custom_call") restore_ragged_dot(op);
  std::sort(op.attributes.begin(), op.attributes.end(),
            [](const NamedAttribute& a, const NamedAttribute& b) { return a.first < b.first; });
  // Shardy's operations have no defaults here.
  if (op.name.rfind("stablehlo.", 0) != 0 && op.name.rfind("chlo.", 0) != 0) return;
  for (auto& [name, value] : op.attributes) {
    if (value.dialect() != nullptr) {
      complete(value);
      continue;
    }
    const auto* dense = value.get<DenseAttribute>();
    const bool old_list = dense != nullptr && !dense->is_array &&
                          !is_complex(dense->type.element) && dense->type.ndims() == 1 &&
                          // Sizes come from the file; the splat is expanded only up to
                          // kLongestList.
                          dense->type.shape[0] <= kLongestList && is_list(name);
    if (old_list) value = listed(*dense);
  }
  drop_defaults(op);
}

}  // namespace understudy::program
