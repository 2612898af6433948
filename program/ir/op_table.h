// SPDX-License-Identifier: Apache-2.0
// The rows of ops.def. Constant data; safe to read from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace understudy::program {

// How many operands, results or regions an operation may have.
struct Arity {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  bool fits(std::size_t count) const { return count >= least && count <= most; }
};

struct OpRow {
  std::string_view name;
  Arity operands, results, regions;
  // Kinds of values and attributes, in the words of ops.def.
  std::string_view operand_words, result_words, attributes;
  std::string_view format;
};

std::span<const OpRow> op_table();
const OpRow* find_op(std::string_view name);  // nullptr: unknown
// The known name that looks most like this one, or empty.
std::string_view similar_op(std::string_view name);

}  // namespace understudy::program
