// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/regular_indexing.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "configs/base/index.h"
#include "program/ir/reductions.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

bool contains(const Shape& dimensions, std::size_t d) {
  return std::ranges::find(dimensions, static_cast<std::int64_t>(d)) != dimensions.end();
}

// Where the elements of an array of windows are in an operand: element i at base + sum i_d *
// strides_d.
struct StridedPlaces {
  Shape strides;
  std::int64_t base = 0;
};

// How an operation indexes its operand, as gathers and scatters both do.
struct Indexing {
  const TensorType& operand;
  const Operand& indices;
  std::size_t vector_dimension;
  const Shape& map;           // number k of a vector is for dimension map[k] of the operand
  const Shape& batching;      // dimensions of the operand,
  const Shape& batches;       // and those of the indices that they follow
  const Shape& dropped;       // other dimensions of the operand without one in the windows
  const Shape& in_windows;    // dimensions of the array of windows that are inside of a window
  std::int64_t ignored = -1;  // the number of the vectors that counts as 0
};

// Where number k of the vectors is: where these are joined, in one of the parts.
Operand part_with_number(const Lowering& lowering, const Indexing& how, std::int64_t& k) {
  const std::size_t v = how.vector_dimension;
  const Origins::Joined* const joined = lowering.origins().joined(how.indices);
  if (joined == nullptr || joined->dimension != v) return how.indices;
  std::size_t piece = 0;
  while (k >= joined->pieces[piece].type.shape[v]) k -= joined->pieces[piece++].type.shape[v];
  return joined->pieces[piece];
}

// Number k of all vectors: along the dimensions of the indices without that of the vectors.
std::optional<StridedPlaces> number_of_vectors(const Lowering& lowering, const Indexing& how,
                                               std::int64_t k) {
  const Operand from = part_with_number(lowering, how, k);
  const std::size_t v = how.vector_dimension;
  const bool has_vectors = v < from.type.shape.size();
  const auto numbers = lowering.numbers(from);
  if (!numbers || !numbers->regular) return std::nullopt;
  auto steps = steps_along(*numbers->regular, from.type.shape);
  if (!steps) return std::nullopt;
  StridedPlaces places{*std::move(steps), numbers->regular->base};
  if (!has_vectors) return places;
  places.base += k * places.strides[v];
  places.strides.erase(places.strides.begin() + static_cast<std::ptrdiff_t>(v));
  return places;
}

// Whether all that numbers name is in [0, most].
bool is_inside(const StridedPlaces& numbers, const Shape& sizes, std::int64_t most) {
  std::int64_t low = numbers.base, high = numbers.base;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    (numbers.strides[d] < 0 ? low : high) += numbers.strides[d] * (sizes[d] - 1);
  return low >= 0 && high <= most;
}

// nullopt where the numbers are not regular, or a window is not inside of the operand.
std::optional<StridedPlaces> places_of(const Lowering& lowering, const Indexing& how,
                                       const Shape& windows) {
  const Shape steps = row_major_strides(how.operand.shape);
  StridedPlaces places{Shape(windows.size(), 0), 0};
  std::vector<std::size_t> batch;  // the dimensions of the array that are in no window
  Shape batch_sizes;
  for (std::size_t d = 0; d < windows.size(); ++d)
    if (!contains(how.in_windows, d)) {
      batch.push_back(d);
      batch_sizes.push_back(windows[d]);
    }
  Shape in_order = how.in_windows;
  std::ranges::sort(in_order);
  Shape sizes(steps.size(), 1);  // of a window
  std::size_t next = 0;
  for (std::size_t d = 0; d < steps.size(); ++d) {
    if (contains(how.dropped, d) || contains(how.batching, d)) continue;
    const std::size_t at_window = at(in_order[next++]);
    sizes[d] = windows[at_window];
    places.strides[at_window] = steps[d];
  }
  for (std::size_t i = 0; i < how.batching.size(); ++i) {
    const std::size_t along = at(how.batches[i]);
    places.strides[batch[along - (along > how.vector_dimension ? 1 : 0)]] +=
        steps[at(how.batching[i])];
  }
  for (std::size_t k = 0; k < how.map.size(); ++k) {
    const std::size_t d = at(how.map[k]);
    if (static_cast<std::int64_t>(k) == how.ignored) continue;
    const auto numbers = number_of_vectors(lowering, how, static_cast<std::int64_t>(k));
    if (!numbers || numbers->strides.size() != batch.size() ||
        !is_inside(*numbers, batch_sizes, how.operand.shape[d] - sizes[d]))
      return std::nullopt;
    places.base += numbers->base * steps[d];
    for (std::size_t j = 0; j < batch.size(); ++j)
      places.strides[batch[j]] += numbers->strides[j] * steps[d];
  }
  return places;
}

// Whether no two elements are at one place: each step is longer than all that the shorter ones
// span.
bool are_apart(const StridedPlaces& places, const Shape& sizes) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1) steps.emplace_back(std::abs(places.strides[d]), sizes[d]);
  std::ranges::sort(steps);
  std::int64_t span = 0;
  for (const auto& [step, size] : steps) {
    if (step <= span) return false;
    span += step * (size - 1);
  }
  return true;
}

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
  const Operand out = lowering.make(x.type);
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

Indexing indexing_of(const Gather& work, const TensorType& operand, const Operand& indices) {
  return {operand,
          indices,
          at(work.index_vector_dim),
          work.start_index_map,
          work.operand_batching_dims,
          work.start_indices_batching_dims,
          work.collapsed_slice_dims,
          work.offset_dims};
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
  const Indexing how{x.type,
                     inputs[1],
                     at(work.index_vector_dim),
                     work.scatter_dims_to_operand_dims,
                     work.input_batching_dims,
                     work.scatter_indices_batching_dims,
                     work.inserted_window_dims,
                     work.update_window_dims};
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
