// SPDX-License-Identifier: Apache-2.0
// The passes, in order.
#include "program/compile.h"

#include "program/lowering/lowering.h"
#include "program/passes/draft.h"

namespace understudy::program {

namespace {

// The executable's outside: what it takes, what it gives, on how many chips.
Executable outside_of(const Interface& interface, Numerics numerics) {
  Executable executable;
  for (const Parameter& argument : interface.arguments)
    executable.arguments.push_back(argument.local);
  for (const Parameter& result : interface.results) executable.results.push_back(result.local);
  executable.replicas = interface.replicas;
  executable.partitions = interface.partitions;
  executable.numerics = numerics;
  return executable;
}

}  // namespace

Executable compile(const Module& module, const CompileOptions& options) {
  const Interface interface = interface_of(module, options);
  passes::Draft draft;
  passes::Lowering(module, interface, draft).lower_main(entry_of(module, options));
  // Dead code first, so that later passes see only what runs. Sorts
  // are shortened before copies are coalesced, as a selection is its slice. Copies are coalesced before
  // all_reduces are combined, as a copy of a result would otherwise keep two all_reduces apart;
  // overlap comes after combining, as it must see the final collectives; placement comes last, as
  // it needs the final order.
  passes::eliminate_dead_code(draft);
  passes::shorten_sorts(draft);
  passes::coalesce_copies(draft);
  passes::combine_all_reduces(draft);
  passes::overlap_collectives(draft);
  Executable executable = outside_of(interface, options.numerics);
  executable.temporary_bytes = passes::place_temporaries(draft);
  executable.code = std::move(draft.code);
  executable.constants = std::move(draft.constants);
  for (const Operation* op : operations_in_order(module)) executable.op_names.push_back(op->name);
  // The same check as for an executable from the cache: a compiler bug is found here, not in a
  // worker.
  check_bounds(executable);
  return executable;
}

}  // namespace understudy::program
