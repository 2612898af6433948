// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/regular_indexing.h"

#include <algorithm>
#include <utility>

#include "configs/base/index.h"
#include "program/ir/reductions.h"
#include "program/lowering/indexed_places.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// The starts and sizes of a box of the operand that windows fill in order; nullopt where they are
// no box.
struct Box {
  Shape starts, sizes;
};
std::optional<Box> box_of(const StridedPlaces& places, const Shape& windows, const Shape& operand) {
  const Shape steps = row_major_strides(operand);
  Box box{Shape(operand.size(), 0), Shape(operand.size(), 1)};
  std::size_t next = 0;
  std::int64_t rest = places.base;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    while (next < windows.size() && windows[next] == 1) ++next;
    box.starts[d] = rest / steps[d];
    rest %= steps[d];
    if (next == windows.size() || places.strides[next] != steps[d] ||
        (operand[d] == 1 && windows[next] != 1))
      continue;
    box.sizes[d] = windows[next++];
    // A line may leave a row and go on in the next one.
    if (box.starts[d] + box.sizes[d] > operand[d]) return std::nullopt;
  }
  while (next < windows.size() && windows[next] == 1) ++next;
  return next == windows.size() ? std::optional(box) : std::nullopt;
}

// Both around a box: each element is written once.
Operand put_box(Lowering& lowering, const Operand& x, const Operand& update, const Box& box) {
  Operand out = lowering.make(x.type);
  const Shape strides = row_major_strides(x.type.shape);
  StridedCopy edge{x.type.shape, strides, strides, 0, 0};
  const auto copy_edge = [&](std::size_t d, std::int64_t start, std::int64_t size) {
    StridedCopy part = edge;
    part.sizes[d] = size;
    part.in_base = part.out_base = edge.out_base + start * strides[d];
    lowering.emit_copy(std::move(part), x, out);
  };
  for (std::size_t d = 0; d < strides.size(); ++d) {
    const std::int64_t end = box.starts[d] + box.sizes[d];
    copy_edge(d, 0, box.starts[d]);
    copy_edge(d, end, x.type.shape[d] - end);
    edge.sizes[d] = box.sizes[d];
    edge.out_base += box.starts[d] * strides[d];
  }
  // One number, for one, is written everywhere.
  const Origins::Elements from =
      lowering.origins().elements_of({update.at, {update.type.element, box.sizes}});
  lowering.emit_copy({box.sizes, from.strides, strides, from.base, edge.out_base}, from.of, out);
  return out;
}

// As an update of a slice, which may be in place.
Operand update_box(Lowering& lowering, const Operand& x, const Operand& update, const Box& box) {
  Parts inputs{x, {update.at, {update.type.element, box.sizes}}};
  const TensorType number{ElementType::i64, {}};
  for (const std::int64_t start : box.starts)
    inputs.push_back(lowering.integers(number, std::span(&start, 1)));
  return lowering.emit(DynamicUpdateSlice{}, std::move(inputs), x.type);
}

}  // namespace

std::optional<Operand> gather_from_stack(Lowering& lowering, const Gather& work,
                                         const Parts& inputs, const TensorType& type) {
  constexpr std::size_t kMostArrays = 4;
  constexpr std::int64_t kLeastElements = 64;
  const Origins::Joined* const stack = lowering.origins().joined(inputs[0]);
  if (stack == nullptr || stack->pieces.size() > kMostArrays || !work.offset_dims.empty() ||
      lowering.in_body() || type.elements() < kLeastElements)
    return std::nullopt;
  const std::size_t d = stack->dimension;
  const Parts arrays = stack->pieces;
  const auto number = std::ranges::find(work.start_index_map, static_cast<std::int64_t>(d));
  if (number == work.start_index_map.end() ||
      std::ranges::any_of(arrays, [d](const Operand& one) { return one.type.shape[d] != 1; }))
    return std::nullopt;
  Indexing how = indexing_of(work, arrays[0].type, inputs[1]);
  std::int64_t k = how.ignored = number - work.start_index_map.begin();
  Operand chosen = part_with_number(lowering, how, k);
  // One number for each vector.
  if (chosen.type.elements() != type.elements()) return std::nullopt;
  chosen.type.shape = type.shape;
  const auto places = places_of(lowering, how, type.shape);
  if (!places) return std::nullopt;
  const auto taken = [&](const Operand& array) {
    return lowering.gather_strided(array, type, places->strides, places->base);
  };
  // Numbers before the first array and behind the last one are theirs.
  Operand result = taken(arrays.back());
  for (std::size_t i = arrays.size() - 1; i-- > 0;) {
    const Operand last = lowering.splat(chosen.type, static_cast<double>(i));
    const Operand is =
        lowering.emit(Compare{Direction::le}, {chosen, last}, {ElementType::pred, type.shape});
    result = lowering.emit(Select{}, {is, taken(arrays[i]), result}, type);
  }
  return result;
}

std::optional<Operand> gather_regular(Lowering& lowering, const Gather& work, const Parts& inputs,
                                      const TensorType& type) {
  if (lowering.in_body() || !lowering.origins().is_asked() || type.elements() == 0)
    return std::nullopt;
  const Indexing how = indexing_of(work, inputs[0].type, inputs[1]);
  const auto places = places_of(lowering, how, type.shape);
  if (!places) return std::nullopt;
  return lowering.gather_strided(inputs[0], type, places->strides, places->base);
}

std::optional<Operand> scatter_regular(Lowering& lowering, const Scatter& work,
                                       const Parts& inputs) {
  // An operand that other code may update in place is not copied for smaller updates.
  constexpr std::int64_t kLeastOfBox = 2, kLeastApart = 8;
  const bool is_known = work.overwrite || work.reduction != Reduction::none;
  if (inputs.size() != 3 || !is_known || lowering.in_body() || !lowering.origins().is_asked() ||
      inputs[2].type.elements() == 0)
    return std::nullopt;
  const Operand& x = inputs[0];
  Operand update = inputs[2];
  const Shape& windows = update.type.shape;
  const Indexing how = indexing_of(work, x.type, inputs[1]);
  const auto places = places_of(lowering, how, windows);
  if (!places || !are_apart(*places, windows)) return std::nullopt;
  const auto box = box_of(*places, windows, x.type.shape);
  const std::int64_t share = x.type.elements() / update.type.elements();
  if (!box && (lowering.is_nested() || share > kLeastApart)) return std::nullopt;
  if (!work.overwrite)
    update = lowering.binary(*function_of(work.reduction),
                             lowering.gather_strided(x, update.type, places->strides, places->base),
                             update);
  if (box && (lowering.is_nested() || share >= kLeastOfBox))
    return update_box(lowering, x, update, *box);
  if (box) return put_box(lowering, x, update, *box);
  const Operand out = lowering.make(x.type);
  lowering.copy(x, out);
  lowering.emit_copy({windows, row_major_strides(windows), places->strides, 0, places->base},
                     update, out);
  return out;
}

}  // namespace understudy::program::passes
