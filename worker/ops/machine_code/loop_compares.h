// SPDX-License-Identifier: Apache-2.0
// Finds the comparisons that are made where they are read, so that their flags serve at once. Pure
// function.
#pragma once

#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

// Sets Simple::is_postponed. *Requires*: place_slots() ran.
void postpone_compares(LoopGraph& graph);

}  // namespace understudy::worker::ops::machine
