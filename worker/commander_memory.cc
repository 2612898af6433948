// SPDX-License-Identifier: Apache-2.0
// Buffers of a chip, and the account of its memory: what the plan says before each launch, and what
// was observed.
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "program/ir/sizes.h"
#include "worker/commander.h"

namespace understudy::worker {

void Commander::hold(BufferName name, const program::TensorType& type, const std::string& label,
                     bool on_host) {
  // Every buffer is created here or continues in another, so this is the one place for the gate.
  setup_.gates.require(configs::Phase::tensors_allowed, "a tensor");
  UNDERSTUDY_ASSERT(!buffers_.contains(name));
  const auto bytes = static_cast<std::uint64_t>(type.bytes());
  std::byte* const start =
      on_host ? host_memory_.allocate(bytes, label) : setup_.chip.hbm.allocate(bytes, label);
  poison(start, bytes);
  buffers_[name] = {type, start, on_host};
  ++counts_.data_handles_created;
}

void Commander::on(const PutBuffer& command, CommandSource& /*source*/) {
  if (command.data->size() != static_cast<std::size_t>(command.type.bytes())) {
    throw Error(ErrorKind::input, fmt::format("{} has {} bytes, expected {}", text_of(command.type),
                                              command.data->size(), command.type.bytes()));
  }
  hold(command.buffer, command.type, "an argument", command.on_host);
  std::byte* const start = held(command.buffer).start;
  if (command.on_host) {
    std::ranges::copy(*command.data, start);
  } else {
    pcie_.to_chip(start, command.data->data(), command.data->size());
  }
}

void Commander::on(const FreeBuffer& command, CommandSource& /*source*/) {
  release(command.buffer);
}

// Bytes that no program has written yet, or may read any more.
void Commander::poison(std::byte* start, std::uint64_t bytes) const {
  if (setup_.poison) std::memset(start, program::kPoisonByte, bytes);
}

void Commander::release(BufferName name) {
  const Held& buffer = held(name);
  poison(buffer.start, static_cast<std::uint64_t>(buffer.type.bytes()));
  buffer.on_host ? host_memory_.free(buffer.start) : setup_.chip.hbm.free(buffer.start);
  buffers_.erase(name);
  ++counts_.data_handles_destroyed;
}

// A carried result may come from the other memory than the argument has.
const Commander::Held& Commander::settle(BufferName name, bool on_host) {
  const Held& there = held(name);
  if (there.on_host == on_host) return there;
  const Held before = there;
  const auto bytes = static_cast<std::size_t>(before.type.bytes());
  std::byte* const start = on_host ? host_memory_.allocate(bytes, "an argument")
                                   : setup_.chip.hbm.allocate(bytes, "an argument");
  on_host ? pcie_.to_host(start, before.start, bytes) : pcie_.to_chip(start, before.start, bytes);
  before.on_host ? host_memory_.free(before.start) : setup_.chip.hbm.free(before.start);
  return buffers_[name] = {before.type, start, on_host};
}

// A result reuses the memory of its argument where the compiler allows it, the source gives
// the argument up, and no other argument is the same buffer. What is given up is gone afterwards.
void Commander::hold_results(const Loaded& loaded, const Execute& command) {
  const program::Executable& executable = loaded.executable;
  std::vector<bool> continues(command.results.size(), false);
  for (const program::Donation& one : executable.donations) {
    const BufferName argument = command.arguments[one.argument];
    // The search for NaN looks at operands again after an instruction.
    if (watch_ || std::ranges::count(command.donated, one.argument) == 0 ||
        std::ranges::count(command.arguments, argument) != 1)
      continue;
    const Held buffer = held(argument);
    buffers_.erase(argument);
    buffers_[command.results[one.result]] = {executable.results[one.result], buffer.start, false};
    continues[one.result] = true;
  }
  for (std::size_t i = 0; i < command.results.size(); ++i)
    if (!continues[i])
      hold(command.results[i], executable.results[i], loaded.result_labels[i],
           std::ranges::binary_search(executable.host_results, static_cast<std::uint32_t>(i)));
}

// A program was loaded: its launch needs at least this.
void Commander::note_plan(const program::MemoryPlan& plan) {
  if (plan.hbm() < memory_.hbm_predicted) return;
  memory_.hbm_predicted = plan.hbm();
  memory_.hbm_conditional = plan.conditional;
  memory_.hbm_regions = plan.regions;
}

// The need of the launch that comes: its own, and what the run keeps beside it, such as the code of
// other programs. From types and plans alone, not from the allocator. *Requires*: its arguments and
// results are held.
void Commander::predict(const Loaded& loaded) {
  std::uint64_t bytes = loaded.memory.temporaries;
  for (const auto& [name, program] : programs_)
    bytes = program::sum_of_bytes(bytes, program.memory.code());
  std::uint64_t host_bytes = loaded.executable.host_temporary_bytes;
  for (const auto& [name, buffer] : buffers_) {
    std::uint64_t& sum = buffer.on_host ? host_bytes : bytes;
    sum = program::sum_of_bytes(sum, static_cast<std::uint64_t>(buffer.type.bytes()));
  }
  memory_.host_predicted = std::max(memory_.host_predicted.value_or(0), host_bytes);
  if (bytes < memory_.hbm_predicted) return;
  memory_.hbm_predicted = bytes;
  memory_.hbm_conditional = loaded.memory.conditional;
  const auto on_chip = [](const auto& one) { return !one.second.on_host; };
  memory_.hbm_regions =
      programs_.size() + static_cast<std::size_t>(std::ranges::count_if(buffers_, on_chip)) + 1;
}

configs::MemorySeen Commander::memory_seen() const {
  configs::MemorySeen seen = memory_;
  const Hbm& hbm = setup_.chip.hbm;
  seen.hbm_allocated = std::max(hbm.peak(), client_peak_);
  seen.hbm_capacity = hbm.capacity();
  seen.hbm_observed = *seen.hbm_allocated;
  if (const auto populated = setup_.populated ? setup_.populated() : std::nullopt) {
    seen.hbm_observed = populated->bytes;
    seen.page_bytes = populated->page_bytes;
  }
  if (memory_.host_predicted.value_or(0) > 0) {
    seen.host_capacity = host_memory_.capacity();
    seen.host_observed = host_memory_.peak();
    if (const auto populated = host_memory_.populated()) seen.host_observed = populated->bytes;
  }
  // A host process places its buffers itself: only the largest of its programs is predicted.
  if (client_peak_ > 0) seen.hbm_regions.reset();
  return seen;
}

}  // namespace understudy::worker
