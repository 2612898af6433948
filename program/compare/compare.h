// SPDX-License-Identifier: Apache-2.0
// Two listings side by side: facts about the programs, operations, collectives. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/compare/listing.h"

namespace understudy::program::compare {

struct FactDifference {
  std::string name;
  std::optional<std::string> a, b;  // nullopt: that side does not say it
};

// One difference of operations. An operation that is only on one side is no reason to report those
// that use it, or come after it.
struct OperationDifference {
  enum class Kind : std::uint8_t { changed, only_in_a, only_in_b };
  Kind kind = Kind::changed;
  std::string what;                   // of `changed`: "result type", "attributes", "operand 1"
  std::optional<std::uint32_t> a, b;  // entries
  bool only_types = false;            // the same but for shapes and element types
};

// One difference of collectives, in words: "replica groups {{0,1}} in A, {{0},{1}} in B".
struct CollectiveDifference {
  enum class Kind : std::uint8_t { changed, only_in_a, only_in_b, moved, types };
  Kind kind = Kind::changed;
  std::string what;
  std::optional<std::uint32_t> a, b;                // entries
  std::optional<std::uint32_t> number_a, number_b;  // which collective of its program, from 0
};

struct Differences {
  std::vector<FactDifference> facts;
  std::vector<OperationDifference> operations;  // in program order; the first is the first of all
  std::vector<CollectiveDifference> collectives;
  bool none() const { return facts.empty() && operations.empty() && collectives.empty(); }
};

Differences differences_of(const Listing& a, const Listing& b);

// "all-reduce f32[8] at train.py:12"
std::string text_of(const Entry& entry);

}  // namespace understudy::program::compare
