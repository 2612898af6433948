// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/element_sums.h"

#include <algorithm>

#include "program/ir/reductions.h"
#include "program/kernels/kernels.h"
#include "worker/chip/mxu/mxu.h"
#include "worker/ops/machine_code/forms.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops::machine {
namespace {

using program::BinaryOp;
using program::ElementType;
using program::Instruction;
using program::Shape;
using Of = SumElement::Of;
using Steps = std::vector<SumStep>;

// Appends steps of one type.
class SumWriter {
 public:
  explicit SumWriter(ElementType type) : type_(type) {}

  // Whether the function has a form.
  bool knows(BinaryOp op) const { return form(op).has_value(); }
  SumElement combined(BinaryOp op, const SumElement& a, const SumElement& b) {
    const SumElement out{Of::temporary, temporaries_++};
    steps_.push_back({*form(op), {a, b}, out});
    return out;
  }
  // One operand with another form.
  SumElement converted(Emit emit, const SumElement& x) {
    const SumElement out{Of::temporary, temporaries_++};
    Simple form = copy_of(type_);
    form.emit = emit;
    steps_.push_back({form, {x, {}}, out});
    return out;
  }
  // The last value is an element of the result.
  void store(std::size_t number) { steps_.back().out = {Of::result, number}; }
  Steps take() { return std::move(steps_); }

 private:
  std::optional<Simple> form(BinaryOp op) const {
    const program::TensorType one{type_, {}};
    const program::Operand operand{{}, one};
    return form_of({program::Binary{op}, {operand, operand}, {operand}, 0});
  }

  ElementType type_;
  Steps steps_;
  std::size_t temporaries_ = 0;
};

// As the fold of one row (program/kernels/fold_rows.inl.h): element l joins element l - half.
constexpr std::size_t kFoldLanes = 16;
SumElement folded(SumWriter& writer, BinaryOp op, std::vector<SumElement> lanes) {
  for (std::size_t half = kFoldLanes / 2; half > 0; half /= 2) {
    for (std::size_t l = half; l < lanes.size(); ++l)
      lanes[l - half] = writer.combined(op, lanes[l - half], lanes[l]);
    lanes.resize(std::min(lanes.size(), half));
  }
  return lanes[0];
}

// Whether no dimension behind those has more than one element.
bool are_last(const Shape& dimensions, const Shape& shape) {
  bool has_kept = false;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const bool is_reduced =
        std::ranges::find(dimensions, static_cast<std::int64_t>(d)) != dimensions.end();
    if (is_reduced && has_kept && shape[d] != 1) return false;
    has_kept = has_kept || (!is_reduced && shape[d] != 1);
  }
  return true;
}

// Of the last dimensions, whose elements are side by side.
std::optional<Steps> sums_of(const program::Reduce& work, const Instruction& part) {
  if (part.inputs.size() != 2) return std::nullopt;
  const program::TensorType &in = part.inputs[0].type, &out = part.outputs[0].type;
  const auto op = program::function_of(work.reduction);
  SumWriter writer(in.element);
  if (!op || in.element != out.element || !kind_of(in.element) || !writer.knows(*op) ||
      program::kernels::accumulator_type(in.element) != in.element || out.elements() == 0)
    return std::nullopt;
  if (!are_last(work.dimensions, in.shape)) return std::nullopt;
  const auto rows = static_cast<std::size_t>(out.elements());
  const std::size_t columns = static_cast<std::size_t>(in.elements()) / rows;
  if (columns == 0 || columns > kFoldLanes) return std::nullopt;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<SumElement> lanes;
    for (std::size_t c = 0; c < columns; ++c) lanes.push_back({Of::first, r * columns + c});
    writer.combined(*op, {Of::second, 0}, folded(writer, *op, std::move(lanes)));
    writer.store(r);
  }
  return writer.take();
}

// The strides of some dimensions of an operand, and their sizes.
struct DotAxes {
  Shape sizes, strides;
  DotAxes(const Shape& shape, const Shape& dimensions) {
    const Shape steps = strides_of(shape);
    for (const std::int64_t d : dimensions) {
      sizes.push_back(shape[static_cast<std::size_t>(d)]);
      strides.push_back(steps[static_cast<std::size_t>(d)]);
    }
  }
  // The offsets of all elements, row-major.
  std::vector<std::size_t> offsets() const {
    std::vector<std::size_t> all;
    Counter counter(sizes);
    do {
      std::int64_t offset = 0;
      for (std::size_t d = 0; d < sizes.size(); ++d) offset += counter.at()[d] * strides[d];
      all.push_back(static_cast<std::size_t>(offset));
    } while (counter.next());
    return all;
  }
};
Shape free_of(const Shape& shape, const Shape& batch, const Shape& contracting) {
  Shape free;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.size()); ++d)
    if (std::ranges::find(batch, d) == batch.end() &&
        std::ranges::find(contracting, d) == contracting.end())
      free.push_back(d);
  return free;
}

// Products of f32 and bf16 that are few: each is rounded, and added in order from zero on.
std::optional<Steps> sums_of(const program::Dot& work, const Instruction& part,
                             program::Numerics numerics) {
  const program::TensorType &lhs = part.inputs[0].type, &rhs = part.inputs[1].type;
  // A bf16 may be an f32 that was rounded before the loop.
  const auto fits = [](const program::TensorType& type) {
    return type.element == ElementType::f32 || type.element == ElementType::bf16;
  };
  const Passes passes = passes_of(numerics, work.lhs_precision, work.rhs_precision);
  if (!fits(lhs) || !fits(rhs) || part.outputs[0].type.element != ElementType::f32 ||
      passes == Passes::three || lhs.elements() == 0 || rhs.elements() == 0)
    return std::nullopt;
  SumWriter writer(ElementType::f32);
  const auto factors = [&](Of of, const program::TensorType& type) {
    std::vector<SumElement> all;
    const bool is_narrow = type.element == ElementType::bf16;
    for (std::size_t e = 0; e < static_cast<std::size_t>(type.elements()); ++e) {
      SumElement element{of, e};
      if (is_narrow) element = writer.converted(bf16_widening(), element);
      if (!is_narrow && passes == Passes::one) element = writer.converted(bf16_rounding(), element);
      all.push_back(element);
    }
    return all;
  };
  const std::vector<SumElement> left = factors(Of::first, lhs), right = factors(Of::second, rhs);
  const auto lhs_batch = DotAxes(lhs.shape, work.lhs_batch).offsets();
  const auto rhs_batch = DotAxes(rhs.shape, work.rhs_batch).offsets();
  const auto m =
      DotAxes(lhs.shape, free_of(lhs.shape, work.lhs_batch, work.lhs_contracting)).offsets();
  const auto n =
      DotAxes(rhs.shape, free_of(rhs.shape, work.rhs_batch, work.rhs_contracting)).offsets();
  const auto lhs_k = DotAxes(lhs.shape, work.lhs_contracting).offsets();
  const auto rhs_k = DotAxes(rhs.shape, work.rhs_contracting).offsets();
  std::size_t result = 0;
  for (std::size_t b = 0; b < lhs_batch.size(); ++b)
    for (const std::size_t row : m)
      for (const std::size_t column : n) {
        SumElement sum;
        for (std::size_t k = 0; k < lhs_k.size(); ++k)
          sum = writer.combined(
              BinaryOp::add, sum,
              writer.combined(BinaryOp::multiply, left[lhs_batch[b] + row + lhs_k[k]],
                              right[rhs_batch[b] + column + rhs_k[k]]));
        writer.store(result++);
      }
  return writer.take();
}

}  // namespace

std::optional<std::vector<SumStep>> element_sums(const Instruction& part,
                                                 program::Numerics numerics) {
  if (const auto* reduce = std::get_if<program::Reduce>(&part.work)) return sums_of(*reduce, part);
  if (const auto* dot = std::get_if<program::Dot>(&part.work)) return sums_of(*dot, part, numerics);
  return std::nullopt;
}

}  // namespace understudy::worker::ops::machine
