// SPDX-License-Identifier: Apache-2.0
// How a value was computed: by which instruction, from which nodes, and which processes share it.
//
// A history is as long as the program. So a Flow owns all its nodes in one list, nodes refer to
// each other by plain pointers, and each node carries a summary of its history that is computed
// when it is created. No walk and no destructor recurses to the depth of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "program/analysis/classes.h"
#include "program/executable/executable.h"

namespace understudy::program::analysis {

struct Node;
using NodePointer = const Node*;  // of the Flow that owns it

// The nearest instruction of some kind in a history, and its distance in nodes.
struct Nearest {
  const Instruction* instruction = nullptr;
  std::uint32_t distance = 0;
};

struct Node {
  enum class Kind : std::uint8_t {
    constant,
    argument,
    made,   // by `instruction`
    joined  // of what several paths may have left: loops, branches, pieces
  };
  Kind kind = Kind::constant;
  bool is_choice = false;  // joined: of branches, by the last input
  bool touched = false;    // something that differs between processes went into it
  // Of this node and all before it.
  bool takes_data = false;  // an argument of the program
  bool reduced = false;     // an all_reduce
  // This node, or one in its history that may differ between processes:
  bool chooses = false;    // a choice by data, before values were passed on
  bool exchanges = false;  // values that processes pass on to each other
  std::size_t argument = 0;
  const Instruction* instruction = nullptr;
  std::vector<NodePointer> inputs = {};
  Classes classes;
  Nearest local_reduction = {};  // whose value may differ
  Nearest maker = {};            // any instruction
};

// Fills in the fields that summarise a node's history. *Requires* that its other fields are set.
void summarise(Node& node);

// Adds another node's summary to this one's.
void absorb(Node& node, const Node& other);

// These nodes and all nodes in their histories, each once.
std::unordered_set<NodePointer> all_behind(std::vector<NodePointer> nodes);

}  // namespace understudy::program::analysis
