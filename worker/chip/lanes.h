// SPDX-License-Identifier: Apache-2.0
// Short runs of bytes, and registers whose lanes are moved, on every instruction set. Pure
// functions, for inner loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace understudy::worker::ops {

struct Bytes16 {
  std::uint64_t low, high;
};
struct Bytes32 {
  Bytes16 low, high;
};

template <class T>
[[gnu::always_inline]] inline T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <class T>
[[gnu::always_inline]] inline void store(std::byte* at, const T& value) {
  std::memcpy(at, &value, sizeof(T));
}

// At least sizeof(T) bytes: whole pieces, then one that ends with the last byte.
template <class T>
[[gnu::always_inline]] inline void copy_pieces(const std::byte* in, std::byte* out,
                                               std::size_t bytes) {
  for (std::size_t i = 0; i + sizeof(T) < bytes; i += sizeof(T)) store(out + i, load<T>(in + i));
  store(out + bytes - sizeof(T), load<T>(in + bytes - sizeof(T)));
}
[[gnu::always_inline]] inline void copy_short(const std::byte* in, std::byte* out,
                                              std::size_t bytes) {
  if (bytes >= 32) return copy_pieces<Bytes32>(in, out, bytes);
  if (bytes >= 16) return copy_pieces<Bytes16>(in, out, bytes);
  if (bytes >= 8) return copy_pieces<std::uint64_t>(in, out, bytes);
  if (bytes >= 4) return copy_pieces<std::uint32_t>(in, out, bytes);
  if (bytes >= 2) return copy_pieces<std::uint16_t>(in, out, bytes);
  if (bytes == 1) *out = *in;
}

template <class T>
using Lanes [[gnu::vector_size(16)]] = T;
template <class T>
using WideLanes [[gnu::vector_size(32)]] = T;
template <class T>
constexpr std::int64_t kLanes = 16 / static_cast<std::int64_t>(sizeof(T));

// The lower, and the upper, halves of two registers element by element.
template <class V>
[[gnu::always_inline]] inline void zip(const V& a, const V& b, V& low, V& high) {
  if constexpr (sizeof(a[0]) == 1) {
    low = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    high =
        __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  } else if constexpr (sizeof(a[0]) == 2) {
    low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  } else if constexpr (sizeof(a[0]) == 4) {
    low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  } else {
    low = __builtin_shufflevector(a, b, 0, 2);
    high = __builtin_shufflevector(a, b, 1, 3);
  }
}

template <class V>
[[gnu::always_inline]] inline void reverse(V& a) {
  static_assert(sizeof(V) == 32);
  if constexpr (sizeof(a[0]) == 1) {
    a = __builtin_shufflevector(a, a, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17,
                                16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  } else if constexpr (sizeof(a[0]) == 2) {
    a = __builtin_shufflevector(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  } else if constexpr (sizeof(a[0]) == 4) {
    a = __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0);
  } else {
    a = __builtin_shufflevector(a, a, 3, 2, 1, 0);
  }
}

}  // namespace understudy::worker::ops
