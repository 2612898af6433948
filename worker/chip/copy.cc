// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "configs/base/error.h"

namespace understudy::worker::ops {
namespace {

// c128, as a type that is copied in one piece.
struct Bytes16 {
  std::uint64_t low, high;
};

// Edge of a square block of a transposition: two blocks (source and target) of 32 x 32 elements of
// up to 16 bytes fit the first-level cache, so each cache line is fetched once.
constexpr std::int64_t kBlock = 32;

template <class T>
void copy_row(const T* in, std::int64_t in_stride, T* out, std::int64_t out_stride,
              std::int64_t size) {
  if (in_stride == 1 && out_stride == 1) {
    std::memcpy(out, in, static_cast<std::size_t>(size) * sizeof(T));
    // A broadcast.
  } else if (in_stride == 0 && out_stride == 1) {
    std::fill_n(out, size, *in);
  } else if (in_stride == -1 && out_stride == 1) {
    for (std::int64_t i = 0; i < size; ++i) out[i] = in[-i];
  } else if (in_stride == 2 && out_stride == 1) {
    for (std::int64_t i = 0; i < size; ++i) out[i] = in[2 * i];
  } else {
    for (std::int64_t i = 0; i < size; ++i) out[i * out_stride] = in[i * in_stride];
  }
}

// One block of a transposition: lines of `in` are dense, lines of `out` too. Goes through a block
// of its own, as lines that are a power of two apart would push each other out of the cache.
template <class T>
void transpose_block(const T* in, std::int64_t in_stride, std::int64_t lines, T* out,
                     std::int64_t out_stride, std::int64_t length) {
  T block[kBlock][kBlock];
  if (lines == kBlock && length == kBlock) {
    for (std::int64_t i = 0; i < kBlock; ++i)
      for (std::int64_t k = 0; k < kBlock; ++k) block[k][i] = in[i * in_stride + k];
  } else {
    for (std::int64_t i = 0; i < lines; ++i)
      for (std::int64_t k = 0; k < length; ++k) block[k][i] = in[i * in_stride + k];
  }
  for (std::int64_t k = 0; k < length; ++k)
    std::memcpy(out + k * out_stride, block[k], static_cast<std::size_t>(lines) * sizeof(T));
}

}  // namespace

CopyPlan::CopyPlan(const program::Shape& sizes, const program::Shape& in_strides,
                   const program::Shape& out_strides, std::size_t element_bytes)
    : element_bytes_(element_bytes) {
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) empty_ = true;
    // Axes of size 1 contribute no step.
    if (sizes[d] != 1) outer_.push_back({sizes[d], in_strides[d], out_strides[d]});
  }
  if (!empty_) coalesce();
}

// Sorts the axes by the stride of `out`, so that writes are sequential, and merges axes that
// continue each other in both arrays. The last axis becomes the inner loop. If it is strided in
// `in` (a transposition), the axis along which `in` is dense becomes the middle loop, and both are
// walked in square blocks.
void CopyPlan::coalesce() {
  std::stable_sort(outer_.begin(), outer_.end(),
                   [](const Axis& a, const Axis& b) { return std::abs(a.out) > std::abs(b.out); });
  std::vector<Axis> joined;
  for (const Axis& axis : outer_) {
    if (!joined.empty() && joined.back().in == axis.in * axis.size &&
        joined.back().out == axis.out * axis.size) {
      joined.back() = {joined.back().size * axis.size, axis.in, axis.out};
    } else {
      joined.push_back(axis);
    }
  }
  outer_ = std::move(joined);
  if (outer_.empty()) return;
  inner_ = outer_.back();
  outer_.pop_back();
  if (std::abs(inner_.in) <= 1) return;
  const auto dense = std::find_if(outer_.begin(), outer_.end(),
                                  [](const Axis& axis) { return std::abs(axis.in) == 1; });
  if (dense == outer_.end()) return;
  middle_ = *dense;
  outer_.erase(dense);
}

template <class T>
void CopyPlan::run_as(const T* in, T* out) const {
  std::vector<std::int64_t> at(outer_.size(), 0);
  const bool transposes = middle_.size > 1 && middle_.in == 1 && inner_.out == 1;
  while (true) {
    for (std::int64_t m = 0; m < middle_.size; m += kBlock) {
      const std::int64_t rows = std::min(kBlock, middle_.size - m);
      // Without a middle axis the inner one runs through in one piece.
      const std::int64_t columns = middle_.size == 1 ? inner_.size : kBlock;
      for (std::int64_t i = 0; i < inner_.size; i += columns) {
        const std::int64_t count = std::min(columns, inner_.size - i);
        if (transposes) {
          transpose_block(in + m + i * inner_.in, inner_.in, count, out + m * middle_.out + i,
                          middle_.out, rows);
          continue;
        }
        for (std::int64_t row = m; row < m + rows; ++row) {
          copy_row(in + row * middle_.in + i * inner_.in, inner_.in,
                   out + row * middle_.out + i * inner_.out, inner_.out, count);
        }
      }
    }
    // Advances the outer index like an odometer: pointers move by one stride, and back by the whole
    // axis when it wraps around.
    std::size_t d = outer_.size();
    for (; d > 0; --d) {
      const Axis& axis = outer_[d - 1];
      in += axis.in;
      out += axis.out;
      if (++at[d - 1] < axis.size) break;
      in -= axis.in * axis.size;
      out -= axis.out * axis.size;
      at[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

void CopyPlan::run(const std::byte* in, std::byte* out) const {
  if (empty_) return;
  switch (element_bytes_) {
    case 1:
      return run_as(reinterpret_cast<const std::uint8_t*>(in),
                    reinterpret_cast<std::uint8_t*>(out));
    case 2:
      return run_as(reinterpret_cast<const std::uint16_t*>(in),
                    reinterpret_cast<std::uint16_t*>(out));
    case 4:
      return run_as(reinterpret_cast<const std::uint32_t*>(in),
                    reinterpret_cast<std::uint32_t*>(out));
    case 8:
      return run_as(reinterpret_cast<const std::uint64_t*>(in),
                    reinterpret_cast<std::uint64_t*>(out));
    default:
      UNDERSTUDY_ASSERT(element_bytes_ == 16);
      return run_as(reinterpret_cast<const Bytes16*>(in), reinterpret_cast<Bytes16*>(out));
  }
}

}  // namespace understudy::worker::ops
