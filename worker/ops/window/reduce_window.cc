// SPDX-License-Identifier: Apache-2.0
// reduce_window (StableHLO spec), by the first of three methods that applies: a running fold for
// cumulative reductions (O(n) instead of O(n^2)), kernels on rows for known reductions, the body on
// rows for everything else. Rows are described in window.cc.
#include <algorithm>
#include <cstring>

#include "program/ir/reductions.h"
#include "worker/chip/ops.h"
#include "worker/ops/cumulative.h"
#include "worker/ops/operands.h"
#include "worker/ops/window/padded_window.h"
#include "worker/ops/window/running_lines.h"
#include "worker/ops/window/window.h"

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::Reduction;
using program::kernels::BinaryKernel;

// The elementwise kernel of the same operation: windows of neighbouring outputs overlap, so rows
// are combined elementwise instead of folded.
BinaryKernel kernel_of(Reduction reduction, program::ElementType element,
                       const Execution& execution) {
  const std::optional<BinaryOp> op = program::function_of(reduction);
  return op ? execution.kernels->binary(*op, element) : nullptr;
}

// One input, a known reduction, and an initial value that may be combined any number of times
// above 0, as it is the reduction's identity or the reduction is idempotent: padding and positions
// without an element then need no work at all.
class KnownReduction {
 public:
  KnownReduction(const program::ReduceWindow& work, const Instruction& instruction,
                 Execution& execution)
      : work_(work),
        execution_(execution),
        input_(instruction.inputs[0]),
        init_(instruction.inputs[1]),
        output_(instruction.outputs[0]),
        bytes_(element_bytes(output_)),
        rows_(work.window, input_.type.shape, output_.type.shape) {
    kernel_ = instruction.outputs.size() == 1
                  ? kernel_of(work.reduction, output_.type.element, execution)
                  : nullptr;
  }

  bool applies() const {
    if (kernel_ == nullptr || input_.type.shape.empty()) return false;
    if (program::is_idempotent(work_.reduction)) return true;
    const auto identity = execution_.kernels->identity(work_.reduction, output_.type.element);
    if (identity == nullptr) return false;
    std::byte neutral[16] = {};
    identity(neutral);
    const std::byte* const init = execution_.address(init_.at);
    if (std::memcmp(neutral, init, bytes_) == 0) return true;
    // Either zero leaves a sum that starts with it unchanged.
    const std::byte zero[16] = {};
    return work_.reduction == Reduction::sum && std::memcmp(zero, init, bytes_) == 0;
  }

  void run() {
    const std::byte* const from = execution_.address(input_.at);
    std::byte* const to = execution_.writable(output_.at);
    if (const int direction = cumulative(); direction != 0) return run_cumulative(direction);
    if (run_padded(from, to)) return;
    // All outputs start from the initial value; each window position then combines one row into
    // them.
    replicate(execution_.address(init_.at), bytes_, to,
              static_cast<std::size_t>(output_.type.elements()));
    const std::size_t row_bytes =
        static_cast<std::size_t>(rows_.columns() * rows_.block()) * bytes_;
    std::byte* const packed = execution_.vmem->take(row_bytes);
    Counter row(rows_.outer());
    std::byte* out = to;
    for (bool more = !row.empty(); more; more = row.next(), out += row_bytes) {
      Counter position(rows_.positions());
      for (bool inside = !position.empty(); inside; inside = position.next())
        if (const auto run = rows_.run(row.at(), position.at())) fold(*run, from, packed, out);
    }
  }

 private:
  // Where rows would be packed anyway, or are short, many rows are packed at once; false where the
  // padded window does not fit. Combining the initial value again changes nothing.
  bool run_padded(const std::byte* from, std::byte* to) {
    if (rows_.block() > 1 && (work_.window.strides[rows_.axis()] == 1 || has_long_blocks()))
      return false;
    PaddedWindow padded = padded_window(work_.window, input_.type.shape, output_.type.shape);
    padded.at = from;
    if (!padded.is_input) {
      std::uint64_t bytes = bytes_;
      for (const std::int64_t size : padded.shape) bytes *= static_cast<std::uint64_t>(size);
      if (bytes > execution_.vmem->left() / 2) return false;
      std::byte* const at = execution_.vmem->take(bytes);
      fill_padded_window(work_.window, input_.type.shape, from, execution_.address(init_.at),
                         bytes_, padded, at);
      padded.at = at;
    }
    const WindowStep step{execution_.address(init_.at), kernel_,
                          sliding_fold(work_.reduction, output_.type.element)};
    reduce_padded_window(work_.window, padded, output_.type.shape, bytes_, step, to,
                         *execution_.vmem);
    return true;
  }

  // Whether a call of the kernel for each block takes less time than packing them.
  bool has_long_blocks() const {
    constexpr std::size_t kLong = 256;  // bytes
    return static_cast<std::size_t>(rows_.block()) * bytes_ >= kLong;
  }

  void fold(const Run& run, const std::byte* from, std::byte* packed, std::byte* row) {
    const std::size_t block = static_cast<std::size_t>(rows_.block()) * bytes_;
    const auto at = [&](std::int64_t element) {
      return from + element * static_cast<std::int64_t>(bytes_);
    };
    // Base dilation leaves gaps between the columns that meet an element: one call per block.
    // Otherwise the whole run is one call, after packing where the elements are strided and the
    // blocks are short.
    if (run.period > 1 || (run.step != rows_.block() && has_long_blocks())) {
      for (std::int64_t i = 0; i < run.count; ++i) {
        std::byte* const out = row + static_cast<std::size_t>(run.first + i * run.period) * block;
        kernel_(out, at(run.element + i * run.step), out, static_cast<std::size_t>(rows_.block()));
      }
      return;
    }
    std::byte* const out = row + static_cast<std::size_t>(run.first) * block;
    const std::byte* elements = at(run.element);
    if (run.step != rows_.block()) {
      const auto step = static_cast<std::size_t>(run.step) * bytes_;
      for (std::size_t i = 0; i < static_cast<std::size_t>(run.count); ++i)
        std::memcpy(packed + i * block, elements + i * step, block);
      elements = packed;
    }
    kernel_(out, elements, out, static_cast<std::size_t>(run.count * rows_.block()));
  }

  // Recognises the windows of cumulative reductions (jax.lax.cumsum lowers to one on TPU): 1 if
  // every window begins at the first element, -1 if every window ends at the last, 0 otherwise.
  int cumulative() const {
    const program::Window& window = work_.window;
    const std::size_t axis = rows_.axis();
    for (std::size_t d = 0; d < axis; ++d)
      if (!does_nothing(window, d)) return 0;
    const std::int64_t size = input_.type.shape[axis];
    if (window.dimensions[axis] != size || window.strides[axis] != 1 ||
        window.base_dilations[axis] != 1 || window.window_dilations[axis] != 1)
      return 0;
    if (window.padding_low[axis] == size - 1 && window.padding_high[axis] == 0) return 1;
    return window.padding_low[axis] == 0 && window.padding_high[axis] == size - 1 ? -1 : 0;
  }

  void run_cumulative(int direction) {
    const RunningLines lines{work_.reduction, output_.type.element,
                             static_cast<std::size_t>(rows_.block()), rows_.columns(),
                             direction > 0};
    run_lines(*execution_.kernels, lines,
              input_.type.elements() / (rows_.columns() * rows_.block()),
              execution_.address(input_.at), execution_.address(init_.at),
              execution_.writable(output_.at), *execution_.vmem);
  }

  const program::ReduceWindow& work_;
  Execution& execution_;
  const Operand& input_;
  const Operand& init_;
  const Operand& output_;
  std::size_t bytes_;
  Rows rows_;
  BinaryKernel kernel_ = nullptr;
};

// Any body, any number of inputs: combines as many rows as fill the lanes, or a part of a row. All
// windows of the batch take the same window position in one evaluation; where a window has no
// element there, it combines the initial value, as the spec says of padding.
class BodyReduction {
 public:
  BodyReduction(const program::ReduceWindow& work, const Instruction& instruction,
                Execution& execution)
      : instruction_(instruction),
        execution_(execution),
        inputs_(instruction.outputs.size()),
        rows_(work.window, instruction.inputs[0].type.shape, instruction.outputs[0].type.shape),
        body_(work.body, execution,
              static_cast<std::size_t>(instruction.outputs[0].type.elements())) {
    for (std::size_t i = 0; i < inputs_; ++i)
      accumulators_.push_back(execution.vmem->take(body_.lanes() * element_bytes(init(i))));
  }

  void run() {
    const std::int64_t row_size = rows_.columns() * rows_.block();
    const auto lanes = static_cast<std::int64_t>(body_.lanes());
    // Short rows are batched until they fill the lanes; a long row is cut into runs of `lanes`.
    const std::int64_t rows_at_once = std::max<std::int64_t>(1, lanes / row_size);
    Counter row(rows_.outer());
    for (bool more = !row.empty(); more;) {
      std::vector<Shape> batch;
      for (; more && static_cast<std::int64_t>(batch.size()) < rows_at_once; more = row.next())
        batch.push_back(row.at());
      if (row_size <= lanes) {
        fold(batch, 0, row_size);
      } else {
        for (std::int64_t begin = 0; begin < row_size; begin += lanes)
          fold(batch, begin, std::min(row_size, begin + lanes));
      }
    }
  }

 private:
  const Operand& init(std::size_t i) const { return instruction_.inputs[inputs_ + i]; }

  // Elements [begin, end) of each row of the batch.
  void fold(const std::vector<Shape>& batch, std::int64_t begin, std::int64_t end) {
    const std::size_t count = batch.size() * static_cast<std::size_t>(end - begin);
    for (std::size_t i = 0; i < inputs_; ++i)
      replicate(execution_.address(init(i).at), element_bytes(init(i)), accumulators_[i], count);
    Counter position(rows_.positions());
    for (bool inside = !position.empty(); inside; inside = position.next()) {
      for (std::size_t i = 0; i < inputs_; ++i) {
        const std::size_t bytes = element_bytes(init(i));
        std::memcpy(body_.parameter(i, count), accumulators_[i], count * bytes);
        // Every lane starts with the initial value; spread() overwrites those that have an element.
        std::byte* const in = body_.parameter(inputs_ + i, count);
        replicate(execution_.address(init(i).at), bytes, in, count);
        std::byte* to = in;
        for (const Shape& row : batch) {
          if (const auto run = rows_.run(row, position.at())) spread(*run, i, begin, end, to);
          to += static_cast<std::size_t>(end - begin) * bytes;
        }
      }
      body_.call(count);
      for (std::size_t i = 0; i < inputs_; ++i) body_.result(i, accumulators_[i], count);
    }
    for (std::size_t i = 0; i < inputs_; ++i) {
      const std::size_t bytes = element_bytes(instruction_.outputs[i]);
      std::memcpy(
          execution_.writable(instruction_.outputs[i].at) + static_cast<std::size_t>(done_) * bytes,
          accumulators_[i], count * bytes);
    }
    done_ += static_cast<std::int64_t>(count);
  }

  // Copies the elements of a run that fall into [begin, end) of the row to their lanes.
  void spread(const Run& run, std::size_t input, std::int64_t begin, std::int64_t end,
              std::byte* to) const {
    const std::size_t bytes = element_bytes(instruction_.inputs[input]);
    const std::byte* const from = execution_.address(instruction_.inputs[input].at);
    const std::int64_t block = rows_.block();
    const std::int64_t spacing = run.period * block;
    const std::int64_t start = run.first * block;
    // The first block that ends after `begin`.
    std::int64_t i = begin < start + block ? 0 : (begin - start - block) / spacing + 1;
    for (; i < run.count; ++i) {
      const std::int64_t place = start + i * spacing;
      const std::int64_t low = std::max(place, begin);
      const std::int64_t high = std::min(place + block, end);
      if (low >= end) return;
      std::memcpy(to + static_cast<std::size_t>(low - begin) * bytes,
                  from + static_cast<std::size_t>(run.element + i * run.step + low - place) * bytes,
                  static_cast<std::size_t>(high - low) * bytes);
    }
  }

  const Instruction& instruction_;
  Execution& execution_;
  std::size_t inputs_;
  Rows rows_;
  BodyCall body_;
  std::vector<std::byte*> accumulators_;
  std::int64_t done_ = 0;
};

}  // namespace

void run(const program::ReduceWindow& work, const Instruction& instruction, Execution& execution) {
  if (instruction.outputs[0].type.elements() == 0) return;
  const Vmem::Scope scope(*execution.vmem);
  if (KnownReduction known(work, instruction, execution); known.applies()) return known.run();
  if (run_cumulative(work, instruction, execution)) return;
  BodyReduction(work, instruction, execution).run();
}

}  // namespace understudy::worker::ops
