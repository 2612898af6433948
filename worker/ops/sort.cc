// SPDX-License-Identifier: Apache-2.0
// sort along one dimension with any comparator (StableHLO spec): a stable merge sort of the places
// of a line, then every input follows the same permutation. Merge sort calls the comparator about
// n log2 n times and stays inside its range whatever the comparator answers.
#include <cstring>
#include <numeric>
#include <vector>

#include "worker/ops/operands.h"
#include "worker/ops/ops.h"

namespace understudy::worker::ops {
namespace {

// One line of every input, gathered densely, and the comparator on its elements.
class Line {
 public:
  Line(const program::Sort& work, const Instruction& instruction, Execution& execution)
      : instruction_(instruction),
        execution_(execution),
        before_(work.comparator, execution, 1),
        size_(instruction.inputs[0].type.shape[static_cast<std::size_t>(work.dimension)]) {
    const auto n = static_cast<std::size_t>(size_);
    for (const Operand& input : instruction.inputs) {
      elements_.push_back(execution.vmem->take(n * element_bytes(input)));
    }
    order_.resize(n);
    merged_.resize(n);
  }

  // `first` is the flat index of the line's first element, `stride` the step along the line.
  void sort(std::int64_t first, std::int64_t stride) {
    for (std::size_t i = 0; i < elements_.size(); ++i) gather(i, first, stride);
    std::iota(order_.begin(), order_.end(), 0);
    for (std::int64_t width = 1; width < size_; width *= 2) {
      for (std::int64_t low = 0; low < size_; low += 2 * width) {
        merge(low, std::min(low + width, size_), std::min(low + 2 * width, size_));
      }
      order_.swap(merged_);
    }
    for (std::size_t i = 0; i < elements_.size(); ++i) scatter(i, first, stride);
  }

 private:
  void gather(std::size_t i, std::int64_t first, std::int64_t stride) {
    const std::size_t bytes = element_bytes(instruction_.inputs[i]);
    const std::byte* const from = execution_.address(instruction_.inputs[i].at);
    for (std::int64_t k = 0; k < size_; ++k) {
      std::memcpy(elements_[i] + static_cast<std::size_t>(k) * bytes,
                  from + static_cast<std::size_t>(first + k * stride) * bytes, bytes);
    }
  }

  void scatter(std::size_t i, std::int64_t first, std::int64_t stride) {
    const std::size_t bytes = element_bytes(instruction_.outputs[i]);
    std::byte* const to = execution_.writable(instruction_.outputs[i].at);
    for (std::int64_t k = 0; k < size_; ++k) {
      std::memcpy(
          to + static_cast<std::size_t>(first + k * stride) * bytes,
          elements_[i] + static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]) * bytes,
          bytes);
    }
  }

  bool is_before(std::int64_t a, std::int64_t b) {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const std::size_t bytes = element_bytes(instruction_.inputs[i]);
      std::memcpy(before_.parameter(2 * i, 1), elements_[i] + static_cast<std::size_t>(a) * bytes,
                  bytes);
      std::memcpy(before_.parameter(2 * i + 1, 1),
                  elements_[i] + static_cast<std::size_t>(b) * bytes, bytes);
    }
    before_.call(1);
    return *before_.result(0) != std::byte{0};
  }

  // order_[low, middle) and order_[middle, high) into merged_[low, high); the left wins ties.
  void merge(std::int64_t low, std::int64_t middle, std::int64_t high) {
    std::int64_t left = low;
    std::int64_t right = middle;
    for (std::int64_t k = low; k < high; ++k) {
      const bool from_right =
          left == middle || (right < high && is_before(order_[static_cast<std::size_t>(right)],
                                                       order_[static_cast<std::size_t>(left)]));
      merged_[static_cast<std::size_t>(k)] =
          order_[static_cast<std::size_t>(from_right ? right++ : left++)];
    }
  }

  const Instruction& instruction_;
  Execution& execution_;
  BodyCall before_;
  std::int64_t size_;
  std::vector<std::byte*> elements_;
  std::vector<std::int64_t> order_, merged_;
};

}  // namespace

void run(const program::Sort& work, const Instruction& instruction, Execution& execution) {
  Shape others = instruction.inputs[0].type.shape;
  const auto dimension = static_cast<std::size_t>(work.dimension);
  if (instruction.inputs[0].type.elements() == 0) return;
  const Shape strides = strides_of(others);
  others[dimension] = 1;
  const Vmem::Scope scope(*execution.vmem);
  Line line(work, instruction, execution);
  Counter counter(others);
  for (bool more = !counter.empty(); more; more = counter.next()) {
    std::int64_t first = 0;
    for (std::size_t d = 0; d < others.size(); ++d) first += counter.at()[d] * strides[d];
    line.sort(first, strides[dimension]);
  }
}

}  // namespace understudy::worker::ops
