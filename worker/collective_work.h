// SPDX-License-Identifier: Apache-2.0
// Internal to PodCollectives.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "collectives/collectives.h"
#include "worker/pod_collectives.h"

namespace understudy::worker {

// One collective of one array: an operand, or a company as a whole.
struct PodCollectives::Work {
  const program::Collective& collective;
  const program::Operand& input;
  const program::Operand& output;
  std::span<const std::byte> in;
  std::span<std::byte> out;
  const ProcessId& process;
  collectives::Group group;  // of a member; unused by collective_permute
  collectives::CallSite site;
  std::unique_ptr<collectives::Reducer> reducer;  // where the kind reduces
};

// A collective that was entered in a lane. Lies still: the call refers to it.
struct PodCollectives::Entered {
  Company company;
  const program::Instruction& instruction;
  Execution& execution;
  program::Operand input, output;  // of the whole
  std::optional<Work> work = std::nullopt;
  std::span<std::byte> received = {};  // what completes the result, where that is written elsewhere
  std::uint64_t ticket = 0;
  std::unique_ptr<collectives::UnderWay> call = nullptr;
};

}  // namespace understudy::worker
