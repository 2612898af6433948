// SPDX-License-Identifier: Apache-2.0
// fft over the last dimensions (StableHLO spec; normalisation 1/n on the inverse kinds), one
// dimension after the other, in the precision of the elements.
#include <vector>

#include "worker/chip/ops.h"
#include "worker/ops/fft/fft_lines.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::FftKind;

std::size_t product_of(const Shape& shape, std::size_t first, std::size_t end) {
  std::size_t product = 1;
  for (std::size_t d = first; d < end; ++d) product *= static_cast<std::size_t>(shape[d]);
  return product;
}

// Runs the passes of one instruction. Complex results hold what is between passes; the spectrum
// behind a real result has an array of its own.
template <class Real>
class Passes {
 public:
  Passes(const program::Fft& work, const Instruction& instruction, Execution& execution)
      : work_(work),
        execution_(execution),
        in_(instruction.inputs[0].type.shape),
        out_(instruction.outputs[0].type.shape),
        from_(reinterpret_cast<const Real*>(execution.address(instruction.inputs[0].at))),
        to_(reinterpret_cast<Real*>(execution.writable(instruction.outputs[0].at))) {
    const bool to_real = work.kind == FftKind::irfft;
    // rfft transforms the last dimension first and cuts it, so that the others have half of the
    // work. irfft is its inverse and goes the other way round.
    shape_ = to_real ? in_ : out_;
    const std::size_t rank = in_.size(), count = work.length.size();
    if (!to_real) dimensions_.push_back(rank - 1);
    for (std::size_t d = rank - count; d + 1 < rank; ++d) dimensions_.push_back(d);
    if (to_real) dimensions_.push_back(rank - 1);
    if (to_real && count > 1) field_.resize(2 * product_of(shape_, 0, rank));
    between_ = field_.empty() ? to_ : field_.data();
  }

  void run(FftPlans& plans) {
    for (std::size_t i = 0; i < dimensions_.size(); ++i)
      run(dimensions_[i], i == 0, i + 1 == dimensions_.size(), plans);
  }

 private:
  void run(std::size_t d, bool is_first, bool is_last, FftPlans& plans) {
    const bool is_inner = d + 1 == shape_.size();
    const auto size = static_cast<std::size_t>(shape_[d]);
    FftLines<Real> lines;
    lines.kind = work_.kind;
    if (!is_inner && lines.kind == FftKind::rfft) lines.kind = FftKind::fft;
    if (!is_inner && lines.kind == FftKind::irfft) lines.kind = FftKind::ifft;
    lines.from = is_first ? from_ : between_;
    lines.to = is_last ? to_ : between_;
    lines.from_size = is_inner ? static_cast<std::size_t>(in_.back()) : size;
    lines.to_size = is_inner ? static_cast<std::size_t>(out_.back()) : size;
    lines.n = lines.kind == FftKind::irfft ? lines.to_size : lines.from_size;
    if (lines.n == 0) return;
    lines.outer = product_of(shape_, 0, d);
    lines.inner = product_of(shape_, d + 1, shape_.size());
    transform(lines, plans, execution_);
  }

  const program::Fft& work_;
  Execution& execution_;
  const Shape& in_;
  const Shape& out_;
  const Real* from_;
  Real* to_;
  Real* between_ = nullptr;
  Shape shape_;
  std::vector<std::size_t> dimensions_;
  std::vector<Real> field_;
};

}  // namespace

void run(const program::Fft& work, const Instruction& instruction, Execution& execution) {
  const Operand& output = instruction.outputs[0];
  if (output.type.elements() == 0) return;
  // A chip keeps its plans; without one they live as long as this call.
  std::shared_ptr<FftPlans> own;
  std::shared_ptr<FftPlans>& plans = execution.fft_plans != nullptr ? *execution.fft_plans : own;
  if (plans == nullptr) plans = std::make_shared<FftPlans>();
  const program::ElementType type = output.type.element;
  const bool wide = type == program::ElementType::f64 || type == program::ElementType::c128;
  wide ? Passes<double>(work, instruction, execution).run(*plans)
       : Passes<float>(work, instruction, execution).run(*plans);
}

}  // namespace understudy::worker::ops
