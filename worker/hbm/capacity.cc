// SPDX-License-Identifier: Apache-2.0
#include "worker/hbm/capacity.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "configs/base/diagnosis_id.h"
#include "configs/base/units.h"
#include "program/analysis/peak.h"
#include "program/executable/memory_plan.h"
#include "program/ir/sizes.h"

namespace understudy::worker {
namespace {

// An entry of the list of allocations with which XLA's report ends.
struct Share {
  std::uint64_t bytes = 0;
  std::string what;  // "argument 0", "stablehlo.dot_general at step.py:12:4"
  std::string shape;
  const char* type = "";  // of the allocation
};

std::vector<Share> largest_of(const program::Executable& executable, const PlaceOfOp& place_of,
                              std::size_t most) {
  std::vector<Share> shares = {{program::memory_plan(executable).code(), "code", "", "code"}};
  const auto add = [&](const char* what, const std::vector<program::TensorType>& types,
                       const std::vector<std::uint32_t>& on_host) {
    for (std::uint32_t i = 0; i < types.size(); ++i)
      // Host arguments use the host's memory; the indexes are sorted, as the pass wrote them.
      if (!std::ranges::binary_search(on_host, i))
        shares.push_back({static_cast<std::uint64_t>(types[i].bytes()),
                          fmt::format("{} {}", what, i), text_of(types[i]), what});
  };
  add("argument", executable.arguments, executable.host_arguments);
  add("result", executable.results, executable.host_results);
  for (const program::analysis::LiveBuffer& live :
       program::analysis::live_at_peak(executable.code)) {
    const std::string name =
        live.op < executable.op_names.size() ? executable.op_names[live.op] : "";
    const std::string place = place_of ? place_of(live.op) : "";
    shares.push_back({live.bytes, place.empty() ? name : name + " at " + place, text_of(live.type),
                      "temporary"});
  }
  std::ranges::stable_sort(shares, std::greater{}, &Share::bytes);
  shares.resize(std::min(most, shares.size()));
  return shares;
}

// What would make the program smaller, by what it uses most.
std::string advice_for(const program::Executable& executable, const program::MemoryPlan& plan) {
  std::vector<std::string> words;
  if (plan.temporaries >= plan.arguments && plan.temporaries >= plan.results) {
    words.emplace_back("use smaller batches");
    words.emplace_back("rematerialise (jax.checkpoint)");
    if (plan.host == 0) words.emplace_back("offload activations to pinned_host");
  }
  // Only where it would help.
  constexpr std::uint64_t kShare = 8;
  if (executable.donations.empty() && plan.results >= plan.hbm() / kShare)
    words.emplace_back("donate arguments that results replace (donate_argnums)");
  words.emplace_back("shard over more chips");
  words.emplace_back("use a chip with more HBM (understudy describe --list)");
  return fmt::format("try: {}", fmt::join(words, "; "));
}

// The operation whose result it is: of a fused loop, that of the step which writes it.
std::uint32_t op_of_output(const program::Instruction& instruction, std::size_t output) {
  const auto* const fused = std::get_if<program::Fused>(&instruction.work);
  if (fused == nullptr) return instruction.op;
  for (const program::Instruction& step : fused->steps)
    if (step.outputs[0].at.space == program::Space::result && step.outputs[0].at.index == output)
      return step.op;
  return instruction.op;
}

}  // namespace

std::string xla_size(std::uint64_t bytes) {
  // XLA prints two decimals and one letter: "15.75G".
  constexpr std::array<std::pair<std::uint64_t, const char*>, 3> kUnits = {
      {{kGiB, "G"}, {kMiB, "M"}, {kKiB, "K"}}};
  for (const auto& [unit, letter] : kUnits)
    if (bytes >= unit)
      return fmt::format("{:.2f}{}", static_cast<double>(bytes) / static_cast<double>(unit),
                         letter);
  return fmt::format("{}B", bytes);
}

std::optional<std::uint32_t> largest_op(const program::Code& code) {
  std::optional<std::uint32_t> largest;
  std::int64_t most = 0;
  // Loops and branches nest as deep as the compiler allows, 512.
  // Recursion is bounded by the compiler's limit on nesting.
  const auto look = [&](const program::Code& nested, const auto& self) -> void {
    for (const program::Instruction& instruction : nested) {
      for (std::size_t i = 0; i < instruction.outputs.size(); ++i) {
        const program::Operand& out = instruction.outputs[i];
        if (out.at.space == program::Space::temporary && out.type.bytes() > most) {
          most = out.type.bytes();
          largest = op_of_output(instruction, i);
        }
      }
      if (const auto* loop = std::get_if<program::While>(&instruction.work)) {
        self(loop->condition, self);
        self(loop->body, self);
      } else if (const auto* branch = std::get_if<program::Case>(&instruction.work)) {
        for (const program::Code& one : branch->branches) self(one, self);
      }
    }
  };
  look(code, look);
  return largest;
}

Error out_of_hbm(std::uint64_t used, std::uint64_t there) {
  // The words of XLA:TPU, so that scripts which search logs for them also find them here.
  return Error(ErrorKind::capacity,
               fmt::format("RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory "
                           "in memory space hbm. Used {} of {} hbm. Exceeded hbm capacity by {}.",
                           xla_size(used), xla_size(there), xla_size(used - there)))
      .diagnosed(name_of(DiagnosisId::hbm_exceeded_at_compile));
}

void check_plan_fits(const program::Executable& executable, const Hbm& hbm,
                     const PlaceOfOp& place_of) {
  constexpr std::size_t kShown = 5;
  const program::MemoryPlan plan = program::memory_plan(executable);
  // Capacity counts what programs may use; reserved memory belongs to the runtime, as on a TPU.
  const std::uint64_t used = program::sum_of_bytes(plan.hbm(), hbm.reserved());
  const std::uint64_t there = hbm.capacity() + hbm.reserved();
  if (used <= there) return;
  Error error = out_of_hbm(used, there);
  error.note(fmt::format("Total hbm usage >= {}: reserved {}, program {}, arguments {}",
                         xla_size(used), xla_size(hbm.reserved()),
                         xla_size(program::sum_of_bytes(plan.temporaries, plan.code())),
                         xla_size(plan.arguments)));
  error.note(fmt::format("Output size {}; shares {} with arguments", xla_size(plan.results),
                         xla_size(plan.donated)));
  error.note(fmt::format("Program hbm requirement {}: code {}, HLO temp {}",
                         xla_size(program::sum_of_bytes(plan.temporaries, plan.code())),
                         xla_size(plan.code()), xla_size(plan.temporaries)));
  std::string list = "Largest program allocations in hbm:";
  int number = 0;
  for (const Share& share : largest_of(executable, place_of, kShown))
    list += fmt::format("\n  {}. Size: {}; {}{}{}; Allocation type: {}", ++number,
                        xla_size(share.bytes), share.what,
                        share.shape.empty() ? "" : "; Shape: ", share.shape, share.type);
  error.note(list);
  // Advice last: it is the only line that XLA does not print.
  throw error.note(advice_for(executable, plan));
}

void check_host_fits(const program::Executable& executable, const HostMemory& host) {
  const std::uint64_t used = program::memory_plan(executable).host;
  if (used <= host.capacity()) return;
  throw Error(
      ErrorKind::capacity,
      fmt::format("RESOURCE_EXHAUSTED: Ran out of memory in memory space host. Used {} of "
                  "{} host memory of this chip. Exceeded it by {}.",
                  xla_size(used), xla_size(host.capacity()), xla_size(used - host.capacity())))
      .diagnosed(name_of(DiagnosisId::host_memory_exceeded))
      .note("try: keep more values in HBM; start fewer chips on each host");
}

std::byte* reserve_for_program(Hbm& hbm, std::uint64_t bytes, const std::string& label) {
  try {
    return hbm.allocate(bytes, label);
  } catch (const Error& why) {
    // All free bytes, even where fragmentation is what prevents the allocation.
    // The number of free bytes alone could exceed the request; the allocator's own notes name the
    // largest block.
    const std::uint64_t left = hbm.capacity() - hbm.used();
    Error error(ErrorKind::capacity,
                fmt::format("RESOURCE_EXHAUSTED: Error loading program: Attempting to reserve {} "
                            "for its {}. That was not possible. There are {} free, {} reserved.",
                            xla_size(bytes), label, xla_size(left), xla_size(hbm.reserved())));
    for (const std::string& note : why.notes()) error.note(note);
    throw error.diagnosed(name_of(DiagnosisId::program_does_not_load));
  }
}

}  // namespace understudy::worker
