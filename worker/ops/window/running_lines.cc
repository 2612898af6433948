// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/window/running_lines.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "program/ir/reductions.h"
#include "worker/chip/copy_lines.h"
#include "worker/chip/numbers.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;
using program::Reduction;
using program::kernels::BinaryKernel;
using program::kernels::UnaryKernel;

// Lines of single elements run side by side, as a call of the kernel costs more than an element:
// transposed in pieces that stay in the first-level cache.
constexpr std::int64_t kLinesAtOnce = 64, kPieceBytes = 16 << 10;
constexpr std::int64_t kLeastLines = 3;
// Elements that are computed together where lines are of blocks, or are converted.
constexpr std::int64_t kTogether = 1024;

bool rounds(Reduction reduction, ElementType element) {
  const bool adds = reduction == Reduction::sum || reduction == Reduction::product;
  return adds && program::is_float(element);
}
// What results are kept in.
ElementType kept_type(Reduction reduction, ElementType element) {
  if (!rounds(reduction, element)) return element;
  return element == ElementType::f32 ? ElementType::f64
                                     : program::kernels::accumulator_type(element);
}

// Elements `stride` (1 or -1) apart, combined one after the other into `sum`. They wait for each
// other, but not for calls.
using LineFunction = void (*)(const std::byte* from, std::byte* sum, std::byte* to,
                              std::int64_t size, std::int64_t stride);

template <class T, class Sum, Reduction kReduction>
void run_line(const std::byte* from, std::byte* kept, std::byte* to, std::int64_t size,
              std::int64_t stride) {
  const auto combined = [](Sum a, Sum b) { return kReduction == Reduction::sum ? a + b : a * b; };
  const auto* x = reinterpret_cast<const T*>(from);
  auto* y = reinterpret_cast<T*>(to);
  Sum sum = *reinterpret_cast<const Sum*>(kept);
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
    sum = combined(sum, Sum{*x});
    if constexpr (std::is_floating_point_v<T>) {
      *y = settled(static_cast<T>(sum));
    } else {
      *y = sum;
    }
  }
  *reinterpret_cast<Sum*>(kept) = sum;
}

template <Reduction kReduction>
LineFunction line_function_of(ElementType element, ElementType kept) {
  switch (element) {
    case ElementType::f32:
      return kept == ElementType::f64 ? &run_line<float, double, kReduction>
                                      : &run_line<float, float, kReduction>;
    case ElementType::f64:
      return &run_line<double, double, kReduction>;
    case ElementType::i32:
    case ElementType::ui32:
      return &run_line<std::uint32_t, std::uint32_t, kReduction>;
    case ElementType::i64:
    case ElementType::ui64:
      return &run_line<std::uint64_t, std::uint64_t, kReduction>;
    default:
      return nullptr;
  }
}
// nullptr where there is none.
LineFunction line_function(Reduction reduction, ElementType element, ElementType kept) {
  if (reduction == Reduction::sum) return line_function_of<Reduction::sum>(element, kept);
  if (reduction == Reduction::product) return line_function_of<Reduction::product>(element, kept);
  return nullptr;
}

// The results so far of some elements side by side, and what they become.
class Kept {
 public:
  Kept(const program::kernels::KernelTable& kernels, const RunningLines& lines, std::int64_t most,
       const std::byte* init, Vmem& vmem)
      : type_(kept_type(lines.reduction, lines.element)),
        kernel_(kernels.binary(*program::function_of(lines.reduction), type_)),
        widen_(type_ == lines.element ? nullptr : kernels.convert(lines.element, type_)),
        narrow_(type_ == lines.element ? nullptr : kernels.convert(type_, lines.element)),
        bytes_(program::byte_size(type_)),
        sums_(take(most, vmem)),
        wide_(widen_ == nullptr ? nullptr : take(most, vmem)) {
    kernels.convert(lines.element, type_)(init, init_, 1);
  }

  ElementType type() const { return type_; }
  std::byte* sums() const { return sums_; }
  void start(std::int64_t count) {
    replicate(init_, bytes_, sums_, static_cast<std::size_t>(count));
    before_ = sums_;
  }
  // The next `count` elements of `in`; the results go to `out`, which may be `in`.
  void step(const std::byte* in, std::byte* out, std::int64_t count) {
    const auto n = static_cast<std::size_t>(count);
    if (widen_ == nullptr) {
      kernel_(before_, in, out, n);
      before_ = out;
      return;
    }
    widen_(in, wide_, n);
    kernel_(sums_, wide_, sums_, n);
    narrow_(sums_, out, n);
  }
  // The last results may be overwritten from here on.
  void keep(std::int64_t count) {
    if (before_ != sums_) std::memcpy(sums_, before_, static_cast<std::size_t>(count) * bytes_);
    before_ = sums_;
  }
  // The next elements of one line of single ones, from the last of `in` on where it runs backwards.
  // *Requires*: a wider type.
  void run_converted(LineFunction line, const std::byte* in, std::byte* out, std::int64_t count,
                     bool forward) const {
    const auto n = static_cast<std::size_t>(count);
    widen_(in, wide_, n);
    std::byte* const first = wide_ + (forward ? 0 : (n - 1) * bytes_);
    line(first, sums_, first, count, forward ? 1 : -1);
    narrow_(wide_, out, n);
  }

 private:
  std::byte* take(std::int64_t most, Vmem& vmem) const {
    return vmem.take(static_cast<std::uint64_t>(most) * bytes_);
  }

  ElementType type_;
  BinaryKernel kernel_;
  UnaryKernel widen_, narrow_;
  std::size_t bytes_;
  std::byte *sums_, *wide_;
  const std::byte* before_ = nullptr;  // the last results
  alignas(16) std::byte init_[16];
};

class LinesAtOnce {
 public:
  LinesAtOnce(const RunningLines& lines, Kept& kept, Vmem& vmem)
      : lines_(lines),
        kept_(kept),
        bytes_(static_cast<std::int64_t>(program::byte_size(lines.element))),
        piece_(std::min(lines.size, kPieceBytes / (kLinesAtOnce * bytes_))),
        columns_(vmem.take(static_cast<std::uint64_t>(piece_ * kLinesAtOnce * bytes_))) {}

  void run(std::int64_t count, const std::byte* from, std::byte* to) {
    const std::int64_t line_bytes = lines_.size * bytes_;
    const auto bytes = static_cast<std::size_t>(bytes_);
    kept_.start(count);
    for (std::int64_t done = 0; done < lines_.size; done += piece_) {
      const std::int64_t n = std::min(piece_, lines_.size - done);
      const std::int64_t at = (lines_.forward ? done : lines_.size - done - n) * bytes_;
      transpose_plane({{n, bytes_, count * bytes_}, {count, line_bytes, bytes_}, bytes}, from + at,
                      columns_);
      // Column by column.
      for (std::int64_t i = 0; i < n; ++i) {
        std::byte* const column = columns_ + (lines_.forward ? i : n - 1 - i) * count * bytes_;
        kept_.step(column, column, count);
      }
      kept_.keep(count);
      transpose_plane({{count, bytes_, line_bytes}, {n, count * bytes_, bytes_}, bytes}, columns_,
                      to + at);
    }
  }

 private:
  const RunningLines& lines_;
  Kept& kept_;
  std::int64_t bytes_, piece_;
  std::byte* columns_;
};

// Blocks, some of their elements at a time.
void run_blocks(const RunningLines& lines, std::int64_t count, const std::byte* from, std::byte* to,
                Kept& kept) {
  const auto bytes = static_cast<std::int64_t>(program::byte_size(lines.element));
  const auto block = static_cast<std::int64_t>(lines.block);
  for (std::int64_t line = 0; line < count; ++line)
    for (std::int64_t first = 0; first < block; first += kTogether) {
      const std::int64_t n = std::min(kTogether, block - first);
      kept.start(n);
      for (std::int64_t i = 0; i < lines.size; ++i) {
        const std::int64_t row = line * lines.size + (lines.forward ? i : lines.size - 1 - i);
        const std::int64_t at = (row * block + first) * bytes;
        kept.step(from + at, to + at, n);
      }
    }
}

// One after the other: lines of single elements, piece by piece where they are converted.
void run_by_function(const RunningLines& lines, LineFunction line, bool converts,
                     std::int64_t count, const std::byte* from, std::byte* to, Kept& kept) {
  const auto bytes = static_cast<std::int64_t>(program::byte_size(lines.element));
  for (std::int64_t k = 0; k < count; ++k) {
    kept.start(1);
    const std::int64_t at = k * lines.size * bytes;
    if (!converts) {
      const std::int64_t first = at + (lines.forward ? 0 : (lines.size - 1) * bytes);
      line(from + first, kept.sums(), to + first, lines.size, lines.forward ? 1 : -1);
      continue;
    }
    for (std::int64_t done = 0; done < lines.size; done += kTogether) {
      const std::int64_t n = std::min(kTogether, lines.size - done);
      const std::int64_t piece = at + (lines.forward ? done : lines.size - done - n) * bytes;
      kept.run_converted(line, from + piece, to + piece, n, lines.forward);
    }
  }
}

}  // namespace

void run_lines(const program::kernels::KernelTable& kernels, const RunningLines& lines,
               std::int64_t count, const std::byte* from, const std::byte* init, std::byte* to,
               Vmem& vmem) {
  Kept kept(kernels, lines, kTogether, init, vmem);
  const bool is_few = lines.block == 1 && count < kLeastLines;
  if (is_few) {
    const LineFunction own = line_function(lines.reduction, lines.element, kept.type());
    if (own != nullptr) return run_by_function(lines, own, false, count, from, to, kept);
    const LineFunction wide = line_function(lines.reduction, kept.type(), kept.type());
    if (wide != nullptr && kept.type() != lines.element)
      return run_by_function(lines, wide, true, count, from, to, kept);
  }
  if (lines.block > 1 || is_few) return run_blocks(lines, count, from, to, kept);
  LinesAtOnce at_once(lines, kept, vmem);
  const std::int64_t line_bytes =
      lines.size * static_cast<std::int64_t>(program::byte_size(lines.element));
  for (std::int64_t line = 0; line < count; line += kLinesAtOnce)
    at_once.run(std::min(kLinesAtOnce, count - line), from + line * line_bytes,
                to + line * line_bytes);
}

}  // namespace understudy::worker::ops
