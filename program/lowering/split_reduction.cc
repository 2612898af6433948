// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/split_reduction.h"

#include <algorithm>
#include <array>
#include <span>

#include "program/kernels/kernels.h"

namespace understudy::program::passes {

namespace {

// Longer runs are reduced at full speed; fewer rows are not worth two steps.
constexpr std::int64_t kLongestGroup = 32, kFewestRows = 16, kLeastRow = 8;
// Of innermost dimensions that are reduced first.
constexpr std::int64_t kLeastRun = 256;

bool holds(const Shape& dimensions, std::size_t d) {
  return std::ranges::find(dimensions, static_cast<std::int64_t>(d)) != dimensions.end();
}

// From which dimension on all of more than one element are reduced.
std::size_t innermost_run(const Shape& shape, const Shape& reduced) {
  std::size_t first = shape.size();
  for (std::size_t d = shape.size(); d-- > 0 && (shape[d] == 1 || holds(reduced, d));)
    if (holds(reduced, d)) first = d;
  return first;
}

// The value that changes no other: of a sum of floats it is -0, as 0 would change that.
Operand neutral(Lowering& lowering, Reduction reduction, ElementType element) {
  if (reduction == Reduction::sum) return lowering.scalar(element, -0.0);
  alignas(16) std::array<std::byte, 16> value{};
  kernels::select("portable").identity(reduction, element)(value.data());
  return lowering.constant({element, {}}, std::span(value).first(byte_size(element)));
}

// Whether what one reduction gives can be reduced further without a loss.
bool can_split(const Lowering& lowering, const Reduce& work, ElementType element) {
  return work.reduction != Reduction::none && !is_complex(element) && !lowering.in_body() &&
         kernels::reduces_to(element, element) && kernels::accumulator_type(element) == element;
}

}  // namespace

Operand reduce_outer_dimensions(Lowering& lowering, Reduce& work, const Operand& x) {
  const Shape& shape = x.type.shape;
  const ElementType element = x.type.element;
  if (!can_split(lowering, work, element)) return x;
  const std::size_t inner = innermost_run(shape, work.dimensions);
  Reduce outer = work;
  outer.dimensions.clear();
  Shape inner_dimensions, kept;
  std::int64_t rows = 1, row = 1, group = 1;  // `row`: elements behind the last outer dimension
  for (std::size_t d = 0; d < shape.size(); ++d) {
    row *= shape[d];
    if (d >= inner) group *= shape[d];
    if (d < inner && holds(work.dimensions, d)) {
      outer.dimensions.push_back(static_cast<std::int64_t>(d));
      rows *= shape[d];
      row = 1;
      continue;
    }
    if (holds(work.dimensions, d))
      inner_dimensions.push_back(static_cast<std::int64_t>(kept.size()));
    kept.push_back(shape[d]);
  }
  if (rows < kFewestRows || group < 2 || group > kLongestGroup || row == group || row < kLeastRow)
    return x;
  const Operand start = neutral(lowering, work.reduction, element);
  work.dimensions = inner_dimensions;
  return lowering.emit(std::move(outer), {x, start}, {element, kept});
}

Operand reduce_long_runs(Lowering& lowering, Reduce& work, const Operand& x) {
  const Shape& shape = x.type.shape;
  const ElementType element = x.type.element;
  if (!can_split(lowering, work, element)) return x;
  const std::size_t inner = innermost_run(shape, work.dimensions);
  Reduce runs = work;
  runs.dimensions.clear();
  Shape outer, kept;
  std::int64_t run = 1, rows = 1;
  bool keeps = false;  // something behind the first outer dimension
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d >= inner && holds(work.dimensions, d)) {
      runs.dimensions.push_back(static_cast<std::int64_t>(d));
      run *= shape[d];
      continue;
    }
    if (holds(work.dimensions, d)) {
      outer.push_back(static_cast<std::int64_t>(kept.size()));
      rows *= shape[d];
    } else {
      keeps = keeps || (rows > 1 && shape[d] > 1);
    }
    kept.push_back(shape[d]);
  }
  if (run < kLeastRun || rows < 2 || !keeps) return x;
  const Operand start = neutral(lowering, work.reduction, element);
  work.dimensions = outer;
  return lowering.emit(std::move(runs), {x, start}, {element, kept});
}

}  // namespace understudy::program::passes
