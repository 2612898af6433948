// SPDX-License-Identifier: Apache-2.0
// Checks the processes that collectives and transfers of a loaded executable name, so that the
// worker looks its own up without a check at each call.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "configs/base/error.h"
#include "program/executable/host_messages.h"
#include "program/passes/check/check_fit.h"
#include "program/passes/check/check_work.h"

namespace understudy::program::passes {

namespace {

enum class Times : std::uint8_t { once, any };

// The processes of one role: members of groups, sources or targets. Sorts them, as a damaged
// executable may claim any number of processes, too many for a table of all.
void check_role(const char* role, ProcessGroup all, std::int64_t processes, Times times) {
  // A copy: sorting keeps the order of the executable's own list.
  std::ranges::sort(all);
  for (const ProcessId process : all)
    if (process.value < 0 || process.value >= processes)
      throw Error(ErrorKind::internal, fmt::format("{} {} is not a process: there are {}", role,
                                                   process.value, processes));
  const auto twice = std::ranges::adjacent_find(all);
  if (times == Times::once && twice != all.end())
    throw Error(ErrorKind::internal, fmt::format("process {} is a {} twice", twice->value, role));
}

void check_pairs(const std::vector<ProcessPair>& pairs, std::int64_t processes, Times times) {
  ProcessGroup sources, targets;
  for (const ProcessPair& pair : pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  check_role("source", std::move(sources), processes, times);
  check_role("target", std::move(targets), processes, times);
}

// Pieces of all members together are the whole, and all_to_all has a part for each member.
void check_size(const Collective& work, const Instruction& instruction, std::int64_t members) {
  const bool gathers = work.kind == CollectiveKind::all_gather;
  if (gathers || work.kind == CollectiveKind::reduce_scatter)
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
      const std::int64_t in = instruction.inputs[i].type.elements();
      // Gathered: the result has all members' pieces; scattered: the operand has.
      const std::int64_t out = instruction.outputs[i].type.elements();
      need(gathers ? out == checked_multiply(in, members) : in == checked_multiply(out, members),
           "the group size does not fit the shapes");
    }
  if (work.kind == CollectiveKind::all_to_all)
    need(members == 1 || work.split_count == members, "split count differs from the group size");
  if (work.kind == CollectiveKind::ragged_all_to_all)
    need(instruction.inputs[2].type.elements() % members == 0,
         "the group size does not divide the slices");
}

void check(const Collective& work, const Instruction& instruction, std::int64_t processes) {
  ProcessGroup members;
  for (const ProcessGroup& group : work.groups) {
    // An empty group has no first member, on whose board the others meet.
    need(!group.empty(), "a group is empty");
    members.insert(members.end(), group.begin(), group.end());
    check_size(work, instruction, static_cast<std::int64_t>(group.size()));
  }
  check_role("member", std::move(members), processes, Times::once);
  check_pairs(work.source_target, processes, Times::once);
}

// A process may send to several others on one channel.
void check(const Transfer& work, std::int64_t processes) {
  const std::vector<ProcessPair> host = {{kHostPeer, kHostPeer}};
  if (work.source_target != host) check_pairs(work.source_target, processes, Times::any);
}

}  // namespace

void check_groups(const Instruction& instruction, std::int64_t processes) {
  if (const auto* collective = std::get_if<Collective>(&instruction.work)) {
    check(*collective, instruction, processes);
  } else if (const auto* transfer = std::get_if<Transfer>(&instruction.work)) {
    check(*transfer, processes);
  }
}

}  // namespace understudy::program::passes
