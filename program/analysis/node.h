// SPDX-License-Identifier: Apache-2.0
// How a value was computed: by which instruction, from which nodes, and which processes share it.
//
// A history is as long as the program. So a Flow owns all its nodes in one list, nodes refer to
// each other by plain pointers, and each node carries a summary of its history that is computed
// when it is created. No walk and no destructor recurses to the depth of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "program/analysis/classes.h"
#include "program/analysis/influence.h"
#include "program/analysis/known.h"
#include "program/executable/executable.h"

namespace understudy::program::analysis {

struct Node;
using NodePointer = const Node*;  // of the Flow that owns it

// The nearest instruction of some kind in a history, and its distance in nodes.
struct Nearest {
  const Instruction* instruction = nullptr;
  std::uint32_t distance = 0;
};

// Where the data in a value come from (program/analysis/tracking.h).
struct Track {
  Influences::Id influence = Influences::kNone;
  Known known = nullptr;
  // Of a gathered buffer: the influence of each of its equal pieces. nullptr: one for all.
  std::shared_ptr<const std::vector<Influences::Id>> pieces = nullptr;
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
  // Of this node and all before it: data, or the place of a row, decide which data count, so data
  // that show no influence now may have some with other data.
  bool picks = false;
  bool has_index = false, has_iota = false;  // before any data: which process, which row
  std::size_t argument = 0;
  const Instruction* instruction = nullptr;
  std::vector<NodePointer> inputs = {};
  Classes classes;
  Nearest local_reduction = {};  // whose value may differ
  Nearest maker = {};            // any instruction
  Track track = {};
};

// Fills in the fields that summarise a node's history. *Requires* that its other fields are set.
void summarise(Node& node);

// Adds another node's summary to this one's.
void absorb(Node& node, const Node& other);

// These nodes and all nodes in their histories, each once.
std::unordered_set<NodePointer> all_behind(std::vector<NodePointer> nodes);

}  // namespace understudy::program::analysis
