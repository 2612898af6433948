// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/indexed_places.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "configs/base/index.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

bool contains(const Shape& dimensions, std::size_t d) {
  return std::ranges::find(dimensions, static_cast<std::int64_t>(d)) != dimensions.end();
}

// The dimensions of an array of windows.
struct WindowDimensions {
  std::vector<std::size_t> batch;  // those that are in no window
  Shape batch_sizes;
  Shape sizes;                     // of a window, along the dimensions of the operand
  std::vector<std::size_t> inner;  // of the array, for each dimension of the operand that has one
};
WindowDimensions dimensions_of_windows(const Indexing& how, const Shape& windows) {
  WindowDimensions found{{}, {}, Shape(how.operand.shape.size(), 1), {}};
  for (std::size_t d = 0; d < windows.size(); ++d)
    if (!contains(how.in_windows, d)) {
      found.batch.push_back(d);
      found.batch_sizes.push_back(windows[d]);
    }
  Shape in_order = how.in_windows;
  std::ranges::sort(in_order);
  std::size_t next = 0;
  for (std::size_t d = 0; d < found.sizes.size(); ++d) {
    if (contains(how.dropped, d) || contains(how.batching, d)) continue;
    found.inner.push_back(at(in_order[next++]));
    found.sizes[d] = windows[found.inner.back()];
  }
  return found;
}

// The dimension of `batch` that a batching dimension of the operand follows.
std::size_t batch_of(const Indexing& how, std::size_t i) {
  const std::size_t along = at(how.batches[i]);
  return along - (along > how.vector_dimension ? 1 : 0);
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

}  // namespace

Operand part_with_number(const Lowering& lowering, const Indexing& how, std::int64_t& k) {
  const std::size_t v = how.vector_dimension;
  const Origins::Joined* const joined = lowering.origins().joined(how.indices);
  if (joined == nullptr || joined->dimension != v) return how.indices;
  std::size_t piece = 0;
  while (k >= joined->pieces[piece].type.shape[v]) k -= joined->pieces[piece++].type.shape[v];
  return joined->pieces[piece];
}

std::optional<StridedPlaces> places_of(const Lowering& lowering, const Indexing& how,
                                       const Shape& windows) {
  const Shape steps = row_major_strides(how.operand.shape);
  StridedPlaces places{Shape(windows.size(), 0), 0};
  const WindowDimensions dimensions = dimensions_of_windows(how, windows);
  const std::vector<std::size_t>& batch = dimensions.batch;
  std::size_t next = 0;
  for (std::size_t d = 0; d < steps.size(); ++d)
    if (!contains(how.dropped, d) && !contains(how.batching, d))
      places.strides[dimensions.inner[next++]] = steps[d];
  for (std::size_t i = 0; i < how.batching.size(); ++i)
    places.strides[batch[batch_of(how, i)]] += steps[at(how.batching[i])];
  for (std::size_t k = 0; k < how.map.size(); ++k) {
    const std::size_t d = at(how.map[k]);
    if (static_cast<std::int64_t>(k) == how.ignored) continue;
    const auto numbers = number_of_vectors(lowering, how, static_cast<std::int64_t>(k));
    if (!numbers || numbers->strides.size() != batch.size() ||
        !is_inside(*numbers, dimensions.batch_sizes, how.operand.shape[d] - dimensions.sizes[d]))
      return std::nullopt;
    places.base += numbers->base * steps[d];
    for (std::size_t j = 0; j < batch.size(); ++j)
      places.strides[batch[j]] += numbers->strides[j] * steps[d];
  }
  return places;
}

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

// Of two vectors, each number that counts along dimensions of the batch tells where they are in
// these, if its windows are apart; so does a batching dimension in the one that it follows.
bool windows_are_apart(const Lowering& lowering, const Indexing& how, const Shape& windows) {
  const WindowDimensions dimensions = dimensions_of_windows(how, windows);
  std::vector<bool> told(dimensions.batch.size(), false);
  for (std::size_t i = 0; i < how.batching.size(); ++i) told[batch_of(how, i)] = true;
  for (std::size_t k = 0; k < how.map.size(); ++k) {
    const auto numbers = number_of_vectors(lowering, how, static_cast<std::int64_t>(k));
    if (!numbers || numbers->strides.size() != told.size()) continue;
    StridedPlaces along{{1}, 0};
    Shape sizes{dimensions.sizes[at(how.map[k])]};
    for (std::size_t j = 0; j < told.size(); ++j) {
      if (numbers->strides[j] == 0) continue;
      along.strides.push_back(numbers->strides[j]);
      sizes.push_back(dimensions.batch_sizes[j]);
    }
    if (!are_apart(along, sizes)) continue;
    for (std::size_t j = 0; j < told.size(); ++j)
      if (numbers->strides[j] != 0) told[j] = true;
  }
  for (std::size_t j = 0; j < told.size(); ++j)
    if (!told[j] && dimensions.batch_sizes[j] > 1) return false;
  return true;
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

Indexing indexing_of(const Scatter& work, const TensorType& operand, const Operand& indices) {
  return {operand,
          indices,
          at(work.index_vector_dim),
          work.scatter_dims_to_operand_dims,
          work.input_batching_dims,
          work.scatter_indices_batching_dims,
          work.inserted_window_dims,
          work.update_window_dims};
}

}  // namespace understudy::program::passes
