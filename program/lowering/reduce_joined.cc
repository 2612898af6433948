// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/reduce_joined.h"

#include <algorithm>
#include <unordered_map>

#include "configs/base/index.h"
#include "program/kernels/kernels.h"
#include "program/lowering/arg_reduction.h"

namespace understudy::program::passes {

namespace {

// Whether steps of the element type give what a reduction gives, which sums bf16 in f32.
bool rounds_alike(const Reduce& work, ElementType element) {
  const bool accumulates = work.reduction == Reduction::sum || work.reduction == Reduction::product;
  return !accumulates || kernels::accumulator_type(element) == element;
}

bool is_stack(const Origins::Joined& joined, std::size_t dimension) {
  return joined.dimension == dimension && joined.pieces.size() <= kMostStacked &&
         std::ranges::all_of(
             joined.pieces, [&](const Operand& piece) { return piece.type.shape[dimension] == 1; });
}

// Whether the numbers of the arrays fit the type; those of a few bits may wrap.
bool holds_positions(const Operand& input) {
  const ElementType element = input.type.element;
  return element == ElementType::i32 || element == ElementType::i64 ||
         element == ElementType::ui32 || element == ElementType::ui64;
}

bool is_step(const Instruction& step) {
  const bool is_fill = std::holds_alternative<Fill>(step.work);
  const auto in_frame = [](const Operand& x) { return x.at.space == Space::frame; };
  return step.outputs.size() == 1 && in_frame(step.outputs[0]) &&
         is_fill != (!step.inputs.empty() && std::ranges::all_of(step.inputs, in_frame));
}

// What the body returns for arrays instead of scalars.
Parts on_arrays(Lowering& lowering, const Body& body, const Parts& arguments, const Shape& shape) {
  std::unordered_map<std::uint64_t, Operand> at;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    at[body.parameters[i].at.offset] = arguments[i];
  // A bitcast sees the bytes of a value as another type.
  const auto array = [&](const Operand& x) {
    const TensorType type{x.type.element, shape};
    return x.at.space == Space::frame ? Operand{at.at(x.at.offset).at, type}
                                      : lowering.fill(x, type);
  };
  for (const Instruction& step : body.code) {
    const Operand& out = step.outputs[0];
    Parts inputs;
    for (const Operand& input : step.inputs)
      inputs.push_back(std::holds_alternative<Fill>(step.work) ? input : array(input));
    at[out.at.offset] = lowering.emit(step.work, std::move(inputs), {out.type.element, shape});
  }
  Parts results;
  for (const Operand& result : body.results) results.push_back(array(result));
  return results;
}

// The same for a body that wants_largest(), where the positions so far are smaller than the next
// one: fewer steps.
Parts next_extreme(Lowering& lowering, bool largest, const Parts& values) {
  const Operand &a = values[0], &b = values[2];
  const auto compare = [&](Direction direction, const Operand& x, const Operand& y) {
    return lowering.emit(Compare{direction, false}, {x, y}, {ElementType::pred, x.type.shape});
  };
  const auto select = [&](const Operand& which, const Operand& x, const Operand& y) {
    return lowering.emit(Select{}, {which, x, y}, x.type);
  };
  Operand keeps = compare(largest ? Direction::ge : Direction::le, a, b), is_better = keeps;
  if (is_float(a.type.element)) {
    const Operand is_nan = compare(Direction::ne, a, a);
    keeps = lowering.binary(BinaryOp::logical_or, keeps, is_nan);
    // Of two zeros the new one, as the body has it.
    is_better = lowering.binary(BinaryOp::logical_or,
                                compare(largest ? Direction::gt : Direction::lt, a, b), is_nan);
  }
  return {select(is_better, a, b), select(keeps, values[1], values[3])};
}

}  // namespace

std::optional<Parts> reduce_joined(Lowering& lowering, const Reduce& work, const Parts& inputs) {
  const Shape& joined_shape = inputs[0].type.shape;
  if (work.dimensions.size() != 1 || !work.body.lanewise || lowering.in_body() ||
      !std::ranges::all_of(work.body.code, is_step))
    return std::nullopt;
  const std::size_t dimension = at(work.dimensions[0]), count = inputs.size() / 2;
  const std::int64_t rows = joined_shape[dimension];
  Shape shape = joined_shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  std::vector<const Origins::Joined*> stacks;  // per input; nullptr: counts along the dimension
  for (std::size_t i = 0; i < count; ++i) {
    const Origins::Joined* const joined = lowering.origins().joined(inputs[i]);
    const bool is_known = joined != nullptr
                              ? is_stack(*joined, dimension)
                              : holds_positions(inputs[i]) &&
                                    lowering.origins().iota_dimension(inputs[i]) == dimension;
    if (!is_known || !rounds_alike(work, inputs[i].type.element)) return std::nullopt;
    stacks.push_back(joined);
  }
  if (rows == 0 || stacks[0] == nullptr) return std::nullopt;
  // Positions that start at 0 are never larger than the next one, and equal only to the first.
  const bool rise = count == 2 && stacks[1] == nullptr &&
                    lowering.known_integers(inputs[3]) == std::vector<std::int64_t>{0};
  const auto largest = rise ? wants_largest(work.body) : std::nullopt;
  Parts values;  // so far, then the next elements
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(lowering.fill(inputs[count + i], {inputs[count + i].type.element, shape}));
  for (std::int64_t row = 0; row < rows; ++row) {
    values.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const TensorType type{inputs[i].type.element, shape};
      values.push_back(stacks[i] == nullptr ? lowering.splat(type, static_cast<double>(row))
                                            : Operand{stacks[i]->pieces[at(row)].at, type});
    }
    values = largest ? next_extreme(lowering, *largest, values)
                     : on_arrays(lowering, work.body, values, shape);
  }
  return values;
}

namespace {

// The dimension along which a window reaches from the first element to each of them, and which it
// has alone; nullopt for other windows.
std::optional<std::size_t> cumulative_dimension(const Window& window, const Shape& shape) {
  const auto is_plain = [](const Shape& of) {
    return std::ranges::all_of(of, [](std::int64_t n) { return n == 1; });
  };
  if (!is_plain(window.strides) || !is_plain(window.base_dilations) ||
      !is_plain(window.window_dilations))
    return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t size = window.dimensions[d];
    if (window.padding_high[d] != 0 || window.padding_low[d] != size - 1) return std::nullopt;
    if (size == 1) continue;
    if (found || size != shape[d]) return std::nullopt;
    found = d;
  }
  return found;
}

}  // namespace

std::optional<Operand> accumulate_joined(Lowering& lowering, const ReduceWindow& work,
                                         const Parts& inputs) {
  const Operand& x = inputs[0];
  const auto dimension = cumulative_dimension(work.window, x.type.shape);
  const Origins::Joined* const found = lowering.origins().joined(x);
  if (!dimension || found == nullptr || !is_stack(*found, *dimension) ||
      work.reduction != Reduction::sum || !holds_positions(x) ||
      lowering.known_integers(inputs[1]) != std::vector<std::int64_t>{0})
    return std::nullopt;
  Parts sums{found->pieces};
  for (std::size_t i = 1; i < sums.size(); ++i)
    sums[i] = lowering.binary(BinaryOp::add, sums[i - 1], sums[i]);
  return join_pieces(lowering, sums, *dimension, x.type);
}

}  // namespace understudy::program::passes
