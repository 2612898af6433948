// SPDX-License-Identifier: Apache-2.0
// The collectives of an executable as a table: kind, group, bytes and source place. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/compile.h"
#include "program/executable/executable.h"

namespace understudy::program::analysis {

// Collectives with equal fields but the count.
struct CollectiveUse {
  std::string kind;               // "all_reduce"
  std::int64_t count = 1;         // instructions, after small all_reduces were combined
  std::uint64_t bytes = 0;        // of the operands of one of them, on one chip
  std::vector<std::string> axes;  // of the mesh; empty if the groups follow none
  std::int64_t group = 1;         // members of the largest group
  bool in_loop = false;           // runs once per iteration
  Location place;                 // of the operation; its first one if several were combined
  std::int64_t operations = 1;    // combined into one instruction
};

// In program order of the first of each kind. `executable` is compiled from `module`.
std::vector<CollectiveUse> collectives_of(const Module& module, const Interface& interface,
                                          const Executable& executable);

// One line per entry, at most 100 columns unless a path is longer: "  2 x all_reduce ..."
std::string text_of(const std::vector<CollectiveUse>& uses);

}  // namespace understudy::program::analysis
