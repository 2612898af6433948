// SPDX-License-Identifier: Apache-2.0
// Planes of a few lines, or of lines of a few elements, as images with their channels before or
// behind their pixels: transposed in registers alone. Pure functions of memory, for transpose.cc.
#pragma once

#include <cstdint>
#include <cstring>

#include "worker/chip/copy_lines.h"
#include "worker/chip/interleave.h"
#include "worker/chip/lanes.h"

namespace understudy::worker::ops {

constexpr std::int64_t kRegisterBytes = 16;

// Zipping line i with line i + n / 2 rotates the bits of the line's number and, below them, the
// lane's: the highest one of the line becomes the lowest one of the lane, and the highest one of
// the lane the lowest one of the line. 2^rounds: kPower.
template <int kPower, int kCount, class V>
[[gnu::always_inline]] inline void zip_rounds(V (&lines)[kCount]) {
  V next[kCount];
#pragma GCC unroll 4
  for (int round = 1; round < kPower; round *= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < kCount / 2; ++i)
      zip(lines[i], lines[i + kCount / 2], next[2 * i], next[2 * i + 1]);
#pragma GCC unroll 16
    for (int i = 0; i < kCount; ++i) lines[i] = next[i];
  }
}
// Element by element of kCount lines.
template <int kCount, class V>
[[gnu::always_inline]] inline void zip_all(V (&lines)[kCount]) {
  zip_rounds<kCount>(lines);
}
// Every kCount-th element of the lines in a row.
template <int kCount, class V>
[[gnu::always_inline]] inline void unzip_all(V (&lines)[kCount]) {
  zip_rounds<static_cast<int>(sizeof(V) / sizeof(lines[0][0]))>(lines);
}

template <class T>
struct TwiceAsLong;
template <>
struct TwiceAsLong<std::uint8_t> {
  using type = std::uint16_t;
};
template <>
struct TwiceAsLong<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct TwiceAsLong<std::uint32_t> {
  using type = std::uint64_t;
};

// Element by element of six lines, and back: pairs are zipped, and three of them interleaved.
template <class T>
[[gnu::always_inline]] inline void zip_six(Lanes<T> (&lines)[6]) {
  using Pairs = Lanes<typename TwiceAsLong<T>::type>;
  Pairs lower[3], upper[3], all[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    Lanes<T> two[2];
    zip(lines[2 * i], lines[2 * i + 1], two[0], two[1]);
    lower[i] = reinterpret_cast<Pairs>(two[0]);
    upper[i] = reinterpret_cast<Pairs>(two[1]);
  }
  ops::interleave(lower, all);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) lines[i] = reinterpret_cast<Lanes<T>>(all[i]);
  ops::interleave(upper, all);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) lines[3 + i] = reinterpret_cast<Lanes<T>>(all[i]);
}
template <class T>
[[gnu::always_inline]] inline void unzip_six(Lanes<T> (&lines)[6]) {
  using Pairs = Lanes<typename TwiceAsLong<T>::type>;
  Pairs all[3], lower[3], upper[3];
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) all[i] = reinterpret_cast<Pairs>(lines[i]);
  deinterleave(all, lower);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) all[i] = reinterpret_cast<Pairs>(lines[3 + i]);
  deinterleave(all, upper);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    Lanes<T> two[2] = {reinterpret_cast<Lanes<T>>(lower[i]), reinterpret_cast<Lanes<T>>(upper[i])};
    unzip_all(two);
    lines[2 * i] = two[0];
    lines[2 * i + 1] = two[1];
  }
}

// A few long lines element by element, to one place after the other.
template <class T, int kCount>
[[gnu::always_inline]] inline void interleave_lines(const Plane& p, const std::byte* in,
                                                    std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  std::int64_t k = 0;
  for (; k + kLanes<T> <= p.rows.count; k += kLanes<T>) {
    Lanes<T> lines[kCount];
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i)
      std::memcpy(&lines[i], in + i * p.columns.in + k * kBytes, kRegisterBytes);
    if constexpr (kCount == 3) {
      const Lanes<T> all[3] = {lines[0], lines[1], lines[2]};
      ops::interleave(all, lines);
    } else if constexpr (kCount == 6) {
      zip_six<T>(lines);
    } else {
      zip_all(lines);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i)
      std::memcpy(out + k * kCount * kBytes + i * kRegisterBytes, &lines[i], kRegisterBytes);
  }
  for (; k < p.rows.count; ++k)
    for (std::int64_t i = 0; i < kCount; ++i)
      std::memcpy(out + (k * kCount + i) * kBytes, in + i * p.columns.in + k * kBytes, sizeof(T));
}

// Many lines of kCount elements that follow each other, to kCount lines.
template <class T, int kCount>
[[gnu::always_inline]] inline void split_lines(const Plane& p, const std::byte* in,
                                               std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  std::int64_t line = 0;
  for (; line + kLanes<T> <= p.columns.count; line += kLanes<T>) {
    Lanes<T> lines[kCount];
    std::memcpy(lines, in + line * kCount * kBytes, sizeof(lines));
    if constexpr (kCount == 3) {
      const Lanes<T> all[3] = {lines[0], lines[1], lines[2]};
      deinterleave(all, lines);
    } else if constexpr (kCount == 6) {
      unzip_six<T>(lines);
    } else {
      unzip_all(lines);
    }
#pragma GCC unroll 8
    for (std::int64_t k = 0; k < kCount; ++k) store(out + k * p.rows.out + line * kBytes, lines[k]);
  }
  for (; line < p.columns.count; ++line)
    for (std::int64_t k = 0; k < kCount; ++k)
      std::memcpy(out + k * p.rows.out + line * kBytes, in + (line * kCount + k) * kBytes,
                  sizeof(T));
}

// Whether the plane has few lines, or lines of few elements, and is transposed in registers alone.
template <class T>
[[gnu::always_inline]] inline bool transpose_few(const Plane& p, const std::byte* in,
                                                 std::byte* out) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  const auto split = [&]<int kCount>() __attribute__((always_inline)) {
    if (p.rows.count != kCount || p.columns.in != kCount * kBytes) return false;
    split_lines<T, kCount>(p, in, out);
    return true;
  };
  const auto interleaved = [&]<int kCount>() __attribute__((always_inline)) {
    if (p.columns.count != kCount || p.rows.out != kCount * kBytes) return false;
    interleave_lines<T, kCount>(p, in, out);
    return true;
  };
  if (split.template operator()<3>() || interleaved.template operator()<2>() ||
      interleaved.template operator()<3>() || interleaved.template operator()<4>())
    return true;
  // What is streamed is quicker by blocks.
  if (p.streams && kBytes > 2) return false;
  if (split.template operator()<4>() || split.template operator()<8>() ||
      interleaved.template operator()<8>())
    return true;
  if constexpr (kBytes < 8)
    return split.template operator()<6>() || interleaved.template operator()<6>();
  return false;
}

}  // namespace understudy::worker::ops
