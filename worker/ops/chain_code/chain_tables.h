// SPDX-License-Identifier: Apache-2.0
// Parts of a chain that are functions of one number of 8 or 16 bits, such as a gelu of bf16, as
// tables of the results for all such numbers. The steps of the chain make the table, so its results
// have their bits. Machine code reads it instead of computing the function.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "program/ir/element_type.h"
#include "worker/ops/chain_code/chain_text.h"

namespace understudy::worker::ops::chain_code {

// Where the number comes from: the result of a link, or what it reads of memory.
struct TableRoot {
  std::size_t link = 0;
  std::optional<std::size_t> operand;  // a, b or c, dense
  bool operator==(const TableRoot&) const = default;
};

struct ChainTable {
  TableRoot root;
  std::size_t output = 0;  // the link whose result the table has
  program::ElementType number = program::ElementType::bf16, result = program::ElementType::bf16;
  // By the bits of the number, then as many bytes as a read of a whole word goes beyond.
  std::vector<std::byte> entries = {};
};

// The tables for the machine code of AVX-512, of the functions that take longest, if that is longer
// than a look-up. Their entries have their places, and no values yet.
std::vector<ChainTable> tables_of(const ChainText& text);
// Runs the steps of the text, which have their addresses, for all numbers.
void fill(const ChainText& text, std::span<ChainTable> tables);

// Of each link: whether something else than the tables of the text needs its result.
std::vector<bool> links_beside(const ChainText& text);

}  // namespace understudy::worker::ops::chain_code
