// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/cumulative.h"

#include <cstring>
#include <optional>
#include <vector>

#include "worker/ops/operands.h"
#include "worker/ops/window/window.h"

namespace understudy::worker::ops {
namespace {

struct RunningDirection {
  std::size_t dimension = 0;
  bool forward = true;
};

std::optional<RunningDirection> direction_of(const program::Window& window, const Shape& shape) {
  std::optional<RunningDirection> found;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (does_nothing(window, d)) continue;
    const std::int64_t size = shape[d];
    const bool whole = window.dimensions[d] == size && window.strides[d] == 1 &&
                       window.base_dilations[d] == 1 && window.window_dilations[d] == 1;
    const bool before = window.padding_low[d] == size - 1 && window.padding_high[d] == 0;
    const bool after = window.padding_low[d] == 0 && window.padding_high[d] == size - 1;
    if (found || !whole || (!before && !after)) return std::nullopt;
    found = RunningDirection{d, before};
  }
  return found;
}

class Cumulative {
 public:
  Cumulative(const program::ReduceWindow& work, const Instruction& instruction,
             Execution& execution, const RunningDirection& direction)
      : instruction_(instruction),
        execution_(execution),
        n_(instruction.outputs.size()),
        forward_(direction.forward),
        size_(instruction.inputs[0].type.shape[direction.dimension]),
        stride_(strides_of(instruction.inputs[0].type.shape)[direction.dimension]),
        lines_(instruction.inputs[0].type.elements() / size_),
        body_(work.body, execution, static_cast<std::size_t>(lines_)) {
    for (std::size_t i = 0; i < n_; ++i)
      sums_.push_back(execution.vmem->take(body_.lanes() * element_bytes(init(i))));
  }

  bool run() {
    const auto lanes = static_cast<std::int64_t>(body_.lanes());
    for (std::int64_t first = 0; first < lines_; first += lanes) {
      const std::int64_t count = std::min(lanes, lines_ - first);
      starts_.clear();
      for (std::int64_t line = first; line < first + count; ++line)
        starts_.push_back(line / stride_ * size_ * stride_ + line % stride_);
      if (!run_lines()) return false;
    }
    return true;
  }

 private:
  const Operand& init(std::size_t i) const { return instruction_.inputs[n_ + i]; }
  std::size_t count() const { return starts_.size(); }

  bool run_lines() {
    for (std::size_t i = 0; i < n_; ++i)
      replicate(execution_.address(init(i).at), element_bytes(init(i)), sums_[i], count());
    // Windows at the begin of a line combine initial values first.
    if (!ignores_padding()) return false;
    for (std::int64_t step = 0; step < size_; ++step) {
      const std::int64_t k = (forward_ ? step : size_ - 1 - step) * stride_;
      for (std::size_t i = 0; i < n_; ++i) {
        std::memcpy(body_.parameter(i, count()), sums_[i], count() * element_bytes(init(i)));
        move(i, k, body_.parameter(n_ + i, count()), true);
      }
      body_.call(count());
      for (std::size_t i = 0; i < n_; ++i) {
        body_.result(i, sums_[i], count());
        move(i, k, sums_[i], false);
      }
      // Windows at the end of a line combine them last.
      if (!forward_ && !ignores_padding()) return false;
    }
    return true;
  }

  // Whether combining the initial value changes no bit of the sums.
  bool ignores_padding() {
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t bytes = element_bytes(init(i));
      std::memcpy(body_.parameter(i, count()), sums_[i], count() * bytes);
      replicate(execution_.address(init(i).at), bytes, body_.parameter(n_ + i, count()), count());
    }
    body_.call(count());
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t bytes = count() * element_bytes(init(i));
      result_.resize(bytes);
      body_.result(i, result_.data(), count());
      if (std::memcmp(result_.data(), sums_[i], bytes) != 0) return false;
    }
    return true;
  }

  // Element k of every line between input or output i and a dense run.
  void move(std::size_t i, std::int64_t k, std::byte* run, bool gathers) const {
    const std::size_t bytes = element_bytes(init(i));
    const std::byte* const in = execution_.address(instruction_.inputs[i].at);
    std::byte* const out = execution_.writable(instruction_.outputs[i].at);
    for (const std::int64_t start : starts_) {
      const auto at = static_cast<std::size_t>(start + k) * bytes;
      if (bytes == 4) {
        std::memcpy(gathers ? run : out + at, gathers ? in + at : run, 4);
      } else {
        std::memcpy(gathers ? run : out + at, gathers ? in + at : run, bytes);
      }
      run += bytes;
    }
  }

  const Instruction& instruction_;
  Execution& execution_;
  std::size_t n_;
  bool forward_;
  std::int64_t size_, stride_, lines_;
  BodyCall body_;
  std::vector<std::byte*> sums_;
  std::vector<std::int64_t> starts_;  // first elements of the lines at hand
  std::vector<std::byte> result_;
};

}  // namespace

bool run_cumulative(const program::ReduceWindow& work, const Instruction& instruction,
                    Execution& execution) {
  const Shape& shape = instruction.inputs[0].type.shape;
  const auto direction = direction_of(work.window, shape);
  // The body must take and return the types of its inputs, so that sums can be fed back.
  for (std::size_t i = 0; i < instruction.outputs.size(); ++i)
    if (instruction.inputs[i].type != instruction.outputs[i].type) return false;
  return direction && Cumulative(work, instruction, execution, *direction).run();
}

}  // namespace understudy::worker::ops
