// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/copy.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <ranges>

namespace understudy::worker::ops {
namespace {

std::int64_t signed_size(std::size_t n) { return static_cast<std::int64_t>(n); }

}  // namespace

CopyPlan::CopyPlan(const program::Shape& sizes, const program::Shape& in_strides,
                   const program::Shape& out_strides, std::size_t element_bytes) {
  plane_.bytes = element_bytes;
  const auto bytes = signed_size(element_bytes);
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) empty_ = true;
    // Axes of size 1 contribute no step.
    if (sizes[d] != 1) outer_.push_back({sizes[d], in_strides[d] * bytes, out_strides[d] * bytes});
  }
  if (empty_) return;
  coalesce();
  widen();
  choose_loop();
}

// Sorts the axes by the step of `out`, so that writes are sequential, and merges axes that
// continue each other in both arrays.
void CopyPlan::coalesce() {
  std::stable_sort(outer_.begin(), outer_.end(),
                   [](const Axis& a, const Axis& b) { return std::abs(a.out) > std::abs(b.out); });
  std::vector<Axis> joined;
  for (const Axis& axis : outer_) {
    if (!joined.empty() && joined.back().in == axis.in * axis.count &&
        joined.back().out == axis.out * axis.count) {
      joined.back() = {joined.back().count * axis.count, axis.in, axis.out};
    } else {
      joined.push_back(axis);
    }
  }
  outer_ = std::move(joined);
}

// A short dense run is one wider element: pairs of f32 are transposed like elements of 8 bytes.
void CopyPlan::widen() {
  if (outer_.size() < 2) return;
  const Axis& last = outer_.back();
  const auto bytes = signed_size(plane_.bytes);
  if (last.in != bytes || last.out != bytes) return;
  const std::int64_t run = last.count * bytes;
  if (run != 2 && run != 4 && run != 8 && run != 16) return;
  plane_.bytes = static_cast<std::size_t>(run);
  outer_.pop_back();
}

// The last axis is that of the columns. Where it is strided in `in`, and another axis is dense
// there, that one is the axis of rows (a transposition), else the last but one.
void CopyPlan::choose_loop() {
  std::int64_t total = signed_size(plane_.bytes);
  for (const Axis& axis : outer_) total *= axis.count;
  const auto bytes = signed_size(plane_.bytes);
  plane_.columns = {1, bytes, bytes};
  if (!outer_.empty()) {
    plane_.columns = outer_.back();
    outer_.pop_back();
  }
  loop_ = plane_.columns.out == bytes ? &copy_plane : &copy_scattered;
  auto rows = outer_.end();
  if (loop_ == &copy_plane && std::abs(plane_.columns.in) > bytes) {
    // Two rows are gathered faster one by one.
    rows = std::ranges::find_if(
        outer_, [&](const Axis& axis) { return axis.in == bytes && axis.count > 2; });
    if (rows != outer_.end()) {
      loop_ = &transpose_plane;
      plane_.streams = total >= kStreamedTransposition;
    }
  }
  if (loop_ == &copy_plane) {
    if (plane_.columns.in == bytes) {
      choose_order(total);
    } else {
      plane_.streams = total >= kStreamedBytes;
    }
  }
  if (rows == outer_.end() && !outer_.empty()) rows = outer_.end() - 1;
  if (rows == outer_.end()) return;
  plane_.rows = *rows;
  outer_.erase(rows);
}

// Dense runs: large arrays are read in order and streamed, as reading is what waits for memory.
// Only whole lines of the cache are streamed well. Shorter runs leave the rest of a line for
// another time: they are read in order where what is written meanwhile stays in the cache.
void CopyPlan::choose_order(std::int64_t total) {
  constexpr std::int64_t kLine = 64, kLong = 4096, kBeyondCaches = 1 << 20, kWritten = 16 << 10;
  constexpr std::int64_t kFewRows = 8;  // in a call of the loop they take longer than to read again
  const std::int64_t run = plane_.columns.count * signed_size(plane_.bytes);
  const bool is_short = run < kLine;
  if (outer_.empty() || total < (is_short ? kBeyondCaches : kStreamedTransposition)) return;
  std::vector<Axis> in_order = outer_;
  std::ranges::stable_sort(in_order, std::greater<>(),
                           [](const Axis& axis) { return std::abs(axis.in); });
  const Axis& last = in_order.back();
  if (is_short && (last.count < kFewRows || std::abs(last.out) * last.count > kWritten)) return;
  std::ranges::copy(in_order, outer_.begin());  // in place: the caller holds its end
  if (is_short) return;
  const bool whole = run % kLine == 0 && std::ranges::all_of(outer_, [](const Axis& axis) {
                       return axis.out % kLine == 0;
                     });
  plane_.streams = total >= kStreamedBytes && (whole || run >= kLong);
}

void CopyPlan::run(const std::byte* in, std::byte* out) const {
  if (empty_) return;
  std::vector<std::int64_t> at(outer_.size(), 0);
  while (true) {
    loop_(plane_, in, out);
    // Advances the outer index like an odometer: pointers move by one step, and back by the whole
    // axis when it wraps around.
    std::size_t d = outer_.size();
    for (; d > 0; --d) {
      const Axis& axis = outer_[d - 1];
      in += axis.in;
      out += axis.out;
      if (++at[d - 1] < axis.count) break;
      in -= axis.in * axis.count;
      out -= axis.out * axis.count;
      at[d - 1] = 0;
    }
    if (d == 0) break;
  }
  if (plane_.streams) finish_stream();
}

}  // namespace understudy::worker::ops
