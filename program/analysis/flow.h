// SPDX-License-Identifier: Apache-2.0
// Data flow of a program: an abstract interpretation of lowered code in which every buffer holds a
// Node. A Node knows the instruction that computed it, its inputs, and its Classes. Loops run to a
// fixed point; values written in a branch also depend on its condition. Pure functions.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "program/analysis/classes.h"
#include "program/analysis/influence.h"
#include "program/analysis/node.h"
#include "program/compile.h"
#include "program/passes/draft.h"

namespace understudy::program::analysis {

// A collective that only some processes reach, because what leads to it differs between them.
struct Divergence {
  const Instruction* collective = nullptr;
  Classes reached_by;
};

struct Flow {
  std::deque<Node> nodes;  // all that the pointers below lead to; they stay where they are
  // Keeps the instructions alive that nodes point to; shared so that they do not move.
  std::shared_ptr<const passes::Draft> draft;
  std::vector<NodePointer> results;  // by result
  std::vector<NodePointer> made;     // collectives, in the order of their last visit
  std::vector<Divergence> divergences;
  std::shared_ptr<const Influences> influences;  // what Track::influence of the nodes refers to
  int most_rounds = 0;                           // that a loop took to reach its fixed point
};

// Lowers the entry function of the module and follows it. Throws what compile() throws.
Flow flow_of(const Module& module, const CompileOptions& options, const Interface& interface);

}  // namespace understudy::program::analysis
