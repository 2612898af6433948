// SPDX-License-Identifier: Apache-2.0
#include "program/executable/memory_plan.h"

#include <algorithm>
#include <utility>

#include "program/ir/sizes.h"

namespace understudy::program {
namespace {

std::uint64_t bytes_of(const std::vector<TensorType>& types) {
  std::uint64_t bytes = 0;
  for (const TensorType& type : types)
    bytes = sum_of_bytes(bytes, static_cast<std::uint64_t>(type.bytes()));
  return bytes;
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
  return sum_of_bytes(sum_of_bytes(arguments, results), sum_of_bytes(temporaries, code()));
}

MemoryPlan memory_plan(const Executable& executable) {
  MemoryPlan plan;
  plan.arguments = bytes_of(executable.arguments);
  plan.results = bytes_of(executable.results);
  plan.temporaries = executable.temporary_bytes;
  plan.constants = executable.constants.size();
  plan.instructions = instruction_bytes(executable.code);
  // Without control flow the whole scratch is written: the placement leaves no gap larger than its
  // alignment.
  if (branches(executable.code))
    plan.conditional =
        plan.temporaries - std::min(plan.temporaries, certain_bytes(executable.code));
  plan.regions = executable.arguments.size() + executable.results.size() + 2;
  return plan;
}

}  // namespace understudy::program
