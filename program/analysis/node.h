// SPDX-License-Identifier: Apache-2.0
// How a value came about: what made it, from which nodes, and which processes share it.
//
// A history is as long as the program. So a Flow owns all its nodes in one list, nodes refer to
// each other by plain pointers, and what questions about a whole history need is carried along in
// each node when it is made: no walk and no destructor goes as deep as the program is long.
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

// The nearest instruction of some kind in a history, and how many steps back it stands.
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
  // Of this node and those before it that may differ between processes.
  bool chooses = false;    // a choice by data, before values were passed on
  bool exchanges = false;  // values that processes pass on to each other
  std::size_t argument = 0;
  const Instruction* instruction = nullptr;
  std::vector<NodePointer> inputs = {};
  Classes classes;
  Nearest local_reduction = {};  // whose value may differ
  Nearest maker = {};            // any instruction
};

// Fills in what a node says of all that lies before it. *Requires* that its other fields
// are filled in.
void summarise(Node& node);

// Lets a node say of what lies before it what another one says too.
void absorb(Node& node, const Node& other);

// These nodes and all that lie before them, each once.
std::unordered_set<NodePointer> all_behind(std::vector<NodePointer> nodes);

}  // namespace understudy::program::analysis
