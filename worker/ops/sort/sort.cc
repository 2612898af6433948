// SPDX-License-Identifier: Apache-2.0
// sort along one dimension with any comparator (StableHLO spec): by keys where the comparator is an
// order of keys; else sorts the places of a block of lines, then permutes every input accordingly.
#include <algorithm>
#include <cstring>
#include <vector>

#include "worker/chip/ops.h"
#include "worker/ops/operands.h"
#include "worker/ops/sort/key_sort.h"
#include "worker/ops/sort/merge_sort.h"

namespace understudy::worker::ops {
namespace {

constexpr std::int64_t kBlock =
    64 * 1024;  // places per block: enough to fill the lanes, 512 KiB of indices

// `places` holds lines of `size` sources in order, `targets` lines of `kept` destinations.
void permute(const Instruction& instruction, Execution& execution,
             const std::vector<std::int64_t>& targets, std::size_t kept,
             const std::vector<std::int64_t>& places, std::size_t size) {
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    const std::size_t bytes = element_bytes(instruction.inputs[i]);
    const std::byte* const from = execution.address(instruction.inputs[i].at);
    std::byte* const to = execution.writable(instruction.outputs[i].at);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const std::size_t place = k / kept * size + k % kept;
      std::memcpy(to + static_cast<std::size_t>(targets[k]) * bytes,
                  from + static_cast<std::size_t>(places[place]) * bytes, bytes);
    }
  }
}

// Any comparator.
void sort_by_comparator(const program::Sort& work, const Instruction& instruction,
                        Execution& execution) {
  const program::TensorType& type = instruction.inputs[0].type;
  const auto dimension = static_cast<std::size_t>(work.dimension);
  const std::int64_t size = type.shape[dimension];
  const Shape strides = strides_of(type.shape);
  const Shape& out_shape = instruction.outputs[0].type.shape;
  const std::int64_t kept = out_shape[dimension];
  const Shape out_strides = strides_of(out_shape);
  Shape others = type.shape;
  others[dimension] = 1;
  const Vmem::Scope scope(*execution.vmem);
  MergeSort sorter(work, instruction, execution);
  const std::int64_t lines_at_once = std::max<std::int64_t>(1, kBlock / size);
  Counter counter(others);
  std::vector<std::int64_t> targets, places;
  for (bool more = true; more;) {
    targets.clear();
    places.clear();
    for (std::int64_t line = 0; more && line < lines_at_once; ++line, more = counter.next()) {
      std::int64_t from = 0, to = 0;
      for (std::size_t d = 0; d < others.size(); ++d) {
        from += counter.at()[d] * strides[d];
        to += counter.at()[d] * out_strides[d];
      }
      for (std::int64_t k = 0; k < size; ++k) places.push_back(from + k * strides[dimension]);
      for (std::int64_t k = 0; k < kept; ++k) targets.push_back(to + k * out_strides[dimension]);
    }
    sorter.sort(places, size);
    permute(instruction, execution, targets, static_cast<std::size_t>(kept), places,
            static_cast<std::size_t>(size));
  }
}

}  // namespace

void run(const program::Sort& work, const Instruction& instruction, Execution& execution) {
  if (instruction.outputs[0].type.elements() == 0) return;
  if (const auto keys = keys_of(work.comparator, execution))
    if (sort_by_keys(work, instruction, execution, *keys)) return;
  sort_by_comparator(work, instruction, execution);
}

}  // namespace understudy::worker::ops
