// SPDX-License-Identifier: Apache-2.0
// From a module to an executable: lowering, the passes of passes/pass_list.cc, the plan of buffers.
#include "program/compile.h"

#include <algorithm>

#include "program/executable/listing.h"
#include "program/lowering/lowering.h"
#include "program/passes/donation.h"
#include "program/passes/draft.h"
#include "program/passes/module/memory_kinds.h"
#include "program/passes/pass_list.h"

namespace understudy::program {

namespace {

// The executable's outside: what it takes, what it gives, on how many chips.
Executable outside_of(const Interface& interface, Numerics numerics) {
  // Local types: the executable is the program of one chip.
  Executable executable;
  for (const Parameter& argument : interface.arguments)
    executable.arguments.push_back(argument.local);
  for (const Parameter& result : interface.results) executable.results.push_back(result.local);
  executable.replicas = interface.replicas;
  executable.partitions = interface.partitions;
  executable.numerics = numerics;
  return executable;
}

std::vector<std::string> op_names_of(const Module& module) {
  std::vector<std::string> names;
  for (const Operation* op : operations_in_order(module)) names.push_back(op->name);
  return names;
}

// Temporaries are numbered, not placed, so their sum stands for the scratch.
std::string listing_of(const passes::Draft& draft, const Module& module) {
  Executable executable;
  executable.code = draft.code;
  executable.constants = draft.constants;
  for (const std::uint64_t bytes : draft.bytes) executable.temporary_bytes += bytes;
  executable.op_names = op_names_of(module);
  return list(executable);
}

}  // namespace

Executable compile(const Module& module, const CompileOptions& options) {
  const Interface interface = interface_of(module, options);
  passes::Draft draft;
  // The order is fixed: kinds and donations refer to arguments of the draft that lowering has made.
  passes::Lowering(module, interface, draft).lower_main(entry_of(module, options));
  const passes::MemoryKinds kinds = passes::memory_kinds_of(entry_of(module, options));
  draft.host_arguments = kinds.host_arguments;
  draft.host_results = kinds.host_results;
  draft.numerics = options.numerics;
  draft.donates = !kinds.donors.empty();
  // After lowering, so that a misspelt pass does not hide an error of the program.
  passes::check_pass_names(options.disabled_passes);
  const auto report = [&](std::string_view name) {
    if (options.after_pass) options.after_pass(name, listing_of(draft, module));
  };
  report("lowering");
  for (const passes::PassRow& pass : passes::pass_list()) {
    if (std::ranges::find(options.disabled_passes, pass.name) != options.disabled_passes.end())
      continue;
    pass.run(draft);
    report(pass.name);
  }
  Executable executable = outside_of(interface, options.numerics);
  executable.host_arguments = draft.host_arguments;
  executable.host_results = draft.host_results;
  passes::find_host_memory(draft);
  executable.donations = passes::donations_of(entry_of(module, options), draft,
                                              executable.arguments, executable.results);
  // Last: passes may still add or drop temporaries, and offsets depend on all of them.
  const passes::Scratch scratch = passes::place_temporaries(draft, options.poison);
  executable.temporary_bytes = scratch.bytes;
  executable.host_temporary_bytes = scratch.host_bytes;
  executable.code = std::move(draft.code);
  executable.constants = std::move(draft.constants);
  // By order of operations, the index that instructions carry.
  executable.op_names = op_names_of(module);
  // The same check as for an executable from the cache: a compiler bug is found here, not in a
  // worker.
  check_bounds(executable);
  if (options.after_pass) options.after_pass("placement", list(executable));
  return executable;
}

}  // namespace understudy::program
