// SPDX-License-Identifier: Apache-2.0
// What each algorithm sends: steps, messages and payload bytes of one member. The transport's
// counts are tested against it, and so is the table in docs/collectives.md. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace understudy::collectives {

// One call, seen from one member. `elements` is the operand's: of one member's block for
// all_gather, of the whole input for the others.
struct Shape {
  std::size_t members = 1;
  std::size_t self = 0;
  std::size_t elements = 0;
  std::size_t element_bytes = 0;
  std::size_t accumulator_bytes = 0;  // of reductions
  std::size_t root = 0;               // of broadcast
};

struct Cost {
  std::uint64_t steps = 0;  // exchanges that follow each other, over all members
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Cost&) const = default;
};

// A row of the table. S = bytes of the operand, as in `Shape`.
struct CostRow {
  std::string_view algorithm;
  std::string_view op;
  std::string_view steps;     // "2(n-1)"
  std::string_view messages;  // per member
  std::string_view bytes;     // per member, where chunks are even and accumulators are elements
  Cost (*cost)(const Shape&);
};

std::span<const CostRow> cost_rows();
// Throws Error{usage} when there is no such row. "auto" is the algorithm that it resolves to.
Cost cost_of(std::string_view algorithm, std::string_view op, const Shape& shape);

}  // namespace understudy::collectives
