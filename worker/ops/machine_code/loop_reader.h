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
inline constexpr std::size_t kMostSteps = 1500;
// Arrays up to this size are elements of their own, in registers; element-wise work on more of
// them, and copying them, is quicker in vectors.
inline constexpr std::size_t kMostElements = 16, kMostElementwise = 8;
// Of a function that has many instructions, such as tanh; its kernel computes more of them at once.
inline constexpr std::size_t kMostFunctions = 4;

}  // namespace understudy::worker::ops::machine
