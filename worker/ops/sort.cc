// SPDX-License-Identifier: Apache-2.0
// sort along one dimension with any comparator (StableHLO spec): sorts the places of a block of
// lines, then permutes every input accordingly.
#include <algorithm>
#include <cstring>
#include <vector>

#include "worker/chip/ops.h"
#include "worker/ops/merge_sort.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

constexpr std::int64_t kBlock =
    64 * 1024;  // places per block: enough to fill the lanes, 512 KiB of indices

// `places[k]` is the source of the k-th element of the sorted lines, `targets[k]` its destination.
void permute(const Instruction& instruction, Execution& execution,
             const std::vector<std::int64_t>& targets, const std::vector<std::int64_t>& places) {
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    const std::size_t bytes = element_bytes(instruction.inputs[i]);
    const std::byte* const from = execution.address(instruction.inputs[i].at);
    std::byte* const to = execution.writable(instruction.outputs[i].at);
    for (std::size_t k = 0; k < places.size(); ++k) {
      std::memcpy(to + static_cast<std::size_t>(targets[k]) * bytes,
                  from + static_cast<std::size_t>(places[k]) * bytes, bytes);
    }
  }
}

}  // namespace

void run(const program::Sort& work, const Instruction& instruction, Execution& execution) {
  const program::TensorType& type = instruction.inputs[0].type;
  if (type.elements() == 0) return;
  const auto dimension = static_cast<std::size_t>(work.dimension);
  const std::int64_t size = type.shape[dimension];
  const Shape strides = strides_of(type.shape);
  Shape others = type.shape;
  others[dimension] = 1;
  const Vmem::Scope scope(*execution.vmem);
  MergeSort sorter(work, instruction, execution);
  const std::int64_t lines_at_once = std::max<std::int64_t>(1, kBlock / size);
  Counter counter(others);
  std::vector<std::int64_t> targets, places;
  for (bool more = true; more;) {
    targets.clear();
    for (std::int64_t line = 0; more && line < lines_at_once; ++line, more = counter.next()) {
      std::int64_t first = 0;
      for (std::size_t d = 0; d < others.size(); ++d) first += counter.at()[d] * strides[d];
      for (std::int64_t k = 0; k < size; ++k) targets.push_back(first + k * strides[dimension]);
    }
    places = targets;
    sorter.sort(places, size);
    permute(instruction, execution, targets, places);
  }
}

}  // namespace understudy::worker::ops
