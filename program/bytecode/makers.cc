// SPDX-License-Identifier: Apache-2.0
// Builds attributes from their parts, and reads lists of parts. Each copy of a table entry is
// charged to the budget, as a small file may refer to one large entry many times.
#include <algorithm>
#include <fmt/format.h>

#include "program/bytecode/decode.h"

namespace understudy::program::bytecode {
Attribute array_of(std::vector<Attribute> elements) {
  return {std::make_shared<const ArrayAttribute>(ArrayAttribute{std::move(elements)})};
}

Attribute dictionary_of(std::vector<NamedAttribute> entries) {
  // Sorted, as MLIR's dictionaries are: the text reader gives the same order.
  std::sort(entries.begin(), entries.end(),
            [](const NamedAttribute& a, const NamedAttribute& b) { return a.first < b.first; });
  return {std::make_shared<const DictionaryAttribute>(DictionaryAttribute{std::move(entries)})};
}

Attribute dialect_of(std::string dialect, std::string mnemonic,
                     std::vector<NamedAttribute> parameters) {
  return {std::make_shared<const DialectAttribute>(
      DialectAttribute{std::move(dialect), std::move(mnemonic), std::move(parameters)})};
}

// Text that only the printer reads is kept as it is, under one unnamed parameter.
Attribute raw_of(std::string dialect, std::string mnemonic, std::string text) {
  std::vector<NamedAttribute> parameters;
  parameters.emplace_back("", text_attribute(std::move(text)));
  return dialect_of(std::move(dialect), std::move(mnemonic), std::move(parameters));
}

Attribute number_of(std::int64_t value) {
  // Numbers without a type in the bytecode are i64, as the text reader reads them.
  return {IntegerAttribute{value, Type::scalar(ElementType::i64)}};
}

Attribute numbers_of(const std::vector<std::int64_t>& values) {
  std::vector<Attribute> elements;
  elements.reserve(values.size());
  for (const std::int64_t value : values) elements.push_back(number_of(value));
  return array_of(std::move(elements));
}

Attribute boolean_of(bool value) {
  return {IntegerAttribute{value ? 1 : 0, Type::scalar(ElementType::pred)}};
}

Attribute text_attribute(std::string text) { return {StringAttribute{std::move(text)}}; }

const std::string& text_in(const Attribute& attribute, const Cursor& in, std::string_view what) {
  if (const auto* text = attribute.get<StringAttribute>()) return text->value;
  in.fail(fmt::format("{} must be a string", what));
}

std::vector<Attribute> attributes_in(Cursor& in, Tables& tables, std::string_view what) {
  // count() bounds the size by the bytes that remain.
  std::vector<Attribute> out(in.count(what), Attribute{UnitAttribute{}});
  for (Attribute& attribute : out) {
    attribute = tables.attribute(in, what);
    tables.budget().charge(attribute, in);
  }
  return out;
}

std::vector<Type> types_in(Cursor& in, Tables& tables, std::string_view what) {
  std::vector<Type> out(in.count(what));
  for (Type& type : out) {
    const Type& found = tables.type(in, what);
    tables.budget().charge(found, in);
    type = found;
  }
  return out;
}

std::vector<std::int64_t> numbers_in(Cursor& in, std::string_view what) {
  std::vector<std::int64_t> out(in.count(what));
  // Signed, as dynamic sizes are negative.
  for (std::int64_t& number : out) number = in.svarint(what);
  return out;
}

std::vector<NamedAttribute> entries_in(Cursor& in, Tables& tables) {
  const std::size_t count = in.count("the size of a dictionary");
  std::vector<NamedAttribute> out;
  out.reserve(count);
  // Names are entries of the table, too, so they cost the budget like values.
  for (std::size_t i = 0; i < count; ++i) {
    const Attribute& name = tables.attribute(in, "a name");
    tables.budget().charge(name, in);
    std::string key = text_in(name, in, "an attribute's name");
    const Attribute& value = tables.attribute(in, "an attribute");
    tables.budget().charge(value, in);
    out.emplace_back(std::move(key), value);
  }
  return out;
}

}  // namespace understudy::program::bytecode
