// SPDX-License-Identifier: Apache-2.0
#include "program/executable/memory_plan.h"

#include <algorithm>
#include <utility>

#include "program/ir/sizes.h"

namespace understudy::program {
namespace {

// Adds to `hbm`, or to `host` what is listed there. `in_host` is ascending.
void add(const std::vector<TensorType>& types, const std::vector<std::uint32_t>& in_host,
         std::uint64_t& hbm, std::uint64_t& host) {
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    std::uint64_t& sum = std::ranges::binary_search(in_host, i) ? host : hbm;
    sum = sum_of_bytes(sum, static_cast<std::uint64_t>(types[i].bytes()));
  }
}

// The bytes of the scratch that instructions outside of branches and loops write. What a loop
// carries is written before it begins, and every branch writes its results.
std::uint64_t certain_bytes(const Code& code) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // begin, end
  for (const Instruction& instruction : code)
    for (const Operand& out : instruction.outputs)
      if (out.at.space == Space::temporary)
        ranges.emplace_back(out.at.offset,
                            out.at.offset + static_cast<std::uint64_t>(out.type.bytes()));
  std::ranges::sort(ranges);
  std::uint64_t bytes = 0, end = 0;
  for (const auto& [first, last] : ranges) {
    if (last > end) bytes += last - std::max(first, end);
    end = std::max(end, last);
  }
  return bytes;
}

bool branches(const Code& code) {
  return std::ranges::any_of(code, [](const Instruction& one) {
    return std::holds_alternative<While>(one.work) || std::holds_alternative<Case>(one.work);
  });
}

}  // namespace

std::uint64_t MemoryPlan::code() const { return sum_of_bytes(constants, instructions); }

std::uint64_t MemoryPlan::hbm() const {
  return sum_of_bytes(sum_of_bytes(arguments, results - donated),
                      sum_of_bytes(temporaries, code()));
}

MemoryPlan memory_plan(const Executable& executable) {
  MemoryPlan plan;
  add(executable.arguments, executable.host_arguments, plan.arguments, plan.host);
  add(executable.results, executable.host_results, plan.results, plan.host);
  plan.host = sum_of_bytes(plan.host, executable.host_temporary_bytes);
  for (const Donation& donation : executable.donations)
    plan.donated += static_cast<std::uint64_t>(executable.results[donation.result].bytes());
  plan.temporaries = executable.temporary_bytes;
  plan.constants = executable.constants.size();
  plan.instructions = instruction_bytes(executable.code);
  // Without control flow the whole scratch is written: the placement leaves no gap larger than its
  // alignment.
  if (branches(executable.code))
    plan.conditional =
        plan.temporaries - std::min(plan.temporaries, certain_bytes(executable.code));
  plan.regions = executable.arguments.size() + executable.results.size() + 2 -
                 executable.donations.size() - executable.host_arguments.size() -
                 executable.host_results.size();
  return plan;
}

}  // namespace understudy::program
