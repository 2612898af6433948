// SPDX-License-Identifier: Apache-2.0
// Attributes in the canonical shapes of program/ir/ops.def.
#include <algorithm>
#include <fmt/format.h>

#include "program/hlo/convert.h"
#include "program/ir/dense.h"
#include "program/read.h"

namespace understudy::program::hlo {
namespace {

NamedAttribute named(std::string_view name, Attribute value) {
  return {std::string(name), std::move(value)};
}

}  // namespace

Attribute number_of(std::int64_t value) {
  return {IntegerAttribute{value, Type::scalar(ElementType::i64)}};
}

Attribute list_of(const Ints& values) {
  ArrayAttribute out;
  for (const std::int64_t value : values) out.elements.push_back(number_of(value));
  return {std::make_shared<const ArrayAttribute>(std::move(out))};
}

NamedAttribute number(std::string_view name, std::int64_t value) {
  return named(name, number_of(value));
}

NamedAttribute number32(std::string_view name, std::int64_t value) {
  return named(name, {IntegerAttribute{value, Type::scalar(ElementType::i32)}});
}

NamedAttribute flag(std::string_view name, bool value) {
  return named(name, {IntegerAttribute{value ? 1 : 0, Type::scalar(ElementType::pred)}});
}

NamedAttribute text(std::string_view name, std::string value) {
  return named(name, {StringAttribute{std::move(value)}});
}

NamedAttribute word(std::string_view name, std::string value) {
  return named(name, {EnumAttribute{std::move(value)}});
}

NamedAttribute list(std::string_view name, const Ints& values) {
  return named(name, array_of(ElementType::i64, values));
}

// A rectangle of at least `least` columns; shorter rows are filled up.
NamedAttribute table(std::string_view name, const Rows& rows, std::size_t least,
                     std::int64_t padding) {
  std::size_t width = least;
  for (const Ints& row : rows) width = std::max(width, row.size());
  // One long row fills all others up to its width, so the product and not the sum of the rows
  // bounds the memory that a hostile file can ask for.
  constexpr std::size_t kMostCells = std::size_t{1} << 23;  // one long row widens all
  if (width > 0 && rows.size() > kMostCells / width)
    throw Error(ErrorKind::input, fmt::format("{}: {} rows of up to {} numbers are too many", name,
                                              rows.size(), width));
  std::vector<std::int64_t> all;
  for (const Ints& row : rows) {
    // StableHLO fills short replica groups with -1 (the default of `padding`).
    all.insert(all.end(), row.begin(), row.end());
    all.insert(all.end(), width - row.size(), padding);
  }
  const TensorType type{ElementType::i64,
                        {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(width)}};
  return named(name, dense_of(type, all));
}

NamedAttribute structure(std::string_view name, std::string_view mnemonic,
                         std::vector<NamedAttribute> fields, std::string_view dialect) {
  return named(name, {std::make_shared<const DialectAttribute>(DialectAttribute{
                         std::string(dialect), std::string(mnemonic), std::move(fields)})});
}

Attribute dictionary_of(const Words& words) {
  DictionaryAttribute out;
  for (const auto& [key, value] : words) out.entries.push_back(text(key, value));
  // Entries of a dictionary attribute are sorted in MLIR; equal dictionaries then print equal text.
  std::sort(out.entries.begin(), out.entries.end(),
            [](const NamedAttribute& a, const NamedAttribute& b) { return a.first < b.first; });
  return {std::make_shared<const DictionaryAttribute>(std::move(out))};
}

// The text is read as an attribute of an empty module.
Attribute parsed(const std::string& written, const Location& where) {
  // The one parser of MLIR text is reused, so an attribute inside of HLO follows the same grammar
  // and limits as in a StableHLO file.
  try {
    const auto module = parse(
        std::make_shared<const Source>("", "module attributes {written = " + written + "} {\n}\n"));
    if (const Attribute* found = module->find("written")) return *found;
  } catch (const Error& error) {
    throw error_at(where, ErrorKind::input,
                   fmt::format("cannot read the attribute {}: {}", written, error.message()));
  }
  throw error_at(where, ErrorKind::input, fmt::format("cannot read the attribute {}", written));
}

}  // namespace understudy::program::hlo
