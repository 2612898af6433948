// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/copy_lines.h"

#include <algorithm>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "configs/base/error.h"
#include "worker/chip/interleave.h"
#include "worker/chip/lanes.h"
#include "worker/chip/register_of.h"
#include "worker/chip/reversed_rows.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

constexpr std::size_t kStreamLine = 64;
// Rows below this are copied without a call of memcpy, which costs as much as they do.
constexpr std::size_t kShort = 512;
// Longer rows of repeated elements are loops of their own.
constexpr std::int64_t kMostRepeated = 64;

// Rows of sizeof(T) to twice as many bytes: a piece at each end.
template <class T>
[[gnu::always_inline]] inline void copy_ends(const Axis& rows, std::size_t bytes,
                                             const std::byte* in, std::byte* out) {
  const std::size_t last = bytes - sizeof(T);
  for (std::int64_t r = 0; r < rows.count; ++r, in += rows.in, out += rows.out) {
    const T head = load<T>(in), tail = load<T>(in + last);
    store(out, head);
    store(out + last, tail);
  }
}
// Dense rows of less than sizeof(T) bytes, but for the last ones: what a row writes beyond its end,
// the next one overwrites. Returns how many.
template <class T>
[[gnu::always_inline]] inline std::int64_t copy_over(const Axis& rows, std::size_t bytes,
                                                     const std::byte* in, std::byte* out) {
  const auto row = static_cast<std::int64_t>(bytes);
  constexpr auto kPiece = static_cast<std::int64_t>(sizeof(T));
  std::int64_t r = 0;
  if (rows.out != row || rows.in + row < kPiece) return r;
  for (; r + 1 < rows.count && (rows.count - r) * row >= kPiece; ++r)
    store(out + r * row, load<T>(in + r * rows.in));
  return r;
}
UNDERSTUDY_VECTOR_CODE void copy_short_rows(Axis rows, std::size_t bytes, const std::byte* in,
                                            std::byte* out) {
  std::int64_t done = 0;
  const auto row = static_cast<std::int64_t>(bytes);
  if (bytes <= 8 && rows.in == -row && rows.out == row) {
    done = reverse_dense_rows(rows.count, bytes, in, out);
  } else if (bytes < 16) {
    done = copy_over<Bytes16>(rows, bytes, in, out);
  } else if (bytes > 16 && bytes < 32) {
    done = copy_over<Bytes32>(rows, bytes, in, out);
  }
  rows.count -= done;
  in += done * rows.in;
  out += done * rows.out;
  if (bytes >= 4 && bytes <= 8) return copy_ends<std::uint32_t>(rows, bytes, in, out);
  if (bytes > 8 && bytes <= 16) return copy_ends<std::uint64_t>(rows, bytes, in, out);
  if (bytes > 16 && bytes <= 32) return copy_ends<Bytes16>(rows, bytes, in, out);
  if (bytes > 32 && bytes <= 64) return copy_ends<Bytes32>(rows, bytes, in, out);
  for (std::int64_t r = 0; r < rows.count; ++r, in += rows.in, out += rows.out)
    copy_short(in, out, bytes);
}

void copy_rows(const Plane& plane, const std::byte* in, std::byte* out) {
  const Axis& rows = plane.rows;
  const std::size_t bytes = static_cast<std::size_t>(plane.columns.count) * plane.bytes;
  if (plane.streams) {
    for (std::int64_t r = 0; r < rows.count; ++r, in += rows.in, out += rows.out)
      stream_bytes(in, out, bytes);
  } else if (bytes < kShort) {
    copy_short_rows(rows, bytes, in, out);
  } else {
    for (std::int64_t r = 0; r < rows.count; ++r, in += rows.in, out += rows.out)
      std::memcpy(out, in, bytes);
  }
}

// One element per row, repeated.
template <class T>
[[gnu::always_inline]] inline void repeat_rows(const Axis& rows, std::int64_t count,
                                               const std::byte* in, std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  std::int64_t r = 0;
  if constexpr (sizeof(T) <= 8) {
    if (count == 2 && rows.in == kBytes && rows.out == 2 * kBytes) {
      for (; r + kLanes<T> <= rows.count; r += kLanes<T>, in += 16, out += 32) {
        Lanes<T> x, low, high;
        std::memcpy(&x, in, sizeof(x));
        zip(x, x, low, high);
        store(out, low);
        store(out + 16, high);
      }
    } else if (count == 3 && rows.in == kBytes && rows.out == 3 * kBytes) {
      for (; r + kLanes<T> <= rows.count; r += kLanes<T>, in += 16, out += 48) {
        Lanes<T> x, all[3];
        std::memcpy(&x, in, sizeof(x));
        interleave({x, x, x}, all);
        std::memcpy(out, all, sizeof(all));
      }
    }
    // Dense rows in whole registers: what a row writes beyond its end, the next one overwrites.
    const std::int64_t row = count * kBytes;
    if (rows.out == row && row <= kMostRepeated) {
      for (; (rows.count - r) * row >= row + 16; ++r, in += rows.in, out += row) {
        const Lanes<T> some = Lanes<T>{} + load<T>(in);
        for (std::int64_t i = 0; i < row; i += 16) store(out + i, some);
      }
    }
  }
  for (; r < rows.count; ++r, in += rows.in, out += rows.out) {
    const T value = load<T>(in);
    for (std::int64_t i = 0; i < count; ++i) store(out + i * kBytes, value);
  }
}

// Every kStep-th element, but for the last ones: returns how many. The last element that is read
// belongs to the row, not to what follows it.
template <std::int64_t kStep, class T, int kBytesOfVector>
[[gnu::always_inline]] inline std::int64_t take_registers(std::int64_t n, const std::byte* in,
                                                          std::byte* out) {
  using Place = typename RegisterOf<T, kBytesOfVector>::Place;
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t kSome = kBytesOfVector / kBytes;
  std::int64_t i = 0;
  for (; i + kSome < n; i += kSome) {
    const std::byte* const from = in + kStep * i * kBytes;
    typename RegisterOf<T, kBytesOfVector>::Value x[kStep], taken;
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < kStep; ++v)
      x[v] = reinterpret_cast<const Place*>(from + v * kBytesOfVector)->value;
    take_every(x, taken);
    reinterpret_cast<Place*>(out + i * kBytes)->value = taken;
  }
  return i;
}
// Steps for which that takes less time than a load for each element.
template <class T, int kBytesOfVector>
[[gnu::always_inline]] inline std::int64_t take_some(std::int64_t n, std::int64_t step,
                                                     const std::byte* in, std::byte* out) {
  constexpr int kSize = kBytesOfVector > 32 && sizeof(T) > 1 ? kBytesOfVector : 16;
  if (step == 2) return take_registers<2, T, kSize>(n, in, out);
  if (step == 3) return take_registers<3, T, kSize>(n, in, out);
  constexpr bool kPermutesBytes = kBytesOfVector > 16;
  if constexpr (kSize > 16 || (kPermutesBytes && sizeof(T) <= 2)) {
    if (step == 4) return take_registers<4, T, kSize>(n, in, out);
  }
  if constexpr (kSize > 16 || (kPermutesBytes && sizeof(T) == 1)) {
    if (step == 5) return take_registers<5, T, kSize>(n, in, out);
    if (step == 6) return take_registers<6, T, kSize>(n, in, out);
    if (step == 7) return take_registers<7, T, kSize>(n, in, out);
    if (step == 8) return take_registers<8, T, kSize>(n, in, out);
  }
  return 0;
}

// Every step-th element.
template <class T>
[[gnu::always_inline]] inline void gather_elements(std::int64_t n, std::int64_t step,
                                                   const std::byte* in, std::byte* out) {
  const auto* const from = reinterpret_cast<const InMemory<T>*>(in);
  auto* const to = reinterpret_cast<InMemory<T>*>(out);
  if (step == 3) {  // by permutations of vectors
    UNDERSTUDY_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) to[i].value = from[3 * i].value;
  } else if (step == 4) {
    UNDERSTUDY_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) to[i].value = from[4 * i].value;
  } else {
    UNDERSTUDY_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) to[i].value = from[i * step].value;
  }
}

// Columns that are reversed, or 2 or more elements apart in `in`; kBytesOfVector: of a register.
template <class T, int kBytesOfVector>
[[gnu::always_inline]] inline void gather_row(const Axis& columns, const std::byte* in,
                                              std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = 0;
  if constexpr (sizeof(T) <= 8) {
    if (columns.in == -kBytes) {
      // From the last one on: memory is read much faster in ascending order.
      constexpr std::int64_t kSome = 2 * kLanes<T>;
      i = columns.count / kSome * kSome;
      for (std::int64_t c = i - kSome; c >= 0; c -= kSome) {
        WideLanes<T> x;
        std::memcpy(&x, in - (c + kSome - 1) * kBytes, sizeof(x));
        reverse(x);
        store(out + c * kBytes, x);
      }
    } else if (columns.in % kBytes == 0) {
      i = take_some<T, kBytesOfVector>(columns.count, columns.in / kBytes, in, out);
    }
  }
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    if (columns.in % kBytes == 0) {
      gather_elements<T>(columns.count - i, columns.in / kBytes, in + i * columns.in,
                         out + i * kBytes);
      return;
    }
  }
  for (; i < columns.count; ++i) store(out + i * kBytes, load<T>(in + i * columns.in));
}

// Dense rows of kCount elements, but for the last ones: returns how many. `in` is the end of a row.
template <std::int64_t kCount, class T>
[[gnu::always_inline]] inline std::int64_t reverse_short_rows(std::int64_t rows,
                                                              const std::byte* in, std::byte* out) {
  constexpr auto kRow = static_cast<std::int64_t>(sizeof(T)) * kCount;
  const std::byte* const begin = in + static_cast<std::int64_t>(sizeof(T)) - kRow;
  std::int64_t r = 0;
  for (; r + kLanes<T> <= rows; r += kLanes<T>) {
    Lanes<T> x[kCount], reversed[kCount];
    std::memcpy(x, begin + r * kRow, sizeof(x));
    reverse_groups(x, reversed);
    std::memcpy(out + r * kRow, reversed, sizeof(reversed));
  }
  return r;
}

template <class T, int kBytesOfVector>
[[gnu::always_inline]] inline void gather_rows(const Plane& p, const std::byte* in,
                                               std::byte* out) {
  std::int64_t r = 0;
  if constexpr (sizeof(T) <= 8) {
    const std::int64_t row = p.columns.count * static_cast<std::int64_t>(sizeof(T));
    if (p.columns.in == -static_cast<std::int64_t>(sizeof(T)) && p.rows.in == row &&
        p.rows.out == row) {
      if (p.columns.count == 2) r = reverse_short_rows<2, T>(p.rows.count, in, out);
      if (p.columns.count == 3) r = reverse_short_rows<3, T>(p.rows.count, in, out);
      if (p.columns.count == 4) r = reverse_short_rows<4, T>(p.rows.count, in, out);
    }
  }
  for (; r < p.rows.count; ++r)
    gather_row<T, kBytesOfVector>(p.columns, in + r * p.rows.in, out + r * p.rows.out);
}

// Columns that are 2 or more elements apart in `out`.
template <class T>
[[gnu::always_inline]] inline void scatter_row(const Axis& columns, const std::byte* in,
                                               std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = 0;
  if constexpr (sizeof(T) <= 8) {
    if (columns.in == kBytes && columns.out == 2 * kBytes) {
      // Whole registers, in which the elements between the columns are written as they were. The
      // one after the last column does not belong to the row.
      constexpr std::int64_t kSome = kLanes<T>;
      Lanes<T> is_column = {};
      for (std::size_t lane = 0; lane < kSome; lane += 2) is_column[lane] = static_cast<T>(-1);
      for (; i + kSome < columns.count; i += kSome) {
        Lanes<T> x, low, high, old[2];
        std::memcpy(&x, in + i * kBytes, sizeof(x));
        std::memcpy(old, out + 2 * i * kBytes, sizeof(old));
        zip(x, x, low, high);
        store(out + 2 * i * kBytes, (low & is_column) | (old[0] & ~is_column));
        store(out + 2 * i * kBytes + 16, (high & is_column) | (old[1] & ~is_column));
      }
    }
  }
  for (; i < columns.count; ++i) store(out + i * columns.out, load<T>(in + i * columns.in));
}

#define UNDERSTUDY_ROWS(type, suffix)                                                            \
  UNDERSTUDY_VECTOR_CODE void repeat_##suffix(const Plane& p, const std::byte* in,               \
                                              std::byte* out) {                                  \
    repeat_rows<type>(p.rows, p.columns.count, in, out);                                         \
  }                                                                                              \
  void gather_##suffix(const Plane& p, const std::byte* in, std::byte* out) {                    \
    with_vectors([&]<int kBytes>()                                                               \
                     __attribute__((always_inline)) { gather_rows<type, kBytes>(p, in, out); }); \
  }                                                                                              \
  UNDERSTUDY_VECTOR_CODE void scatter_##suffix(const Plane& p, const std::byte* in,              \
                                               std::byte* out) {                                 \
    for (std::int64_t r = 0; r < p.rows.count; ++r, in += p.rows.in, out += p.rows.out)          \
      scatter_row<type>(p.columns, in, out);                                                     \
  }
UNDERSTUDY_ROWS(std::uint8_t, 1)
UNDERSTUDY_ROWS(std::uint16_t, 2)
UNDERSTUDY_ROWS(std::uint32_t, 4)
UNDERSTUDY_ROWS(std::uint64_t, 8)
UNDERSTUDY_ROWS(Bytes16, 16)
#undef UNDERSTUDY_ROWS

using PlaneLoop = void (*)(const Plane&, const std::byte*, std::byte*);
struct LoopsOf {
  std::size_t bytes;
  PlaneLoop repeat, gather, scatter;
};
const LoopsOf& loops_of(std::size_t bytes) {
  static constexpr LoopsOf kLoops[] = {{1, &repeat_1, &gather_1, &scatter_1},
                                       {2, &repeat_2, &gather_2, &scatter_2},
                                       {4, &repeat_4, &gather_4, &scatter_4},
                                       {8, &repeat_8, &gather_8, &scatter_8},
                                       {16, &repeat_16, &gather_16, &scatter_16}};
  const auto found = std::ranges::find(kLoops, bytes, &LoopsOf::bytes);
  UNDERSTUDY_ASSERT(found != std::end(kLoops));
  return *found;
}

// Makes pieces of the result in the first-level cache, and streams them.
void stream_pieces(PlaneLoop loop, const Plane& plane, const std::byte* in, std::byte* out) {
  constexpr std::int64_t kPiece = 4096;
  const auto bytes = static_cast<std::int64_t>(plane.bytes);
  const std::int64_t row = plane.columns.count * bytes;
  alignas(64) std::byte piece[kPiece];
  Plane part = plane;
  if (row < kPiece && row == plane.rows.out) {  // dense: some rows at once
    const std::int64_t most = kPiece / row;
    for (std::int64_t r = 0; r < plane.rows.count; r += most) {
      part.rows.count = std::min(most, plane.rows.count - r);
      loop(part, in + r * plane.rows.in, piece);
      stream_bytes(piece, out + r * row, static_cast<std::size_t>(part.rows.count * row));
    }
    return;
  }
  part.rows = {};
  for (std::int64_t r = 0; r < plane.rows.count; ++r, in += plane.rows.in, out += plane.rows.out)
    for (std::int64_t j = 0; j < plane.columns.count; j += kPiece / bytes) {
      part.columns.count = std::min(kPiece / bytes, plane.columns.count - j);
      // Reversed columns from their end: memory is read fastest in ascending order.
      const std::int64_t i =
          plane.columns.in < 0 ? plane.columns.count - j - part.columns.count : j;
      loop(part, in + i * plane.columns.in, piece);
      stream_bytes(piece, out + i * bytes, static_cast<std::size_t>(part.columns.count * bytes));
    }
}

}  // namespace

void copy_plane(const Plane& plane, const std::byte* in, std::byte* out) {
  if (plane.columns.in == static_cast<std::int64_t>(plane.bytes) || plane.columns.count == 1)
    return copy_rows(plane, in, out);
  const LoopsOf& loops = loops_of(plane.bytes);
  const PlaneLoop loop = plane.columns.in == 0 ? loops.repeat : loops.gather;
  if (plane.streams) return stream_pieces(loop, plane, in, out);
  loop(plane, in, out);
}

void copy_scattered(const Plane& plane, const std::byte* in, std::byte* out) {
  loops_of(plane.bytes).scatter(plane, in, out);
}

void stream_bytes(const std::byte* in, std::byte* out, std::size_t bytes) {
#if defined(__SSE2__)
  const std::size_t to_line =
      (kStreamLine - reinterpret_cast<std::uintptr_t>(out) % kStreamLine) % kStreamLine;
  const std::size_t head = std::min(bytes, to_line);
  copy_short(in, out, head);
  std::size_t at = head;
  for (; at + kStreamLine <= bytes; at += kStreamLine) {
    for (std::size_t i = 0; i < kStreamLine; i += 16)
      _mm_stream_si128(reinterpret_cast<__m128i*>(out + at + i), load<__m128i>(in + at + i));
  }
  copy_short(in + at, out + at, bytes - at);
#else
  std::memcpy(out, in, bytes);
#endif
}

void copy_dense(const std::byte* in, std::byte* out, std::size_t bytes) {
  if (bytes < static_cast<std::size_t>(kStreamedBytes)) {
    if (bytes > 0) std::memcpy(out, in, bytes);
    return;
  }
  stream_bytes(in, out, bytes);
  finish_stream();
}

void finish_stream() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace understudy::worker::ops
