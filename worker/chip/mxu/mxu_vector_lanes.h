// SPDX-License-Identifier: Apache-2.0
// The lanes of the sums of a matrix and a vector (docs/numerics.md, Products), in registers of AVX2
// or AVX-512: how numbers come to them, and the tree that joins them. Templates for code inside of
// with_vectors() and with_fused_vectors().
#pragma once

#include <cstdint>
#include <cstring>

#include "worker/chip/bf16_rounding.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::vector_lanes {

// `kSize` lanes, a register of AVX2 or AVX-512.
template <int kSize>
struct Vectors {
  typedef float Floats __attribute__((vector_size(4 * kSize)));
  typedef std::uint32_t Bits __attribute__((vector_size(4 * kSize)));
  typedef std::uint16_t Halves __attribute__((vector_size(2 * kSize)));
};
inline constexpr int kNarrow = 8;           // the fewest
inline constexpr std::int64_t kLanes = 32;  // of a sum

// f32 is rounded without a look at NaN, and its sum tells whether there was one: then `settled_f32`
// begins again, which rounds each NaN to a NaN.
enum class Row { f32, rounded_f32, settled_f32, bf16 };
template <Row kRow>
inline constexpr std::int64_t kBytes = kRow == Row::bf16 ? 2 : 4;

constexpr std::int64_t padded_length(std::int64_t k) { return (k + kLanes - 1) / kLanes * kLanes; }

// `seen`: the numbers as they are in memory, of which rounded_f32 keeps the sum.
template <Row kRow, int kSize, class V>
[[gnu::always_inline]] inline void load(const void* row, std::int64_t k, V& value, V& seen) {
  using Of = Vectors<kSize>;
  if constexpr (kRow == Row::bf16) {
    using Halves = typename Of::Halves;
    const auto* const from = static_cast<const std::uint16_t*>(row) + k;
    const Halves narrow = reinterpret_cast<const InMemory<Halves>*>(from)->value;
    // g++ would widen a vector in two parts that it joins again.
    const Halves zero = {};
    if constexpr (kSize == kNarrow) {
      value = reinterpret_cast<V>(
          __builtin_shufflevector(narrow, zero, 8, 0, 8, 1, 8, 2, 8, 3, 8, 4, 8, 5, 8, 6, 8, 7));
    } else {
      value = reinterpret_cast<V>(
          __builtin_shufflevector(narrow, zero, 16, 0, 16, 1, 16, 2, 16, 3, 16, 4, 16, 5, 16, 6, 16,
                                  7, 16, 8, 16, 9, 16, 10, 16, 11, 16, 12, 16, 13, 16, 14, 16, 15));
    }
  } else {
    const auto* const from = static_cast<const float*>(row) + k;
    value = reinterpret_cast<const InMemory<V>*>(from)->value;
    seen = value;
    if constexpr (kRow == Row::rounded_f32) round_number_to_bf16<typename Of::Bits>(value);
    if constexpr (kRow == Row::settled_f32) round_to_bf16<typename Of::Bits>(value);
  }
}

template <class V>
[[gnu::always_inline]] inline bool has_nan(const V& seen) {
  bool found = false;
  for (std::size_t l = 0; l < sizeof(V) / sizeof(float); ++l) found |= seen[l] != seen[l];
  return found;
}

// a and b become their elements at even and at odd places.
template <class V>
[[gnu::always_inline]] inline void part_by_parity(V& a, V& b) {
  const V left = a, right = b;
  if constexpr (sizeof(V) == sizeof(float) * 4) {
    a = __builtin_shufflevector(left, right, 0, 2, 4, 6);
    b = __builtin_shufflevector(left, right, 1, 3, 5, 7);
  } else if constexpr (sizeof(V) == sizeof(float) * kNarrow) {
    a = __builtin_shufflevector(left, right, 0, 2, 4, 6, 8, 10, 12, 14);
    b = __builtin_shufflevector(left, right, 1, 3, 5, 7, 9, 11, 13, 15);
  } else {
    a = __builtin_shufflevector(left, right, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                30);
    b = __builtin_shufflevector(left, right, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29,
                                31);
  }
}
// The reverse.
template <class V>
[[gnu::always_inline]] inline void join_by_parity(V& a, V& b) {
  const V even = a, odd = b;
  if constexpr (sizeof(V) == sizeof(float) * 4) {
    a = __builtin_shufflevector(even, odd, 0, 4, 1, 5);
    b = __builtin_shufflevector(even, odd, 2, 6, 3, 7);
  } else if constexpr (sizeof(V) == sizeof(float) * kNarrow) {
    a = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
    b = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
  } else {
    a = __builtin_shufflevector(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    b = __builtin_shufflevector(even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                31);
  }
}

// The numbers of a vector in the order that rows of bf16 have in registers, then zeros up to a
// whole number of kLanes: once for all rows, as AVX2 takes long for it.
template <int kSize>
[[gnu::always_inline]] inline void order_by_parity(const float* x, std::int64_t k, float* ordered) {
  using V = typename Vectors<kSize>::Floats;
  const auto order = [](const float* from, float* to) __attribute__((always_inline)) {
    V a = reinterpret_cast<const InMemory<V>*>(from)->value;
    V b = reinterpret_cast<const InMemory<V>*>(from + kSize)->value;
    part_by_parity(a, b);
    reinterpret_cast<InMemory<V>*>(to)->value = a;
    reinterpret_cast<InMemory<V>*>(to + kSize)->value = b;
  };
  std::int64_t i = 0;
  for (; i + 2 * kSize <= k; i += 2 * kSize) order(x + i, ordered + i);
  if (i == padded_length(k)) return;
  float rest[kLanes] = {};
  std::memcpy(rest, x + i, static_cast<std::size_t>(k - i) * sizeof(float));
  for (std::int64_t at = 0; at < kLanes && i + at < padded_length(k); at += 2 * kSize)
    order(rest + at, ordered + i + at);
}

// The tree of eight lanes: lane l and lane l + 4, then l + 2, then l + 1.
typedef float Four __attribute__((vector_size(16)));
template <class V>
[[gnu::always_inline]] inline void halve(const V& eight, Four& four) {
  four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) +
         __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
}
[[gnu::always_inline]] inline float sum_of(const Four& x) { return (x[0] + x[2]) + (x[1] + x[3]); }
// The same of four rows at once: a holds lanes 0 and 1 of two of them, b lanes 2 and 3.
[[gnu::always_inline]] inline void sums_of(const Four* x, Four& sums) {
  Four two[2];
#pragma GCC unroll 2
  for (int p = 0; p < 2; ++p) {
    const Four a = __builtin_shufflevector(x[2 * p], x[2 * p + 1], 0, 4, 1, 5);
    const Four b = __builtin_shufflevector(x[2 * p], x[2 * p + 1], 2, 6, 3, 7);
    two[p] = a + b;
  }
  sums = __builtin_shufflevector(two[0], two[1], 0, 1, 4, 5) +
         __builtin_shufflevector(two[0], two[1], 2, 3, 6, 7);
}

// Compilers would read it from memory again for its second use, and loads are what limits AVX2.
template <class V>
[[gnu::always_inline]] inline void keep_in_register([[maybe_unused]] V& x) {
#if defined(__x86_64__)
  asm("" : "+v"(x));
#endif
}

// The lanes of a sum, in registers of kSize of them: in order, but for rows of bf16, where two
// registers have the even and the odd ones of 2 kSize lanes. As half of a word each, these become
// f32 by a shift and by a mask.
template <Row kRow, int kSize>
struct Lanes {
  using V = typename Vectors<kSize>::Floats;
  using Bits = typename Vectors<kSize>::Bits;
  static constexpr int kParts = kLanes / kSize;
  static constexpr bool kByParity = kRow == Row::bf16;
  V parts[kParts];

  [[gnu::always_inline]] Lanes() {
#pragma GCC unroll 4
    for (V& part : parts) part = V{};
  }

  // The numbers of the vector for the lanes, which by parity are in this order already
  // (order_by_parity). kOther: how it is read.
  template <Row kOther>
  [[gnu::always_inline]] static void read(const float* x, std::int64_t k, V* right, V* seen) {
#pragma GCC unroll 4
    for (int p = 0; p < kParts; ++p) {
      V seen_right;
      load<kOther, kSize>(x, k + p * kSize, right[p], seen_right);
      if constexpr (kOther == Row::rounded_f32) seen[p % 2] += seen_right;
    }
  }

  // kMasked: of the row only the bits of `mask`, a register for each load.
  template <bool kHasFma, bool kMasked = false>
  [[gnu::always_inline]] void add(const void* row, const V* right, std::int64_t k, V* seen,
                                  [[maybe_unused]] const Bits* mask = nullptr) {
    if constexpr (kByParity) {
#pragma GCC unroll 2
      for (int p = 0; p < kParts; p += 2) {
        const auto* const from = static_cast<const std::uint16_t*>(row) + k + p * kSize;
        Bits both = reinterpret_cast<const InMemory<Bits>*>(from)->value;
        if constexpr (kMasked) both &= mask[p / 2];
        if constexpr (kHasFma) keep_in_register(both);
        add_product<kHasFma>(reinterpret_cast<V>(both << 16), right[p], parts[p]);
        add_product<kHasFma>(reinterpret_cast<V>(both & 0xFFFF0000U), right[p + 1], parts[p + 1]);
      }
    } else {
#pragma GCC unroll 4
      for (int p = 0; p < kParts; ++p) {
        V left, seen_left;
        if constexpr (kMasked) {
          load<Row::f32, kSize>(row, k + p * kSize, left, seen_left);
          left = seen_left = reinterpret_cast<V>(reinterpret_cast<Bits>(left) & mask[p]);
          if constexpr (kRow == Row::rounded_f32) round_number_to_bf16<Bits>(left);
          if constexpr (kRow == Row::settled_f32) round_to_bf16<Bits>(left);
        } else {
          load<kRow, kSize>(row, k + p * kSize, left, seen_left);
        }
        add_product<kHasFma>(left, right[p], parts[p]);
        if constexpr (kRow == Row::rounded_f32) seen[p % 2] += seen_left;
      }
    }
  }

  // Lane l and lane l + 16 are added first, then l + 8, then l + 4. By parity `odd` has the other
  // half of the lanes.
  [[gnu::always_inline]] void fold(Four& four, Four& odd) const {
    typename Vectors<kNarrow>::Floats eight, odd_eight;
    if constexpr (kByParity && kSize == kNarrow) {
      eight = parts[0] + parts[2];
      odd_eight = parts[1] + parts[3];
    } else if constexpr (kByParity) {
      halve_all(parts[0], eight);
      halve_all(parts[1], odd_eight);
    } else if constexpr (kSize == kNarrow) {
      eight = (parts[0] + parts[2]) + (parts[1] + parts[3]);
    } else {
      halve_all(parts[0] + parts[1], eight);
    }
    halve(eight, four);
    if constexpr (kByParity) halve(odd_eight, odd);
  }

 private:
  template <class Eight>
  [[gnu::always_inline]] static void halve_all(const V& all, Eight& eight) {
    eight = __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7) +
            __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15);
  }
};

}  // namespace understudy::worker::vector_lanes
