// SPDX-License-Identifier: Apache-2.0
// Steps of ArgReduce on eight elements at once, by the type of the elements. A step keeps its value
// where a > b or a is NaN (less for the smallest), and of equal values the smaller position; the
// value is then the new one, whose zero may have another sign. For functions that are compiled as
// vector code.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "worker/chip/numbers.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {

// Eight elements. g++ makes no vectors of a loop that compares floats to choose integers.
using RowVector [[gnu::vector_size(32)]] = float;
using Integers [[gnu::vector_size(32)]] = std::int32_t;
using Halves [[gnu::vector_size(16)]] = std::uint16_t;
constexpr std::int64_t kAtOnce = 8;

template <class Value, class Vector>
struct Plain {
  using Stored = Value;
  using Lanes = Vector;
  [[gnu::always_inline]] static inline void load_lanes(const Value* x, Lanes& lanes) {
    lanes = reinterpret_cast<const InMemory<Lanes>*>(x)->value;
  }
  [[gnu::always_inline]] static inline void store_lanes(const Lanes& lanes, Value* x) {
    reinterpret_cast<InMemory<Lanes>*>(x)->value = lanes;
  }
  [[gnu::always_inline]] static inline Value load(Value x) { return x; }
  [[gnu::always_inline]] static inline Stored stored(Value x) { return x; }
};
using F32 = Plain<float, RowVector>;
using I32 = Plain<std::int32_t, Integers>;
// Bytes, compared as numbers of 32 bits; preds are 0 and 1.
using SignedBytes [[gnu::vector_size(8)]] = std::int8_t;
using UnsignedBytes [[gnu::vector_size(8)]] = std::uint8_t;
template <class Byte, class Bytes>
struct Small {
  using Stored = Byte;
  using Lanes = Integers;
  [[gnu::always_inline]] static inline void load_lanes(const Byte* x, Lanes& lanes) {
    lanes = __builtin_convertvector(reinterpret_cast<const InMemory<Bytes>*>(x)->value, Lanes);
  }
  [[gnu::always_inline]] static inline void store_lanes(const Lanes& lanes, Byte* x) {
    reinterpret_cast<InMemory<Bytes>*>(x)->value = __builtin_convertvector(lanes, Bytes);
  }
  [[gnu::always_inline]] static inline std::int32_t load(Byte x) { return x; }
  [[gnu::always_inline]] static inline Stored stored(std::int32_t x) {
    return static_cast<Stored>(x);
  }
};
using I8 = Small<std::int8_t, SignedBytes>;
using UI8 = Small<std::uint8_t, UnsignedBytes>;
struct Bf16 {
  using Stored = std::uint16_t;
  using Lanes = RowVector;
  [[gnu::always_inline]] static inline void load_lanes(const std::uint16_t* x, Lanes& lanes) {
    const Halves halves = reinterpret_cast<const InMemory<Halves>*>(x)->value;
    lanes = reinterpret_cast<Lanes>(__builtin_convertvector(halves, Integers) << 16);
  }
  // Of what load_lanes() gave.
  [[gnu::always_inline]] static inline void store_lanes(const Lanes& lanes, std::uint16_t* x) {
    const Integers bits = reinterpret_cast<const Integers&>(lanes) >> 16;
    reinterpret_cast<InMemory<Halves>*>(x)->value = __builtin_convertvector(bits, Halves);
  }
  [[gnu::always_inline]] static inline float load(std::uint16_t x) { return float_of_bf16(x); }
  // Of what load() gave.
  [[gnu::always_inline]] static inline Stored stored(float x) {
    return static_cast<Stored>(std::bit_cast<std::uint32_t>(x) >> 16);
  }
};

// kAtOnce elements of so many bytes, as integers.
template <std::size_t kBytes>
struct StoredBits;
template <>
struct StoredBits<1> {
  typedef std::int8_t Vector __attribute__((vector_size(8)));
};
template <>
struct StoredBits<2> {
  typedef std::int16_t Vector __attribute__((vector_size(16)));
};
template <>
struct StoredBits<4> {
  typedef std::int32_t Vector __attribute__((vector_size(32)));
};

// The step of each value and position with element x[k], which is at `position`. Vectors by hand:
// with AVX2 g++ would take one element after the other.
template <class T, bool kLargest>
[[gnu::always_inline]] inline void step(const typename T::Stored* x, std::int32_t position,
                                        typename T::Stored* values, std::int32_t* positions,
                                        std::int64_t n) {
  using Bits = typename StoredBits<sizeof(typename T::Stored)>::Vector;
  std::int64_t k = 0;
  for (; k + kAtOnce <= n; k += kAtOnce) {
    typename T::Lanes a, b;
    T::load_lanes(values + k, a);
    T::load_lanes(x + k, b);
    auto* const places = reinterpret_cast<InMemory<Integers>*>(positions + k);
    auto* const kept = reinterpret_cast<InMemory<Bits>*>(values + k);
    const Integers old = places->value;
    const Integers keeps = (kLargest ? a > b : a < b) | (a != a);
    const Integers keeps_position = keeps | ((a == b) & (old < position));
    places->value = keeps_position ? old : Integers{} + position;
    kept->value = __builtin_convertvector(keeps, Bits)
                      ? kept->value
                      : reinterpret_cast<const InMemory<Bits>*>(x + k)->value;
  }
  for (; k < n; ++k) {
    const auto a = T::load(values[k]), b = T::load(x[k]);
    const bool keeps = (kLargest ? a > b : a < b) | (a != a);
    const bool keeps_position = keeps | ((a == b) & (positions[k] < position));
    values[k] = keeps ? values[k] : x[k];
    positions[k] = keeps_position ? positions[k] : position;
  }
}

}  // namespace understudy::worker::ops
