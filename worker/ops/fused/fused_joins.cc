// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_joins.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "worker/chip/copy_lines.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

namespace {

// Elements `first` to `end` of the array, of which `out` has the first.
struct Window {
  std::int64_t first, end;
  std::byte* out;
  std::size_t bytes;  // of an element
};

// One run of a part: `count` elements of the array from element `to` on.
void copy_run_part(const Window& window, const std::byte* in, std::int64_t step, std::int64_t to,
                   std::int64_t count) {
  const std::int64_t low = std::max(to, window.first), high = std::min(to + count, window.end);
  if (low >= high) return;
  const auto bytes = static_cast<std::int64_t>(window.bytes);
  const std::byte* const from = in + (low - to) * step * bytes;
  std::byte* const out = window.out + (low - window.first) * bytes;
  const auto n = static_cast<std::size_t>(high - low);
  if (step == 1) {
    std::memcpy(out, from, n * window.bytes);
  } else if (step == 0) {
    replicate(from, window.bytes, out, n);
  } else {
    const Plane plane{{}, {high - low, step * bytes, bytes}, window.bytes};
    copy_plane(plane, from, out);
  }
}

// Dimension `d` and those in it, from element `to` of the array on.
void copy_dimension(const Window& window, const JoinedPart& part, std::size_t d,
                    const std::byte* in, std::int64_t to) {
  const JoinedPart::Dimension& of = part.dimensions[d];
  if (d + 1 == part.dimensions.size()) return copy_run_part(window, in, of.in_stride, to, of.size);
  // The first index that reaches into the window, and the last one that begins before its end.
  const std::int64_t before = window.first - to - of.reach;
  const std::int64_t low = before < 0 ? 0 : before / of.out_stride + 1;
  const std::int64_t end = window.end - to;
  if (end <= 0) return;
  const std::int64_t high = std::min(of.size, (end - 1) / of.out_stride + 1);
  for (std::int64_t i = low; i < high; ++i)
    copy_dimension(window, part, d + 1,
                   in + i * of.in_stride * static_cast<std::int64_t>(window.bytes),
                   to + i * of.out_stride);
}

// The elements of the array around a part: from its first to its last one.
std::int64_t reach_of(const JoinedPart& part) {
  const JoinedPart::Dimension& outermost = part.dimensions.front();
  return (outermost.size - 1) * outermost.out_stride + outermost.reach;
}

// How far elements `first` to `end` of the array are from the part's first element in its argument;
// nullopt unless one run has them all.
std::optional<std::int64_t> place_in_run(const JoinedPart& part, std::int64_t first,
                                         std::int64_t end) {
  std::int64_t to = part.out_base, in = part.in_base;
  if (first < to || part.dimensions.back().in_stride != 1) return std::nullopt;
  for (std::size_t d = 0; d + 1 < part.dimensions.size(); ++d) {
    const JoinedPart::Dimension& of = part.dimensions[d];
    const std::int64_t i = std::min((first - to) / of.out_stride, of.size - 1);
    to += i * of.out_stride;
    in += i * of.in_stride;
  }
  if (end > to + part.dimensions.back().size) return std::nullopt;
  return in + first - to;
}

}  // namespace

const std::byte* joined_in_place(const FusedStep& step, const std::byte* const* arguments,
                                 const LoopPart& part) {
  const std::size_t width = step.out.width;
  if (part.columns != width && part.rows != 1) return nullptr;
  const auto first = static_cast<std::int64_t>(part.row * width + part.column);
  const std::int64_t end = first + static_cast<std::int64_t>(part.rows * part.columns);
  for (std::size_t p = step.parts.size(); p-- > 0;) {
    const JoinedPart& joined = step.parts[p];
    if (const auto in = place_in_run(joined, first, end))
      return arguments[joined.argument] + *in * static_cast<std::int64_t>(step.out.bytes);
    // It may have some of them, over the parts before it.
    if (joined.out_base < end && joined.out_base + reach_of(joined) > first) return nullptr;
  }
  return nullptr;
}

void join_of(const program::Join& join, const program::Instruction& instruction, FusedStep& step) {
  step.kind = FusedStep::Kind::join;
  step.inputs = 0;  // none follows the tile
  for (std::size_t i = 0; i < join.parts.size(); ++i) {
    const program::StridedCopy& copy = join.parts[i];
    JoinedPart part{instruction.inputs[i].at.index, copy.in_base, copy.out_base, {}};
    std::int64_t reach = 1;
    for (std::size_t d = copy.sizes.size(); d-- > 0;) {
      part.dimensions.push_back({copy.sizes[d], copy.in_strides[d], copy.out_strides[d], reach});
      reach += (copy.sizes[d] - 1) * copy.out_strides[d];
    }
    std::ranges::reverse(part.dimensions);
    step.parts.push_back(std::move(part));
  }
}

void join_part(const FusedStep& step, const std::byte* const* arguments, std::byte* out,
               const LoopPart& part) {
  const std::size_t width = step.out.width, bytes = step.out.bytes;
  // Whole rows follow each other.
  const bool is_whole = part.columns == width;
  const std::size_t pieces = is_whole ? 1 : part.rows;
  const std::size_t n = is_whole ? part.rows * width : part.columns;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const auto first = static_cast<std::int64_t>((part.row + piece) * width + part.column);
    const Window window{first, first + static_cast<std::int64_t>(n), out + piece * n * bytes,
                        bytes};
    for (const JoinedPart& joined : step.parts)
      copy_dimension(window, joined, 0,
                     arguments[joined.argument] + joined.in_base * static_cast<std::int64_t>(bytes),
                     joined.out_base);
  }
}

}  // namespace understudy::worker::ops
