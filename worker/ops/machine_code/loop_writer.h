// SPDX-License-Identifier: Apache-2.0
// Writes the machine code of a loop: its control flow, its memory and the status; steps write
// theirs by forms.h.
#pragma once

#include <asmjit/x86.h>

#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

// A LoopFunction (loop_frame.h), appended to `compiler`. *Requires*: place_slots() and
// postpone_compares() ran.
void write_loop(asmjit::x86::Compiler& compiler, const LoopGraph& graph);

}  // namespace understudy::worker::ops::machine
