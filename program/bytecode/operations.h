// SPDX-License-Identifier: Apache-2.0
// The operations of portable artifacts: which properties each version of each has, and what they
// are called in the stablehlo dialect. Constant data; safe to read from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/bytecode/tables.h"

namespace understudy::program::bytecode {

// How a property becomes an attribute.
enum class Form : std::uint8_t {
  same,       // as it is
  list,       // the elements of a tensor as array<...>
  unit,       // there where it is true
  channel,    // the number of a channel, 0 for none: part of channel_handle
  kind,       // the type of a channel: part of channel_handle
  symbol,     // text as a symbol
  symbols,    // texts as symbols
  field,      // a field of the operation's structure (VhloOp::structure)
  algorithm,  // a field of dot_general's algorithm; the type `none` where it has none
  skip,       // means nothing
};

struct Property {
  std::string_view name;
  Form form = Form::same;
  bool is_optional = false;  // those of vhlo never are
};

struct KnownOp {
  std::string name;                  // "stablehlo.all_gather"
  std::vector<Property> properties;  // in the order of bytecode: sorted by name
  std::string_view structure;        // the attribute that the fields make: "dimension_numbers"
  std::string_view mnemonic;         // what it is: "gather"
};

// By dialect and name in the bytecode: "vhlo", "add_v1". nullptr: unknown.
const KnownOp* find_known_op(std::string_view dialect, std::string_view name);
std::vector<std::string_view> known_ops();  // "vhlo.add_v1", ...: for tests

// Gives an operation its attributes. `properties` are the pairs of one operation, in any order.
void convert_properties(const KnownOp& known, const std::vector<NamedAttribute>& properties,
                        Operation& op, Budget& budget, const Cursor& in);

}  // namespace understudy::program::bytecode
