// SPDX-License-Identifier: Apache-2.0
#include "worker/hbm/capacity.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

#include "configs/base/diagnosis_id.h"
#include "configs/base/units.h"
#include "program/ir/sizes.h"

namespace understudy::worker {
namespace {

struct Share {
  std::string label;
  std::uint64_t bytes = 0;
};

// XLA's report ends with the largest buffers; ours lists the program's shares, largest first.
std::vector<Share> largest_of(const program::Executable& executable, std::size_t most) {
  std::vector<Share> shares = {{"temporaries", executable.temporary_bytes},
                               {"constants", executable.constants.size()}};
  const auto add = [&](const char* what, const std::vector<program::TensorType>& types) {
    for (std::size_t i = 0; i < types.size(); ++i)
      shares.push_back({fmt::format("{} {}, {}", what, i, text_of(types[i])),
                        static_cast<std::uint64_t>(types[i].bytes())});
  };
  add("argument", executable.arguments);
  add("result", executable.results);
  std::ranges::stable_sort(shares, std::greater{}, &Share::bytes);
  shares.resize(std::min(most, shares.size()));
  return shares;
}

// Saturating sums: shapes of a program may add up to more than 64 bits.
std::uint64_t bytes_of(const std::vector<program::TensorType>& types) {
  std::uint64_t bytes = 0;
  for (const program::TensorType& type : types)
    bytes = program::sum_of_bytes(bytes, static_cast<std::uint64_t>(type.bytes()));
  return bytes;
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

void check_plan_fits(const program::Executable& executable, const Hbm& hbm) {
  const std::uint64_t used = program::sum_of_bytes(executable.hbm_bytes(), hbm.reserved());
  const std::uint64_t there = hbm.capacity() + hbm.reserved();
  if (used <= there) return;
  Error error(ErrorKind::capacity,
              fmt::format("RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory "
                          "in memory space hbm. Used {} of {} hbm. Exceeded hbm capacity by {}.",
                          xla_size(used), xla_size(there), xla_size(used - there)));
  error.diagnosed(name_of(DiagnosisId::hbm_exceeded_at_compile));
  const std::uint64_t program = executable.temporary_bytes + executable.constants.size();
  error.note(fmt::format("Total hbm usage >= {}: reserved {}, program {}, arguments {}, output {}",
                         xla_size(used), xla_size(hbm.reserved()), xla_size(program),
                         xla_size(bytes_of(executable.arguments)),
                         xla_size(bytes_of(executable.results))));
  for (const Share& share : largest_of(executable, 3))
    error.note(fmt::format("{}: {}", xla_size(share.bytes), share.label));
  throw error;
}

std::byte* reserve_for_program(Hbm& hbm, std::uint64_t bytes, const std::string& label) {
  try {
    return hbm.allocate(bytes, label);
  } catch (const Error& why) {
    // All free bytes, even where fragmentation is what prevents the allocation.
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
