// SPDX-License-Identifier: Apache-2.0
// The arrays of one chip that runs collectives, for their tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "collectives/fabric.h"
#include "program/executable/executable.h"
#include "program/kernels/kernels.h"
#include "worker/chip/execution.h"
#include "worker/chip/vmem.h"

namespace understudy::worker {

// Float operands in the order they are added, each an argument and a result of the execution.
// Arguments are fractions that differ by rank, operand and element, and whose sums round.
class ChipArrays {
 public:
  explicit ChipArrays(const collectives::Fabric& fabric)
      : rank_(static_cast<std::size_t>(fabric.transport.rank().value)) {
    execution_.process = {0, fabric.transport.rank().value, 1, fabric.transport.size()};
    execution_.vmem = &vmem_;
    execution_.kernels = &program::kernels::select("");
  }
  ChipArrays(const ChipArrays&) = delete;
  ChipArrays& operator=(const ChipArrays&) = delete;

  void add(const program::TensorType& input, const program::TensorType& output) {
    std::vector<float> values(static_cast<std::size_t>(input.elements()));
    const std::size_t operand = inputs_.size() + 1;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = 1.0F / static_cast<float>(3 + i + 17 * rank_ + 5 * operand);
    inputs_.push_back(std::move(values));
    outputs_.emplace_back(static_cast<std::size_t>(output.elements()), -1.0F);
    // A vector that moves keeps its memory, so these stay.
    execution_.arguments.push_back(reinterpret_cast<const std::byte*>(inputs_.back().data()));
    execution_.results.push_back(reinterpret_cast<std::byte*>(outputs_.back().data()));
  }
  void forget_results() {
    for (auto& output : outputs_) std::fill(output.begin(), output.end(), -1.0F);
  }
  Execution& execution() { return execution_; }
  const std::vector<std::vector<float>>& results() const { return outputs_; }

 private:
  const std::size_t rank_;
  Vmem vmem_{1 << 20};
  std::vector<std::vector<float>> inputs_, outputs_;
  Execution execution_;
};

}  // namespace understudy::worker
