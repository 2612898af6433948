// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/window/running_lines.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "worker/chip/copy_lines.h"
#include "worker/chip/numbers.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;
using program::Reduction;

// Lines of single elements run side by side, as a call of the kernel costs more than an element:
// transposed in pieces that stay in the first-level cache.
constexpr std::int64_t kLinesAtOnce = 64, kPieceBytes = 16 << 10;
constexpr std::int64_t kLeastLines = 3;

class LinesAtOnce {
 public:
  LinesAtOnce(const RunningLines& lines, const std::byte* init, Vmem& vmem)
      : lines_(lines),
        bytes_(static_cast<std::int64_t>(lines.bytes)),
        piece_(std::min(lines.size, kPieceBytes / (kLinesAtOnce * bytes_))),
        init_(init),
        sums_(vmem.take(static_cast<std::uint64_t>(kLinesAtOnce * bytes_))),
        columns_(vmem.take(static_cast<std::uint64_t>(piece_ * kLinesAtOnce * bytes_))) {}

  void run(std::int64_t count, const std::byte* from, std::byte* to) const {
    const std::int64_t line_bytes = lines_.size * bytes_;
    replicate(init_, lines_.bytes, sums_, static_cast<std::size_t>(count));
    for (std::int64_t done = 0; done < lines_.size; done += piece_) {
      const std::int64_t n = std::min(piece_, lines_.size - done);
      const std::int64_t at = (lines_.forward ? done : lines_.size - done - n) * bytes_;
      transpose_plane({{n, bytes_, count * bytes_}, {count, line_bytes, bytes_}, lines_.bytes},
                      from + at, columns_);
      add_up(n, count);
      transpose_plane({{count, bytes_, line_bytes}, {n, count * bytes_, bytes_}, lines_.bytes},
                      columns_, to + at);
    }
  }

 private:
  // Column by column of a piece.
  void add_up(std::int64_t n, std::int64_t count) const {
    const std::byte* before = sums_;
    for (std::int64_t i = 0; i < n; ++i) {
      std::byte* const column = columns_ + (lines_.forward ? i : n - 1 - i) * count * bytes_;
      lines_.kernel(before, column, column, static_cast<std::size_t>(count));
      before = column;
    }
    std::memcpy(sums_, before, static_cast<std::size_t>(count * bytes_));
  }

  const RunningLines& lines_;
  std::int64_t bytes_, piece_;
  const std::byte* init_;
  std::byte* sums_;
  std::byte* columns_;
};

template <class T, Reduction kReduction>
void run_line(const std::byte* from, const std::byte* init, std::byte* to, std::int64_t size,
              std::int64_t stride) {
  const auto combined = [](T a, T b) { return kReduction == Reduction::sum ? a + b : a * b; };
  const auto* x = reinterpret_cast<const T*>(from);
  auto* y = reinterpret_cast<T*>(to);
  T sum = *reinterpret_cast<const T*>(init);
  std::int64_t i = 0;
  if constexpr (std::is_integral_v<T>) {
    // Of four one waits for the result before: integers may be grouped.
    for (; i + 4 <= size; i += 4, x += 4 * stride, y += 4 * stride) {
      const T a = x[0], b = x[stride], c = x[2 * stride], d = x[3 * stride];
      const T ab = combined(a, b);
      y[0] = combined(sum, a);
      y[stride] = combined(sum, ab);
      y[2 * stride] = combined(sum, combined(ab, c));
      sum = combined(sum, combined(ab, combined(c, d)));
      y[3 * stride] = sum;
    }
  }
  for (; i < size; ++i, x += stride, y += stride) {
    sum = combined(sum, *x);
    if constexpr (std::is_floating_point_v<T>) {
      *y = settled(sum);
    } else {
      *y = sum;
    }
  }
}

template <Reduction kReduction>
LineFunction line_function_of(ElementType element) {
  switch (element) {
    case ElementType::f32:
      return &run_line<float, kReduction>;
    case ElementType::f64:
      return &run_line<double, kReduction>;
    case ElementType::i32:
    case ElementType::ui32:
      return &run_line<std::uint32_t, kReduction>;
    case ElementType::i64:
    case ElementType::ui64:
      return &run_line<std::uint64_t, kReduction>;
    default:
      return nullptr;
  }
}

void run_one_by_one(const RunningLines& lines, std::int64_t count, const std::byte* from,
                    const std::byte* init, std::byte* to, Vmem& vmem) {
  const auto step = static_cast<std::int64_t>(lines.block * lines.bytes);
  std::byte* const neutral = vmem.take(static_cast<std::uint64_t>(step));
  replicate(init, lines.bytes, neutral, lines.block);
  for (std::int64_t line = 0; line < count; ++line) {
    const std::byte* before = neutral;
    for (std::int64_t i = 0; i < lines.size; ++i) {
      const std::int64_t k = (lines.forward ? i : lines.size - 1 - i) * step;
      lines.kernel(before, from + k, to + k, lines.block);
      before = to + k;
    }
    from += lines.size * step;
    to += lines.size * step;
  }
}

// One after the other: lines of single elements.
void run_by_function(const RunningLines& lines, std::int64_t count, const std::byte* from,
                     const std::byte* init, std::byte* to) {
  const auto bytes = static_cast<std::int64_t>(lines.bytes);
  const std::int64_t first = lines.forward ? 0 : (lines.size - 1) * bytes;
  for (std::int64_t line = 0; line < count; ++line) {
    const std::int64_t at = line * lines.size * bytes + first;
    lines.line(from + at, init, to + at, lines.size, lines.forward ? 1 : -1);
  }
}

}  // namespace

LineFunction line_function(Reduction reduction, ElementType element) {
  if (reduction == Reduction::sum) return line_function_of<Reduction::sum>(element);
  if (reduction == Reduction::product) return line_function_of<Reduction::product>(element);
  return nullptr;
}

void run_lines(const RunningLines& lines, std::int64_t count, const std::byte* from,
               const std::byte* init, std::byte* to, Vmem& vmem) {
  if (lines.block == 1 && count < kLeastLines && lines.line != nullptr)
    return run_by_function(lines, count, from, init, to);
  if (lines.block > 1 || count < kLeastLines)
    return run_one_by_one(lines, count, from, init, to, vmem);
  const LinesAtOnce at_once(lines, init, vmem);
  const std::int64_t line_bytes = lines.size * static_cast<std::int64_t>(lines.bytes);
  for (std::int64_t line = 0; line < count; line += kLinesAtOnce)
    at_once.run(std::min(kLinesAtOnce, count - line), from + line * line_bytes,
                to + line * line_bytes);
}

}  // namespace understudy::worker::ops
