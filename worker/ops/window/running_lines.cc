// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/window/running_lines.h"

#include <algorithm>
#include <cstring>

#include "worker/chip/copy_lines.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

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

}  // namespace

void run_lines(const RunningLines& lines, std::int64_t count, const std::byte* from,
               const std::byte* init, std::byte* to, Vmem& vmem) {
  if (lines.block > 1 || count < kLeastLines)
    return run_one_by_one(lines, count, from, init, to, vmem);
  const LinesAtOnce at_once(lines, init, vmem);
  const std::int64_t line_bytes = lines.size * static_cast<std::int64_t>(lines.bytes);
  for (std::int64_t line = 0; line < count; line += kLinesAtOnce)
    at_once.run(std::min(kLinesAtOnce, count - line), from + line * line_bytes,
                to + line * line_bytes);
}

}  // namespace understudy::worker::ops
