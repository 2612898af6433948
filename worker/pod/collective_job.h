// SPDX-License-Identifier: Apache-2.0
// Internal to PodCollectives.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "collectives/collectives.h"
#include "worker/pod/collectives.h"

namespace understudy::worker {

// One collective of one array: an operand, or a bucket as a whole.
struct PodCollectives::Work {
  const program::Collective& collective;
  const program::Operand& input;
  const program::Operand& output;
  const ProcessPlace& process;
  std::span<const std::byte> in = {};
  std::span<std::byte> out = {};
  collectives::Group group = {};  // of a member; unused by collective_permute
  collectives::CallSite site = {};
  std::unique_ptr<collectives::Reducer> reducer = nullptr;  // where the kind reduces
};

// The state of one bucket from its entry to its completion. Never moves: work and call hold
// references into it.
struct PodCollectives::Job {
  Job(const program::Collective& collective, const program::Instruction& of, Execution& in,
      const Bucket& operands, std::size_t where)
      : instruction(of),
        execution(in),
        bucket(operands),
        lane(where),
        input(of.inputs[operands[0]]),
        output(of.outputs[operands[0]]),
        work{.collective = collective,
             .input = input,
             .output = output,
             .process = execution.process} {
    if (is_together()) input.type = output.type = packing().type();
  }
  bool is_together() const { return bucket.size() > 1; }
  Packing packing() const { return {instruction, bucket}; }

  const program::Instruction& instruction;
  Execution& execution;
  const Bucket bucket;
  const std::size_t lane;  // 0: done at once
  program::Operand input, output;
  Work work;
  std::string place;                   // backs work.site.place unless a hook sets a better one
  std::span<std::byte> received = {};  // the result, where it is not received in its final place
  std::uint64_t ticket = 0;
  std::unique_ptr<collectives::UnderWay> call = nullptr;
};

}  // namespace understudy::worker
