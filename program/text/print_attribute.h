// SPDX-License-Identifier: Apache-2.0
// Attributes as MLIR text that the parser reads back to equal attributes. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::program {

// `key` is the attribute's name: enumerations and shardings are spelt after it.
std::string text_of(const Attribute& attribute, std::string_view key);
std::string text_of(const std::vector<NamedAttribute>& entries);  // "{a = 1 : i64, b}"
std::string quoted_text(std::string_view text);                   // "\"a\\22b\""
std::string axes_text(const Mesh& mesh);                          // ["x"=2], device_ids=[1, 0]
std::string symbol_text(std::string_view name);                   // "@main", "@\"odd name\""

}  // namespace understudy::program
