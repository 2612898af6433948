// SPDX-License-Identifier: Apache-2.0
#include "program/bytecode/decode.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace understudy::program::bytecode {

const Dialect* find_dialect(std::string_view name) {
  static constexpr std::array<Dialect, 3> kDialects = {
      {{"builtin", builtin_attribute, builtin_type},
       {"vhlo", vhlo_attribute, vhlo_type},
       // Shardy has no types of its own.
       {"sdy", sdy_attribute, nullptr}}};
  const auto* found = std::find_if(kDialects.begin(), kDialects.end(),
                                   [&](const Dialect& row) { return row.name == name; });
  return found == kDialects.end() ? nullptr : found;
}

Attribute decode_attribute(std::span<const AttributeCode> codes, std::string_view dialect,
                           Cursor& in, Tables& tables) {
  const std::uint64_t at = in.offset();
  const std::uint64_t code = in.varint("the code of an attribute");
  // Codes count the entries of the dialect's table from 0.
  if (code >= codes.size()) {
    in.fail_at(at, fmt::format("dialect {} has no attribute with code {}", dialect, code));
  }
  const AttributeCode& row = codes[code];
  // A row without a reader is known by name only, for the message.
  if (row.decode != nullptr) return row.decode(in, tables);
  in.unsupported_at(at, fmt::format("unsupported attribute of dialect {}: {}", dialect, row.name));
}

Type decode_type(std::span<const TypeCode> codes, std::string_view dialect, Cursor& in,
                 Tables& tables) {
  const std::uint64_t at = in.offset();
  const std::uint64_t code = in.varint("the code of a type");
  if (code >= codes.size()) {
    in.fail_at(at, fmt::format("dialect {} has no type with code {}", dialect, code));
  }
  const TypeCode& row = codes[code];
  if (row.decode != nullptr) return row.decode(in, tables);
  // Types without '!' are scalars, which need no bytes beyond the code.
  if (row.name.front() != '!') return scalar_type(row.name);
  in.unsupported_at(at,
                    fmt::format("unsupported type of dialect {}: {}", dialect, row.name.substr(1)));
}

}  // namespace understudy::program::bytecode
