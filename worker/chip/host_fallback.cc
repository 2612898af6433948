// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/host_fallback.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <variant>

#include "worker/chip/execution.h"

namespace understudy::worker {
namespace {

// "stablehlo.sort" and "aten::sort" are "sort".
// Frameworks and dialects prefix the same operation differently.
std::string_view bare(std::string_view name) {
  const std::size_t end = name.find_last_of(".:");
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

// Buffers of a body are interleaved in lanes and stay where they are. So do the results of a
// collective, which other chips write.
bool can_travel(const program::Operand& operand) {
  return operand.at.space != program::Space::frame;
}
bool is_collective(const program::Instruction& instruction) {
  return std::holds_alternative<program::Collective>(instruction.work) ||
         std::holds_alternative<program::CollectiveDone>(instruction.work) ||
         std::holds_alternative<program::Transfer>(instruction.work);
}

}  // namespace

HostFallback::HostFallback(const std::string& op) : name_(bare(op)) {}

void HostFallback::begin(const std::vector<std::string>& op_names) {
  taken_.assign(op_names.size(), false);
  for (std::size_t i = 0; i < taken_.size(); ++i) taken_[i] = bare(op_names[i]) == name_;
  times_before_ = times_;
}

bool HostFallback::takes(const program::Instruction& instruction) const {
  if (takes(instruction.op)) return true;
  const auto* const fused = std::get_if<program::Fused>(&instruction.work);
  return fused != nullptr &&
         std::ranges::any_of(fused->steps, [&](const auto& step) { return takes(step.op); });
}

// A real copy through host memory: the fault costs what a fallback costs.
void HostFallback::carry(std::span<const std::byte> bytes) {
  host_.assign(bytes.begin(), bytes.end());
}

void HostFallback::fetch(const program::Instruction& instruction, const Execution& execution) {
  ++times_;
  for (const program::Operand& input : instruction.inputs)
    if (can_travel(input))
      carry({execution.address(input.at), static_cast<std::size_t>(input.type.bytes())});
}

void HostFallback::put_back(const program::Instruction& instruction, Execution& execution) {
  if (is_collective(instruction)) return;
  for (const program::Operand& output : instruction.outputs) {
    if (!can_travel(output)) continue;
    const std::span<std::byte> there(execution.writable(output.at),
                                     static_cast<std::size_t>(output.type.bytes()));
    carry(there);
    std::ranges::copy(host_, there.begin());
  }
}

void HostFallback::end(std::span<std::byte> bytes) {
  if (times_ > times_before_) return;
  ++times_;
  carry(bytes);
  std::ranges::copy(host_, bytes.begin());
}

void HostFallback::add_to(std::map<std::string, std::int64_t>& counters) const {
  if (times_ > 0) counters["aten::" + name_] += times_;
}

}  // namespace understudy::worker
