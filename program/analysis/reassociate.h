// SPDX-License-Identifier: Apache-2.0
// Two small facts of a module that say how much communication a compiler may save. Pure functions.
// Equivalents: XLA's AllReduceReassociate, WhileLoopAnalysis.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::program::analysis {

// All_reduces that a compiler can leave out: add(all_reduce(a), all_reduce(b)) is
// all_reduce(add(a, b)) where the groups and the reducer (add, maximum, ...) are the same and
// nothing else reads either result. Of each such pair the second one, in order of the module.
std::vector<const Operation*> reassociable_reductions(const Module& module);

// How often the body of a stablehlo.while runs, where its counter starts at a constant, grows by a
// constant and is compared with a constant (the loops of jax.lax.scan and fori_loop); else nullopt.
std::optional<std::int64_t> iterations_of(const Operation& loop);

}  // namespace understudy::program::analysis
