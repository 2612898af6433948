// SPDX-License-Identifier: Apache-2.0
// The attribute kinds that ops.def refers to, each with a test and the text for messages.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/verify/signature.h"

namespace understudy::program::rules {
namespace {

// Integer attributes must have exactly the type that the specification gives; a number of another
// width is a mistake of the producer.
// INT64_MIN as `least` means any number.
bool is_integer_of(const Attribute& attribute, ElementType type, std::int64_t least) {
  const auto* number = attribute.get<IntegerAttribute>();
  return number != nullptr && number->type == Type::of(TensorType{type, {}}) &&
         number->value >= least;
}
template <std::int64_t kLeast>
bool is_i64(const Attribute& attribute) {
  return is_integer_of(attribute, ElementType::i64, kLeast);
}
template <std::int64_t kLeast>
bool is_i32(const Attribute& attribute) {
  return is_integer_of(attribute, ElementType::i32, kLeast);
}
bool is_bool(const Attribute& attribute) {
  return is_integer_of(attribute, ElementType::pred, INT64_MIN);
}
bool is_f32(const Attribute& attribute) {
  const auto* number = attribute.get<FloatAttribute>();
  return number != nullptr && number->type == Type::of(TensorType{ElementType::f32, {}});
}
bool is_number(const Attribute& attribute) {
  return attribute.get<IntegerAttribute>() != nullptr ||
         attribute.get<FloatAttribute>() != nullptr || attribute.get<DenseAttribute>() != nullptr;
}
template <class T>
bool is_a(const Attribute& attribute) {
  return attribute.get<T>() != nullptr;
}
// A nested symbol, @a::@b, names nothing in these modules.
// Nesting needs modules inside of modules, which the parser refuses.
bool is_flat_symbol(const Attribute& attribute) {
  const auto* symbol = attribute.get<SymbolAttribute>();
  return symbol != nullptr && symbol->name.find("::") == std::string::npos;
}
bool is_dictionary(const Attribute& attribute) { return attribute.dictionary() != nullptr; }
bool is_config(const Attribute& attribute) {
  return is_dictionary(attribute) || is_a<StringAttribute>(attribute);
}
bool is_list(const Attribute& attribute) { return attribute.array() != nullptr; }

bool is_list_of(const Attribute& attribute, bool (*fits)(const Attribute&)) {
  return is_list(attribute) && std::ranges::all_of(attribute.array()->elements, fits);
}
bool is_symbols(const Attribute& attribute) { return is_list_of(attribute, is_flat_symbol); }

// array<...> and dense<...> are different attributes in MLIR, though both hold integers.
bool is_dense_of(const Attribute& attribute, ElementType element, bool is_array) {
  // Equal integers in the wrong form would print differently and be refused by MLIR, so they are
  // refused here too.
  const auto* dense = attribute.get<DenseAttribute>();
  return dense != nullptr && dense->is_array == is_array && dense->type.element == element &&
         !dense->is_index;
}
bool is_ints(const Attribute& attribute) { return is_dense_of(attribute, ElementType::i64, true); }
bool is_bools(const Attribute& attribute) {
  return is_dense_of(attribute, ElementType::pred, true);
}
bool is_dense(const Attribute& attribute) {
  return is_dense_of(attribute, ElementType::i64, false);
}
bool is_elements(const Attribute& attribute) {
  const auto* dense = attribute.get<DenseAttribute>();
  return dense != nullptr && !dense->is_array;
}
// A table of ids, or the mesh form of newer programs.
bool is_groups(const Attribute& attribute) {
  const DialectAttribute* axes = attribute.dialect();
  return is_dense(attribute) || (axes != nullptr && axes->mnemonic == "replica_group_mesh_axes");
}

bool is_precision(const Attribute& attribute) {
  return is_list_of(attribute, [](const Attribute& each) {
    const auto* word = each.get<EnumAttribute>();
    return word != nullptr &&
           (word->word == "DEFAULT" || word->word == "HIGH" || word->word == "HIGHEST");
  });
}

bool is_api(const Attribute& attribute) {
  constexpr std::int64_t kTypedFfi = 4;  // the last of CustomCallApiVersion
  return is_i32<0>(attribute) && attribute.get<IntegerAttribute>()->value <= kTypedFfi;
}
// Minor-to-major orders are tensors of index.
bool is_layout(const Attribute& attribute) {
  const auto* dense = attribute.get<DenseAttribute>();
  return dense != nullptr && !dense->is_array && dense->is_index && dense->type.ndims() == 1;
}
bool is_layouts(const Attribute& attribute) { return is_list_of(attribute, is_layout); }
bool is_alias(const Attribute& attribute) {
  const DialectAttribute* alias = attribute.dialect();
  return alias != nullptr && alias->mnemonic == "output_operand_alias";
}
bool is_aliases(const Attribute& attribute) { return is_list_of(attribute, is_alias); }

bool is_sharding(const Attribute& attribute) {
  const DialectAttribute* sharding = attribute.dialect();
  return sharding != nullptr && sharding->dialect == "sdy" && sharding->mnemonic == "sharding" &&
         sharding->parameters.size() > 1;
}
bool is_shardings(const Attribute& attribute) { return is_list_of(attribute, is_sharding); }
// A sub-axis cannot be manual, so plain names are enough.
bool is_axes(const Attribute& attribute) { return is_list_of(attribute, is_a<StringAttribute>); }
bool is_direction(const Attribute& attribute) {
  constexpr std::int64_t kBackward = 2;  // NONE FORWARD BACKWARD; BOTH would stop nothing
  return is_i32<0>(attribute) && attribute.get<IntegerAttribute>()->value <= kBackward;
}

// Tolerances must not be negative.
bool is_accuracy(const Attribute& attribute) {
  const DialectAttribute* accuracy = attribute.dialect();
  if (accuracy == nullptr || accuracy->mnemonic != "result_accuracy") return false;
  return std::ranges::all_of(accuracy->parameters, [](const NamedAttribute& each) {
    const auto* integer = each.second.get<IntegerAttribute>();
    const auto* number = each.second.get<FloatAttribute>();
    return (integer == nullptr || integer->value >= 0) &&
           // Negated, so that only a number below zero is refused.
           (number == nullptr || !(number->value < 0));
  });
}

// `wanted` completes "must be ..." in messages.
struct Kind {
  std::string_view name;
  bool (*fits)(const Attribute&);
  std::string_view wanted;
};

constexpr std::array<Kind, 30> kKinds = {{
    {"i64", is_i64<INT64_MIN>, "an i64"},
    {"i64>=0", is_i64<0>, "an i64 that is not negative"},
    {"i64>0", is_i64<1>, "a positive i64"},
    {"i32", is_i32<INT64_MIN>, "an i32"},
    {"i32>=0", is_i32<0>, "an i32 that is not negative"},
    {"i32>0", is_i32<1>, "a positive i32"},
    {"f32", is_f32, "an f32"},
    {"number", is_number, "a number with its type"},
    {"bool", is_bool, "true or false"},
    {"unit", is_a<UnitAttribute>, "without a value"},
    {"text", is_a<StringAttribute>, "a string"},
    {"symbol", is_flat_symbol, "a symbol such as @main"},
    {"symbols", is_symbols, "a list of symbols"},
    {"ints", is_ints, "an array<i64: ...>"},
    {"bools", is_bools, "an array<i1: ...>"},
    {"dense", is_dense, "a dense<...> of i64"},
    {"elements", is_elements, "a dense<...>"},
    {"groups", is_groups, "a dense<...> of i64 or axes of a mesh"},
    {"dict", is_dictionary, "a dictionary"},
    {"config", is_config, "a string or a dictionary"},
    {"list", is_list, "a list"},
    {"layouts", is_layouts, "a list of dense<...> : tensor<Nxindex>"},
    {"aliases", is_aliases, "a list of #stablehlo.output_operand_alias<...>"},
    {"accuracy", is_accuracy, "a #stablehlo.result_accuracy<...> with no negative tolerance"},
    {"precision", is_precision, "a list of DEFAULT, HIGH and HIGHEST"},
    {"api", is_api, "an i32 from 0 to 4"},
    {"sharding", is_sharding, "a #sdy.sharding<...>"},
    {"shardings", is_shardings, "a list of shardings"},
    {"axes", is_axes, "a list of axes"},
    {"direction", is_direction, "an i32 from 0 to 2"},
}};

const Kind* find_kind(std::string_view name) {
  // Linear: 30 rows, and only attributes of operations are looked up.
  const auto* const found =
      std::ranges::find_if(kKinds, [&](const Kind& kind) { return kind.name == name; });
  return found == kKinds.end() ? nullptr : found;
}

// Kinds in braces, {EQ,NE}, list the allowed words of an enumeration.
bool is_one_of(const Attribute& attribute, std::string_view words) {
  const auto* value = attribute.get<EnumAttribute>();
  if (value == nullptr) return false;
  for (std::string_view rest = words.substr(1, words.size() - 2); !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    if (word == value->word) return true;
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return false;
}

}  // namespace

// '#name' kinds are structured attributes of that mnemonic.
bool is_of_kind(const Attribute& attribute, std::string_view kind) {
  if (kind.front() == '{') return is_one_of(attribute, kind);
  // Kinds come from ops.def only, so an unknown one cannot occur.
  if (kind.front() != '#') return find_kind(kind)->fits(attribute);
  const DialectAttribute* structure = attribute.dialect();
  return structure != nullptr && structure->mnemonic == kind.substr(1);
}

std::string kind_text(std::string_view kind) {
  if (kind == "#ragged_dot") return "a #chlo.ragged_dot<...>";
  if (kind.front() == '#') return fmt::format("a #stablehlo.{}<...>", kind.substr(1));
  if (kind.front() != '{') return std::string(find_kind(kind)->wanted);
  std::string words(kind.substr(1, kind.size() - 2));
  for (std::size_t at = words.find(','); at != std::string::npos; at = words.find(',', at + 1))
    words.replace(at, 1, ", ");
  return "one of " + words;
}

}  // namespace understudy::program::rules
