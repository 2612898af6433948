// SPDX-License-Identifier: Apache-2.0
// How values come about and which processes share them: an abstract interpretation of lowered code
// in which every buffer holds a Node. A Node knows what made it, from which nodes, and its Classes.
// Loops run to a fixed point; what a branch decides depends on what decides it. Pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "program/analysis/classes.h"
#include "program/compile.h"
#include "program/passes/draft.h"

namespace understudy::program::analysis {

struct Node;
using NodePointer = std::shared_ptr<const Node>;

struct Node {
  enum class Kind : std::uint8_t {
    constant,
    argument,
    made,   // by `instruction`
    joined  // of what several paths may have left: loops, branches, pieces
  };
  Kind kind = Kind::constant;
  std::size_t argument = 0;
  const Instruction* instruction = nullptr;
  std::vector<NodePointer> inputs;
  Classes classes;
  bool is_choice = false;  // joined: of branches, by the last input
  bool touched = false;    // something that differs between processes went into it
};

// A collective that only some processes reach, because what leads to it differs between them.
struct Divergence {
  const Instruction* collective = nullptr;
  Classes reached_by;
};

struct Flow {
  // Keeps the instructions alive that nodes point to; shared so that they do not move.
  std::shared_ptr<const passes::Draft> draft;
  std::vector<NodePointer> results;  // by result
  std::vector<NodePointer> made;     // collectives, in the order of their last visit
  std::vector<Divergence> divergences;
};

// Lowers the entry function of the module and follows it. Throws what compile() throws.
Flow flow_of(const Module& module, const CompileOptions& options, const Interface& interface);

// The groups of a collective as process numbers, each in group order; a process in none is absent.
std::vector<std::vector<std::size_t>> groups_of(const Collective& collective,
                                                const Interface& interface);

}  // namespace understudy::program::analysis
