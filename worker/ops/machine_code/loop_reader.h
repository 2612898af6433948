// SPDX-License-Identifier: Apache-2.0
// Reads a bound loop as a graph of single elements. Pure function.
#pragma once

#include <optional>

#include "program/executable/executable.h"
#include "worker/chip/bound_code.h"
#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

// nullopt where the loop stays bound code: it has a step that is no leaf or works on many elements,
// more than kMostSteps, or mostly steps that have no machine code. *Requires*: `loop` is the step
// of a While, and the executable is the one it was bound from.
std::optional<LoopGraph> read_loop(const BoundStep& loop, const program::Executable& executable);

// Steps of one element, and calls. One takes about 3 us to make machine code of.
inline constexpr std::size_t kMostSteps = 500;
// Arrays up to this size are elements of their own, in registers.
inline constexpr std::size_t kMostElements = 8;

}  // namespace understudy::worker::ops::machine
