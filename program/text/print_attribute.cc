// SPDX-License-Identifier: Apache-2.0
#include "program/text/print_attribute.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

#include "program/ir/literal.h"
#include "program/text/hex.h"

namespace understudy::program {
namespace {

struct EnumName {
  std::string_view key, name;
};
// The enumeration in an attribute of this name, if it differs from the name of the attribute.
constexpr std::array<EnumName, 3> kEnums = {{{"compare_type", "comparison_type"},
                                             {"precision_config", "precision"},
                                             {"transpose_a", "transpose"}}};
// Longer literals are printed as hexadecimal blobs, as MLIR does.
constexpr std::int64_t kLongestList = 100;

// Whether a name may be printed without quotes.
bool is_bare(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  if (name[0] == '.' || name[0] == '$') return false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$' && c != '.') {
      return false;
    }
  }
  return true;
}

// The texts of all elements, separated by ", ".
template <class List, class Text>
std::string joined(const List& list, Text text) {
  std::string out;
  for (const auto& element : list) {
    if (!out.empty()) out += ", ";
    out += text(element);
  }
  return out;
}

// i64 and f64 are MLIR's default types and may be omitted inside structures.
std::string text_of_number(const Attribute& attribute, bool with_type) {
  if (const auto* real = attribute.get<FloatAttribute>()) {
    const ElementType element = real->type.tensor.element;
    const std::string text = text_of_bits(element, bits_of_float(element, real->value));
    if (!with_type && element == ElementType::f64) return text;
    return fmt::format("{} : {}", text, mlir_name(element));
  }
  const auto& number = *attribute.get<IntegerAttribute>();
  if (!number.type.is_tensor()) return fmt::format("{} : {}", number.value, text_of(number.type));
  const ElementType element = number.type.tensor.element;
  if (is_pred(element)) return number.value != 0 ? "true" : "false";
  const std::string text = is_unsigned_integer(element)
                               ? fmt::format("{}", static_cast<std::uint64_t>(number.value))
                               : fmt::format("{}", number.value);
  const bool bare = !with_type && element == ElementType::i64;
  return bare ? text : fmt::format("{} : {}", text, mlir_name(element));
}

std::string element_text(const DenseAttribute& dense, std::size_t index) {
  const ElementType element = dense.type.element;
  if (!is_complex(element)) return text_of_bits(element, stored_bits(element, *dense.data, index));
  const ElementType part = element == ElementType::c64 ? ElementType::f32 : ElementType::f64;
  return fmt::format("({},{})", text_of_bits(part, stored_bits(part, *dense.data, 2 * index)),
                     text_of_bits(part, stored_bits(part, *dense.data, 2 * index + 1)));
}

// [[1, 2], [3, 4]]: one level of brackets per dimension; `index` counts elements row-major.
std::string nested_text(const DenseAttribute& dense, std::size_t dimension, std::size_t& index) {
  if (dimension == dense.type.shape.size()) return element_text(dense, index++);
  std::string out = "[";
  for (std::int64_t i = 0; i < dense.type.shape[dimension]; ++i) {
    out += (i == 0 ? "" : ", ") + nested_text(dense, dimension + 1, index);
  }
  return out + "]";
}

std::string hex_text(const DenseAttribute& dense) {
  std::string out = "\"0x";
  append_hex_digits(*dense.data, out);
  return out + "\"";
}

// Splats print one element, short literals their elements, long ones a blob; but booleans never: a
// blob of them has a byte per element for MLIR from 2025 on, a bit for MLIR before it.
std::string dense_text(const DenseAttribute& dense) {
  const std::int64_t count = dense.type.elements();
  std::size_t index = 0;
  if (dense.is_array) {
    std::string out = fmt::format("array<{}", mlir_name(dense.type.element));
    for (; index < static_cast<std::size_t>(count); ++index) {
      out += (index == 0 ? ": " : ", ") + element_text(dense, index);
    }
    return out + ">";
  }
  std::string inside;
  if (dense.is_splat) {
    inside = element_text(dense, 0);
  } else if (count > kLongestList && dense.type.element != ElementType::pred) {
    inside = hex_text(dense);
  } else if (count > 0) {
    inside = nested_text(dense, 0, index);
  }
  std::string type = text_of(dense.type);
  if (dense.is_index) type.replace(type.rfind("i64"), 3, "index");
  return fmt::format("dense<{}> : {}", inside, type);
}

// An element of a list of axes: "x", "y":(1)2, ?, p1.
bool is_axis(const Attribute& attribute) {
  if (attribute.get<StringAttribute>() != nullptr) return true;
  if (attribute.get<EnumAttribute>() != nullptr) return true;
  const DialectAttribute* found = attribute.dialect();
  return found != nullptr && found->dialect == "sdy" && found->mnemonic == "axis" &&
         found->find("pre") != nullptr && found->find("size") != nullptr;
}

// {"x", "y":(1)2, ?}p1
std::string axes_text(const ArrayAttribute& axes) {
  std::string priority;
  std::string out;
  for (const Attribute& axis : axes.elements) {
    const auto* mark = axis.get<EnumAttribute>();
    if (mark != nullptr && mark->word != "?") {
      priority = mark->word;
      continue;
    }
    if (!out.empty()) out += ", ";
    if (mark != nullptr) {
      out += "?";
    } else if (const DialectAttribute* part = axis.dialect()) {
      out += fmt::format("{}:({}){}", text_of(part->parameters[0].second, ""),
                         part->find("pre")->get<IntegerAttribute>()->value,
                         part->find("size")->get<IntegerAttribute>()->value);
    } else {
      out += text_of(axis, "");
    }
  }
  return "{" + out + "}" + priority;
}

// <@mesh, [{"x"}, {?}p1], replicated={"y"}>; an inline mesh is printed in place of the symbol.
std::string sharding_text(const DialectAttribute& sharding) {
  const auto& parameters = sharding.parameters;
  const std::string& mesh = parameters.at(0).second.get<SymbolAttribute>()->name;
  std::string out =
      fmt::format("<{}, [{}]", mesh.rfind(kInlineMesh, 0) == 0 ? mesh : symbol_text(mesh),
                  joined(parameters.at(1).second.array()->elements,
                         [](const Attribute& dimension) { return axes_text(*dimension.array()); }));
  for (std::size_t i = 2; i < parameters.size(); ++i) {
    out += fmt::format(", {}={}", parameters[i].first, axes_text(*parameters[i].second.array()));
  }
  return out + ">";
}

bool is_sharding(const Attribute& attribute) {
  const DialectAttribute* found = attribute.dialect();
  return found != nullptr && found->dialect == "sdy" && found->mnemonic == "sharding" &&
         found->parameters.size() > 1;
}

// Fields of structures print numbers without their type.
std::string field_text(const Attribute& attribute, std::string_view key) {
  const bool is_number =
      attribute.get<IntegerAttribute>() != nullptr || attribute.get<FloatAttribute>() != nullptr;
  if (is_number) return text_of_number(attribute, false);
  if (const ArrayAttribute* array = attribute.array()) {
    return "[" +
           joined(array->elements, [&](const Attribute& each) { return field_text(each, key); }) +
           "]";
  }
  return text_of(attribute, key);
}

// Attributes kept as text are printed as they were read; structured ones with their fields in
// order.
std::string dialect_text(const DialectAttribute& attribute) {
  if (attribute.dialect == "sdy" && attribute.mnemonic == "sharding" &&
      attribute.parameters.size() > 1) {
    return "#sdy.sharding" + sharding_text(attribute);
  }
  const bool builtin = attribute.dialect == "builtin";
  std::string out =
      builtin ? attribute.mnemonic
      : attribute.dialect.empty()
          ? ""
          : "#" + attribute.dialect + (attribute.mnemonic.empty() ? "" : ".") + attribute.mnemonic;
  if (attribute.parameters.empty()) return out;
  const auto& [first_key, first] = attribute.parameters[0];
  if (first_key.empty() && first.get<StringAttribute>() != nullptr) {
    return out + "<" + first.get<StringAttribute>()->value + ">";
  }
  out += attribute.mnemonic == "conv" ? "<raw " : "<";
  return out +
         joined(attribute.parameters,
                [](const NamedAttribute& field) {
                  return fmt::format("{} = {}", field.first, field_text(field.second, field.first));
                }) +
         ">";
}

// Lists of axes and of shardings have short forms, which depend on the attribute's name.
std::string array_text(const ArrayAttribute& array, std::string_view key) {
  const auto all = [&](bool (*test)(const Attribute&)) {
    return std::all_of(array.elements.begin(), array.elements.end(), test);
  };
  if (key == "manual_axes" && all(is_axis)) return "#sdy<manual_axes" + axes_text(array) + ">";
  const bool per_value = key == "in_shardings" || key == "out_shardings" || key == "sdy.sharding";
  if (per_value && all(is_sharding)) {
    return "#sdy.sharding_per_value<[" +
           joined(array.elements,
                  [](const Attribute& each) { return sharding_text(*each.dialect()); }) +
           "]>";
  }
  return "[" + joined(array.elements, [&](const Attribute& each) { return text_of(each, key); }) +
         "]";
}

// #dialect<enumeration WORD>; the enumeration is not stored, it follows from the attribute's name.
std::string enum_text(const EnumAttribute& attribute, std::string_view key) {
  if (key == "mode") return fmt::format("#stablehlo.result_accuracy_mode<{}>", attribute.word);
  for (const EnumName& row : kEnums) {
    if (row.key == key) key = row.name;
  }
  return fmt::format("#{}<{} {}>", attribute.dialect, key, attribute.word);
}

}  // namespace

// Everything but printable ASCII is escaped as \HH, so the text is the same in every locale.
std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\';
    out += plain ? std::string(1, c) : fmt::format("\\{:02X}", byte);
  }
  return out + "\"";
}

std::string axes_text(const Mesh& mesh) {
  std::string out = "[" + joined(mesh.axes, [](const auto& axis) {
                      return fmt::format("{}={}", quoted_text(axis.first), axis.second);
                    });
  out += "]";
  if (!mesh.device_ids.empty()) {
    out += fmt::format(", device_ids=[{}]", fmt::join(mesh.device_ids, ", "));
  }
  return out;
}

// Names with other characters are quoted.
std::string symbol_text(std::string_view name) {
  std::string out;
  for (;;) {
    const std::size_t nested = name.find("::");
    const bool splits = nested != std::string_view::npos && nested > 0 && nested + 2 < name.size();
    const std::string_view part = splits ? name.substr(0, nested) : name;
    out += '@';
    out += is_bare(part) ? std::string(part) : quoted_text(part);
    if (!splits) return out;
    out += "::";
    name.remove_prefix(nested + 2);
  }
}

std::string text_of(const Attribute& attribute, std::string_view key) {
  if (attribute.get<UnitAttribute>() != nullptr) return "unit";
  if (attribute.get<IntegerAttribute>() != nullptr) return text_of_number(attribute, true);
  if (attribute.get<FloatAttribute>() != nullptr) return text_of_number(attribute, true);
  if (const auto* text = attribute.get<StringAttribute>()) return quoted_text(text->value);
  if (const auto* symbol = attribute.get<SymbolAttribute>()) return symbol_text(symbol->name);
  if (const auto* type = attribute.get<TypeAttribute>()) return text_of(type->type);
  if (const auto* dense = attribute.get<DenseAttribute>()) return dense_text(*dense);
  if (const auto* word = attribute.get<EnumAttribute>()) return enum_text(*word, key);
  if (const auto* array = attribute.array()) return array_text(*array, key);
  if (const auto* entries = attribute.dictionary()) return text_of(entries->entries);
  return dialect_text(*attribute.dialect());
}

std::string text_of(const std::vector<NamedAttribute>& entries) {
  return "{" +
         joined(entries,
                [](const NamedAttribute& entry) {
                  const std::string key =
                      is_bare(entry.first) ? entry.first : quoted_text(entry.first);
                  if (entry.second.get<UnitAttribute>() != nullptr) return key;
                  return key + " = " + text_of(entry.second, entry.first);
                }) +
         "}";
}

}  // namespace understudy::program
