// SPDX-License-Identifier: Apache-2.0
// Decides which slots of a loop can be registers, so that every reader sees the bytes that it would
// see in memory. Spaces do not overlap, except for a donated argument and its result: no program
// reads the argument after it writes there (program/passes/donation.cc), so that loading it earlier
// and storing the result later changes nothing. Pure function.
#pragma once

#include "worker/ops/machine_code/loop_graph.h"

namespace understudy::worker::ops::machine {

// Fills in the flags of the slots, and the results of calls.
void place_slots(LoopGraph& graph);

// Calls `read` with each slot that a part reads and then `write` with each that it writes. Loops
// and branches: only the value that they test.
template <class Read, class Write>
void visit_slots(const Part& part, const Read& read, const Write& write) {
  const auto use = [&](const Value& value) {
    if (!value.is_constant()) read(value.slot);
  };
  if (const auto* simple = std::get_if<Simple>(&part)) {
    for (std::size_t i = 0; i < simple->inputs; ++i) use(simple->in[i]);
    write(simple->out);
  } else if (const auto* window = std::get_if<Window>(&part)) {
    for (const WindowStart& start : window->starts) use(start.value);
    for (const Value& element : window->elements) {
      if (window->is_update) use(element);
    }
    for (const Value& element : window->elements) {
      if (!window->is_update) write(element.slot);
    }
  } else if (const auto* call = std::get_if<Call>(&part)) {
    for (const int slot : call->results) write(slot);
  } else if (const auto* branch = std::get_if<Branch>(&part)) {
    use(branch->index);
  } else {
    use(std::get<Loop>(part).predicate);
  }
}

}  // namespace understudy::worker::ops::machine
