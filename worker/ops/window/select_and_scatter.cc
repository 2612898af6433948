// SPDX-License-Identifier: Apache-2.0
// select_and_scatter (StableHLO spec): selects one element of each window by `select`, then
// combines the window's source value into the result at that element by `scatter`. The selections
// of a row of windows are evaluated side by side, in registers (select_windows.h) or in lanes of
// the body. Scattering is sequential, because several windows may have selected the same element.
#include <algorithm>
#include <cstring>
#include <vector>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"
#include "worker/ops/window/select_windows.h"
#include "worker/ops/window/window.h"

namespace understudy::worker::ops {
namespace {

constexpr std::int64_t kNone = -1;

class SelectAndScatter {
 public:
  SelectAndScatter(const program::SelectAndScatter& work, const Instruction& instruction,
                   Execution& execution)
      : operand_(instruction.inputs[0]),
        bytes_(element_bytes(operand_)),
        out_bytes_(element_bytes(instruction.outputs[0])),
        values_(execution.address(operand_.at)),
        source_(execution.address(instruction.inputs[1].at)),
        result_(execution.writable(instruction.outputs[0].at)),
        rows_(work.window, operand_.type.shape, instruction.inputs[1].type.shape),
        select_(work.select, execution,
                static_cast<std::size_t>(instruction.inputs[1].type.elements())),
        scatter_(work.scatter, execution, 1) {
    // The operand is read after the result is written: they may not share memory.
    UNDERSTUDY_ASSERT(result_ != values_);
  }

  void run() {
    const std::int64_t row_size = rows_.columns() * rows_.block();
    const auto lanes = static_cast<std::int64_t>(select_.lanes());
    Counter row(rows_.outer());
    for (bool more = !row.empty(); more; more = row.next()) {
      kept_.assign(static_cast<std::size_t>(row_size), kNone);
      select(row.at(), lanes);
      for (const std::int64_t element : kept_) scatter(element);
    }
  }

 private:
  void select(const Shape& row, std::int64_t lanes) {
    Counter position(rows_.positions());
    for (bool inside = !position.empty(); inside; inside = position.next()) {
      const auto run = rows_.run(row, position.at());
      if (!run) continue;
      for (std::int64_t i = 0; i < run->count; ++i)
        for (std::int64_t j = 0; j < rows_.block(); ++j)
          compare((run->first + i * run->period) * rows_.block() + j,
                  run->element + i * run->step + j, lanes);
      decide();
    }
  }

  // Window `window` of the row has `element` in it. The first element is selected without a call;
  // later ones are queued until the lanes are full.
  void compare(std::int64_t window, std::int64_t element, std::int64_t lanes) {
    if (kept_[static_cast<std::size_t>(window)] == kNone) {
      kept_[static_cast<std::size_t>(window)] = element;
      return;
    }
    windows_.push_back(window);
    elements_.push_back(element);
    if (static_cast<std::int64_t>(windows_.size()) == lanes) decide();
  }

  // Evaluates the queue: the selected element stays where select(kept, candidate) is true. A window
  // occurs at most once per position, so the lanes are independent.
  void decide() {
    const std::size_t count = windows_.size();
    if (count == 0) return;
    std::byte* const kept = select_.parameter(0, count);
    std::byte* const candidate = select_.parameter(1, count);
    for (std::size_t i = 0; i < count; ++i) {
      copy(kept_[static_cast<std::size_t>(windows_[i])], kept + i * bytes_);
      copy(elements_[i], candidate + i * bytes_);
    }
    select_.call(count);
    answers_.resize(count);
    select_.result(0, answers_.data(), count);
    for (std::size_t i = 0; i < count; ++i)
      if (answers_[i] == std::byte{0}) kept_[static_cast<std::size_t>(windows_[i])] = elements_[i];
    windows_.clear();
    elements_.clear();
  }

  void copy(std::int64_t element, std::byte* to) const {
    std::memcpy(to, values_ + static_cast<std::size_t>(element) * bytes_, bytes_);
  }

  // Combines the next source value into the element that its window selected; nothing where the
  // window has only padding.
  void scatter(std::int64_t element) {
    const std::byte* const source = source_;
    source_ += out_bytes_;
    if (element == kNone) return;
    std::byte* const to = result_ + static_cast<std::size_t>(element) * out_bytes_;
    std::memcpy(scatter_.parameter(0, 1), source, out_bytes_);
    std::memcpy(scatter_.parameter(1, 1), to, out_bytes_);
    scatter_.call(1);
    scatter_.result(0, to, 1);
  }

  const Operand& operand_;
  std::size_t bytes_, out_bytes_;
  const std::byte* values_;
  const std::byte* source_;  // of the next window
  std::byte* result_;
  Rows rows_;
  BodyCall select_, scatter_;
  std::vector<std::int64_t> kept_;                // by window of the row
  std::vector<std::int64_t> windows_, elements_;  // to decide on
  std::vector<std::byte> answers_;
};

// Selections by a comparison of floats, and sums or a body for what was selected.
class VectorSelection {
 public:
  VectorSelection(const program::SelectAndScatter& work, const Instruction& instruction,
                  Execution& execution, SelectWindowsKernel kernel)
      : kernel_(kernel),
        bytes_(element_bytes(instruction.outputs[0])),
        operand_(execution.address(instruction.inputs[0].at)),
        source_(execution.address(instruction.inputs[1].at)),
        result_(execution.writable(instruction.outputs[0].at)),
        rows_(work.window, instruction.inputs[0].type.shape, instruction.inputs[1].type.shape),
        add_(execution.kernels->binary(program::BinaryOp::add,
                                       instruction.outputs[0].type.element)) {
    UNDERSTUDY_ASSERT(result_ != operand_);
    const auto size = static_cast<std::uint64_t>(row_size());
    kept_ = {execution.vmem->take_as<float>(size), execution.vmem->take_as<std::int32_t>(size)};
  }

  void run() {
    Counter row(rows_.outer());
    for (bool more = !row.empty(); more; more = row.next()) {
      std::fill_n(kept_.places, row_size(), std::int32_t{kNone});
      std::fill_n(kept_.values, row_size(), 0.0F);
      Counter position(rows_.positions());
      for (bool inside = !position.empty(); inside; inside = position.next())
        if (const auto run = rows_.run(row.at(), position.at()))
          kernel_(operand_, *run, rows_.block(), kept_);
      scatter();
      source_ += static_cast<std::size_t>(row_size()) * bytes_;
    }
  }

 private:
  std::int64_t row_size() const { return rows_.columns() * rows_.block(); }

  void scatter() {
    for (std::int64_t i = 0; i < row_size(); ++i) {
      if (kept_.places[i] == kNone) continue;  // the window has only padding
      std::byte* const to = result_ + static_cast<std::size_t>(kept_.places[i]) * bytes_;
      const std::byte* const from = source_ + static_cast<std::size_t>(i) * bytes_;
      add_(from, to, to, 1);
    }
  }

  SelectWindowsKernel kernel_;
  std::size_t bytes_;
  const std::byte* operand_;
  const std::byte* source_;  // of the present row of windows
  std::byte* result_;
  Rows rows_;
  program::kernels::BinaryKernel add_;
  SelectedRow kept_;
};

// Elements of a row of windows.
std::uint64_t row_of(const program::SelectAndScatter& work, const Instruction& instruction) {
  const Rows rows(work.window, instruction.inputs[0].type.shape, instruction.inputs[1].type.shape);
  return static_cast<std::uint64_t>(rows.columns() * rows.block());
}

}  // namespace

void run(const program::SelectAndScatter& work, const Instruction& instruction,
         Execution& execution) {
  const Operand& init = instruction.inputs[2];
  const Operand& out = instruction.outputs[0];
  replicate(execution.address(init.at), element_bytes(out), execution.writable(out.at),
            static_cast<std::size_t>(out.type.elements()));
  if (out.type.elements() == 0 || instruction.inputs[1].type.elements() == 0) return;
  const Vmem::Scope scope(*execution.vmem);
  const SelectWindowsKernel kernel = select_windows_kernel(work.select, instruction.inputs[0].type);
  const std::uint64_t room = execution.vmem->left() / (4 * sizeof(float));
  if (kernel != nullptr && work.reduction == program::Reduction::sum &&
      row_of(work, instruction) < room) {
    VectorSelection(work, instruction, execution, kernel).run();
  } else {
    SelectAndScatter(work, instruction, execution).run();
  }
}

}  // namespace understudy::worker::ops
