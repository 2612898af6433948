// SPDX-License-Identifier: Apache-2.0
// Transpositions go through a block of their own, which is written from registers that hold small
// transposed squares, and read in whole lines: lines that are a power of two apart would push each
// other out of the cache before they are complete.
#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "worker/chip/copy_lines.h"
#include "worker/chip/lanes.h"
#include "worker/chip/transpose_few.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

constexpr std::int64_t kWritten = 128;  // bytes of a line of the block: two lines of the cache
constexpr std::int64_t kRead = 256;     // bytes that are read of each line of the source
constexpr std::int64_t kLine = 64;
constexpr std::int64_t kSmall = 8192;  // bytes of a plane: with its source half of the cache

// A square of as many lines as a register has lanes.
template <class T>
[[gnu::always_inline]] inline void transpose_square(const std::byte* in, std::int64_t in_step,
                                                    std::byte* out, std::int64_t out_step) {
  constexpr int kSide = static_cast<int>(kRegisterBytes / sizeof(T));
  Lanes<T> lines[kSide];
#pragma GCC unroll 16
  for (int i = 0; i < kSide; ++i) std::memcpy(&lines[i], in + i * in_step, kRegisterBytes);
  zip_all(lines);
#pragma GCC unroll 16
  for (int i = 0; i < kSide; ++i) std::memcpy(out + i * out_step, &lines[i], kRegisterBytes);
}

// The same of `lines` lines of `bytes` bytes, fewer than a square has; the rest of the square is
// zeros.
template <class T>
[[gnu::always_inline]] inline void transpose_part(const std::byte* in, std::int64_t in_step,
                                                  std::int64_t lines, std::size_t bytes,
                                                  std::byte* out, std::int64_t out_step) {
  alignas(kRegisterBytes) std::byte square[kRegisterBytes / sizeof(T)][kRegisterBytes] = {};
  for (std::int64_t i = 0; i < lines; ++i) copy_short(in + i * in_step, square[i], bytes);
  transpose_square<T>(square[0], kRegisterBytes, out, out_step);
}

// in[line][k] -> out[k][line]; lines of `out` are kWritten bytes apart. `below` lines of the plane
// follow: a register that begins in a line may end in one of them.
template <class T>
[[gnu::always_inline]] inline void transpose_block(const std::byte* in, std::int64_t in_step,
                                                   std::int64_t lines, std::int64_t length,
                                                   std::int64_t below, std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t kSide = kRegisterBytes / kBytes;
  // Of fewer lines a square takes longer than their elements one by one.
  constexpr std::int64_t kFewest = kSide / 4 + 1;
  std::int64_t line = 0;
  if constexpr (kSide > 1) {
    for (; line + kFewest <= lines; line += kSide) {
      const std::int64_t count = std::min(kSide, lines - line);
      const std::int64_t rest = (lines + below - line - kSide) * in_step;
      for (std::int64_t k = 0; k < length; k += kSide) {
        const std::byte* const from = in + line * in_step + k * kBytes;
        std::byte* const to = out + k * kWritten + line * kBytes;
        if (count == kSide && (k + kSide <= length || rest >= kRegisterBytes)) {
          transpose_square<T>(from, in_step, to, kWritten);
        } else {
          transpose_part<T>(from, in_step, count,
                            static_cast<std::size_t>(std::min(kSide, length - k) * kBytes), to,
                            kWritten);
        }
      }
    }
  }
  for (; line < lines; ++line)
    for (std::int64_t k = 0; k < length; ++k)
      std::memcpy(out + k * kWritten + line * kBytes, in + line * in_step + k * kBytes, sizeof(T));
}

// A plane that stays in the first-level cache, without a block. *Requires*: rows of whole squares.
template <class T>
[[gnu::always_inline]] inline void transpose_small(const Plane& p, const std::byte* in,
                                                   std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t kSide = kRegisterBytes / kBytes;
  const std::int64_t lines = p.columns.count, length = p.rows.count;
  std::int64_t line = 0;
  if constexpr (kSide > 1) {
    for (; line + kSide <= lines; line += kSide) {
      for (std::int64_t k = 0; k < length; k += kSide)
        transpose_square<T>(in + line * p.columns.in + k * kBytes, p.columns.in,
                            out + k * p.rows.out + line * kBytes, p.rows.out);
    }
  }
  for (; line < lines; ++line)
    for (std::int64_t k = 0; k < length; ++k)
      std::memcpy(out + k * p.rows.out + line * kBytes, in + line * p.columns.in + k * kBytes,
                  sizeof(T));
}

template <class T>
[[gnu::always_inline]] inline void transpose(const Plane& p, const std::byte* in, std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  if constexpr (kBytes < kRegisterBytes)
    if (transpose_few<T>(p, in, out)) return;
  if (p.columns.count * p.rows.count * kBytes <= kSmall &&
      p.rows.count % (kRegisterBytes / kBytes) == 0)
    return transpose_small<T>(p, in, out);
  constexpr std::int64_t kLines = kWritten / kBytes;
  // Bytes have four times as many lines in a block as words; it is to fit half of the cache.
  constexpr std::int64_t kLength = (kBytes == 1 ? kRead / 2 : kRead) / kBytes;
  alignas(64) std::byte block[kLength * kWritten];
  const bool streams =
      p.streams && (reinterpret_cast<std::uintptr_t>(out) % kLine == 0) && p.rows.out % kLine == 0;
  for (std::int64_t i = 0; i < p.columns.count; i += kLines) {
    const std::int64_t lines = std::min(kLines, p.columns.count - i);
    for (std::int64_t m = 0; m < p.rows.count; m += kLength) {
      const std::int64_t length = std::min(kLength, p.rows.count - m);
      transpose_block<T>(in + i * p.columns.in + m * kBytes, p.columns.in, lines, length,
                         p.columns.count - i - lines, block);
      std::byte* to = out + m * p.rows.out + i * kBytes;
      for (std::int64_t k = 0; k < length; ++k, to += p.rows.out) {
        if (lines < kLines) {
          copy_short(block + k * kWritten, to, static_cast<std::size_t>(lines * kBytes));
        } else if (streams) {
          stream_bytes(block + k * kWritten, to, kWritten);
        } else {
          std::memcpy(to, block + k * kWritten, kWritten);
        }
      }
    }
  }
}

#define UNDERSTUDY_TRANSPOSE(type, name)                                                      \
  UNDERSTUDY_VECTOR_CODE void name(const Plane& plane, const std::byte* in, std::byte* out) { \
    transpose<type>(plane, in, out);                                                          \
  }
UNDERSTUDY_TRANSPOSE(std::uint8_t, transpose_1)
UNDERSTUDY_TRANSPOSE(std::uint16_t, transpose_2)
UNDERSTUDY_TRANSPOSE(std::uint32_t, transpose_4)
UNDERSTUDY_TRANSPOSE(std::uint64_t, transpose_8)
UNDERSTUDY_TRANSPOSE(Bytes16, transpose_16)
#undef UNDERSTUDY_TRANSPOSE

}  // namespace

void transpose_plane(const Plane& plane, const std::byte* in, std::byte* out) {
  switch (plane.bytes) {
    case 1:
      return transpose_1(plane, in, out);
    case 2:
      return transpose_2(plane, in, out);
    case 4:
      return transpose_4(plane, in, out);
    case 8:
      return transpose_8(plane, in, out);
    default:
      UNDERSTUDY_ASSERT(plane.bytes == 16);
      return transpose_16(plane, in, out);
  }
}

}  // namespace understudy::worker::ops
