// SPDX-License-Identifier: Apache-2.0
// Small windows without padding as an element-wise reduction of slices of the operand, one for each
// position of the window: one loop then reads all of them, and computes what comes before and after
// the reduction, too. The order of the steps is that of the window, so the bits are the same.
#include "program/lowering/sliced_windows.h"

#include <algorithm>

#include "program/ir/reductions.h"
#include "program/lowering/lowering.h"
#include "program/passes/copies.h"

namespace understudy::program::passes {
namespace {

constexpr std::int64_t kMostSlices = 16;
// Bytes of the runs of slices with steps: each is a row of the loop. More where windows do not
// overlap, as the window's own loop then reads each element once, too.
constexpr std::int64_t kLeastRowBytes = 64, kLeastApartBytes = 128;
// Loops read copies of up to so many dimensions in place.
constexpr std::size_t kMostSliceDimensions = 3;

bool is_whole_windows(const Window& window) {
  const auto are = [](const Shape& numbers, const auto& hold) {
    return std::ranges::all_of(numbers, hold);
  };
  const auto is_one = [](std::int64_t n) { return n == 1; };
  const auto adds_nothing = [](std::int64_t n) { return n <= 0; };
  return are(window.base_dilations, is_one) && are(window.padding_low, adds_nothing) &&
         are(window.padding_high, adds_nothing);
}

// Whether loops go row by row over runs of so many elements: those that leave much of their vectors
// empty, and shorter ones, are copied first.
bool fills_vectors(std::int64_t run) {
  constexpr std::int64_t kLanes = 16;
  return run >= kLanes && run * 4 > (run + kLanes - 1) / kLanes * kLanes * 3;
}

// A tile of a loop reads a slice in place where it has one run of rows at regular distances. Such a
// run of few and short rows leaves too little for a tile, and is copied first.
bool fills_tiles(const Shape& sizes) {
  constexpr std::int64_t kLongRun = 64, kLeastElements = 512;
  return sizes.size() < kMostSliceDimensions || sizes[2] >= kLongRun ||
         sizes[1] * sizes[2] >= kLeastElements;
}

// Integers of 16 bits are quicker in the window's own loop.
bool has_fast_loops(ElementType element) {
  return element == ElementType::f32 || element == ElementType::f64 ||
         element == ElementType::bf16 ||
         (is_integer(element) && byte_size(element) != 2 &&
          static_cast<int>(byte_size(element)) * 8 == bit_width(element));
}

// Whether loops read the slices of that shape in place, and take less time than the window's own.
bool is_read_in_place(const Window& window, const TensorType& type, const Shape& strides) {
  const StridedCopy copy = simplified({type.shape, strides, row_major_strides(type.shape), 0, 0});
  if (copy.sizes.empty() || copy.sizes.size() > kMostSliceDimensions || copy.in_strides.back() != 1)
    return false;
  bool is_strided = false, do_overlap = false;
  std::int64_t block = 1;  // elements that every position of a window moves together
  for (std::size_t d = 0; d < window.strides.size(); ++d) {
    is_strided = is_strided || window.strides[d] != 1;
    do_overlap = do_overlap || window.dimensions[d] > window.strides[d];
    block = window.dimensions[d] == 1 ? block * type.shape[d] : 1;
  }
  const auto bytes = static_cast<std::int64_t>(byte_size(type.element));
  // The window's own loop over bytes has as many in a register, that over fused steps has not.
  if (bytes == 1 && (is_strided || block == 1)) return false;
  const std::int64_t run = copy.sizes.back();
  if (is_strided && run * bytes < (do_overlap ? kLeastRowBytes : kLeastApartBytes)) return false;
  return copy.sizes.size() == 1 || (fills_vectors(run) && fills_tiles(copy.sizes));
}

}  // namespace

std::optional<Operand> reduce_slices(Lowering& lowering, const ReduceWindow& work,
                                     const Parts& inputs, const TensorType& result) {
  const Window& window = work.window;
  const auto op = function_of(work.reduction);
  if (!op || inputs.size() != 2 || lowering.in_body() || !is_whole_windows(window) ||
      !has_fast_loops(inputs[0].type.element) || result.elements() == 0)
    return std::nullopt;
  std::int64_t positions = 1;
  for (const std::int64_t size : window.dimensions) positions *= size;
  if (positions < 2 || positions > kMostSlices) return std::nullopt;
  const TensorType type{inputs[0].type.element, result.shape};
  const Origins::Elements from = lowering.origins().elements_of(inputs[0]);
  Shape strides = from.strides;
  for (std::size_t d = 0; d < strides.size(); ++d) strides[d] *= window.strides[d];
  if (!is_read_in_place(window, type, strides)) return std::nullopt;
  Operand reduced = lowering.fill(inputs[1], type);
  for (std::int64_t position = 0; position < positions; ++position) {
    std::int64_t base = from.base;
    std::int64_t rest = position;
    for (std::size_t d = strides.size(); d-- > 0;) {
      const std::int64_t at = rest % window.dimensions[d];
      rest /= window.dimensions[d];
      base += (at * window.window_dilations[d] - window.padding_low[d]) * from.strides[d];
    }
    reduced = lowering.binary(*op, reduced, lowering.gather_strided(from.of, type, strides, base));
  }
  return reduced;
}

}  // namespace understudy::program::passes
