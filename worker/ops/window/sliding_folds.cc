// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/window/sliding_folds.h"

#include <type_traits>

#include "worker/chip/numbers.h"
#include "worker/chip/register_of.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;
using program::Reduction;

template <class T, Reduction kReduction, class V>
[[gnu::always_inline]] inline void step(V& sums, const V& x) {
  if constexpr (kReduction == Reduction::sum)
    sums = sums + x;
  else
    sums = sums * x;
}

// kVectors vectors from element `i` on.
template <class T, Reduction kReduction, int kBytes, std::size_t kVectors>
[[gnu::always_inline]] inline void fold_vectors(const T* x, std::span<const std::int64_t> offsets,
                                                T* out) {
  using Vector = typename RegisterOf<T, kBytes>::Value;
  using Place = typename RegisterOf<T, kBytes>::Place;
  constexpr std::size_t kLanes = kBytes / sizeof(T);
  Vector sums[kVectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v)
    sums[v] = reinterpret_cast<const Place*>(out + v * kLanes)->value;
  for (const std::int64_t offset : offsets)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v)
      step<T, kReduction>(sums[v], reinterpret_cast<const Place*>(x + offset + v * kLanes)->value);
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) {
    if constexpr (std::is_floating_point_v<T>)
      sums[v] =
          sums[v] == sums[v] ? sums[v] : Vector{} + settled(static_cast<T>(__builtin_nan("")));
    reinterpret_cast<Place*>(out + v * kLanes)->value = sums[v];
  }
}

template <class T, Reduction kReduction>
void fold(const std::byte* in, std::span<const std::int64_t> offsets, std::byte* to,
          std::size_t n) {
  const T* const x = reinterpret_cast<const T*>(in);
  T* const out = reinterpret_cast<T*>(to);
  std::size_t i = 0;
  with_vectors([&]<int kBytes>() __attribute__((always_inline)) {
    constexpr std::size_t kLanes = kBytes / sizeof(T), kVectors = 8;
    for (; i + kVectors * kLanes <= n; i += kVectors * kLanes)
      fold_vectors<T, kReduction, kBytes, kVectors>(x + i, offsets, out + i);
    for (; i + kLanes <= n; i += kLanes)
      fold_vectors<T, kReduction, kBytes, 1>(x + i, offsets, out + i);
  });
  for (; i < n; ++i) {
    T sum = out[i];
    for (const std::int64_t offset : offsets)
      step<T, kReduction>(sum, x[static_cast<std::int64_t>(i) + offset]);
    if constexpr (std::is_floating_point_v<T>) sum = settled(sum);
    out[i] = sum;
  }
}

template <Reduction kReduction>
SlidingFold fold_of(ElementType element) {
  switch (element) {
    case ElementType::f32:
      return &fold<float, kReduction>;
    case ElementType::f64:
      return &fold<double, kReduction>;
    case ElementType::i32:
    case ElementType::ui32:
      return &fold<std::uint32_t, kReduction>;
    case ElementType::i64:
    case ElementType::ui64:
      return &fold<std::uint64_t, kReduction>;
    default:
      return nullptr;
  }
}

}  // namespace

SlidingFold sliding_fold(Reduction reduction, ElementType element) {
  if (reduction == Reduction::sum) return fold_of<Reduction::sum>(element);
  if (reduction == Reduction::product) return fold_of<Reduction::product>(element);
  return nullptr;
}

}  // namespace understudy::worker::ops
