// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/combine_runs.h"

#include <limits>

#include "configs/base/error.h"
#include "worker/chip/lanes.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/indexing/element_offsets.h"

namespace understudy::worker::ops {
namespace {

using program::Reduction;

template <class V>
using NumberOf = std::remove_cvref_t<decltype(V{}[0])>;
template <class V>
constexpr auto kNan = std::numeric_limits<NumberOf<V>>::quiet_NaN();

template <bool kLargest, class V>
[[gnu::always_inline]] inline void put_extreme(V& a, const V& b) {
  const V larger = a > b ? a : b, smaller = a < b ? a : b;
  if constexpr (!std::is_floating_point_v<NumberOf<V>>) {
    a = kLargest ? larger : smaller;
  } else {
    // Where neither is better, the other operand: the bits of two zeros meet, and only a NaN makes
    // a difference.
    using Bits = decltype(a < b);
    const V one = kLargest ? larger : smaller, other = kLargest ? (b > a ? b : a) : (b < a ? b : a);
    const Bits x = __builtin_bit_cast(Bits, one), y = __builtin_bit_cast(Bits, other);
    a = one == other ? __builtin_bit_cast(V, kLargest ? x & y : x | y) : V{} + kNan<V>;
  }
}

template <Reduction kReduction, class V>
[[gnu::always_inline]] inline void combine_lanes(V& a, const V& b) {
  constexpr bool kAdds = kReduction == Reduction::sum;
  if constexpr (kReduction == Reduction::minimum || kReduction == Reduction::maximum) {
    put_extreme<kReduction == Reduction::maximum>(a, b);
  } else {
    a = kAdds ? a + b : a * b;
    if constexpr (std::is_floating_point_v<NumberOf<V>>) a = a == a ? a : V{} + kNan<V>;
  }
}

// As many vectors as there are elements for; returns the first element behind them.
template <Reduction kReduction, class V, class T>
[[gnu::always_inline]] inline std::size_t combine_vectors(const T* x, std::size_t first,
                                                          std::size_t run, T* y) {
  constexpr std::size_t kCount = sizeof(V) / sizeof(T);
  for (; first + kCount <= run; first += kCount) {
    auto* const to = reinterpret_cast<InMemory<V>*>(y + first);
    V both = to->value;
    combine_lanes<kReduction>(both, reinterpret_cast<const InMemory<V>*>(x + first)->value);
    to->value = both;
  }
  return first;
}

template <Reduction kReduction, class T>
[[gnu::always_inline]] inline void combine_all(const std::uint32_t* offsets, std::size_t count,
                                               std::size_t run, const T* x, T* y) {
  for (std::size_t i = 0; i < count; ++i, x += run) {
    if (offsets[i] == kOutside) continue;
    T* const to = y + offsets[i];
    std::size_t r = combine_vectors<kReduction, WideLanes<T>>(x, 0, run, to);
    r = combine_vectors<kReduction, Lanes<T>>(x, r, run, to);
    for (; r < run; ++r) {
      Lanes<T> one = {to[r]};
      combine_lanes<kReduction>(one, Lanes<T>{x[r]});
      to[r] = one[0];
    }
  }
}

#define UNDERSTUDY_COMBINE(name, reduction, T)                                      \
  UNDERSTUDY_VECTOR_CODE void name(const std::uint32_t* offsets, std::size_t count, \
                                   std::size_t run, const T* x, T* y) {             \
    combine_all<Reduction::reduction>(offsets, count, run, x, y);                   \
  }
#define UNDERSTUDY_EXTREMES(T)                  \
  UNDERSTUDY_COMBINE(least_of_runs, minimum, T) \
  UNDERSTUDY_COMBINE(most_of_runs, maximum, T)
#define UNDERSTUDY_COMBINE_ALL(T)               \
  UNDERSTUDY_COMBINE(add_to_runs, sum, T)       \
  UNDERSTUDY_COMBINE(multiply_runs, product, T) \
  UNDERSTUDY_EXTREMES(T)
UNDERSTUDY_COMBINE_ALL(float)
UNDERSTUDY_COMBINE_ALL(double)
UNDERSTUDY_COMBINE_ALL(std::uint32_t)
UNDERSTUDY_EXTREMES(std::int32_t)
#undef UNDERSTUDY_COMBINE_ALL
#undef UNDERSTUDY_EXTREMES
#undef UNDERSTUDY_COMBINE

}  // namespace

template <class T>
void combine_runs(Reduction reduction, const std::uint32_t* offsets, std::size_t count,
                  std::size_t run, const T* x, T* y) {
  if (reduction == Reduction::minimum) return least_of_runs(offsets, count, run, x, y);
  if (reduction == Reduction::maximum) return most_of_runs(offsets, count, run, x, y);
  if constexpr (!std::is_same_v<T, std::int32_t>) {
    if (reduction == Reduction::sum) return add_to_runs(offsets, count, run, x, y);
    if (reduction == Reduction::product) return multiply_runs(offsets, count, run, x, y);
  }
  UNDERSTUDY_ASSERT(false);
}
template void combine_runs(Reduction, const std::uint32_t*, std::size_t, std::size_t, const float*,
                           float*);
template void combine_runs(Reduction, const std::uint32_t*, std::size_t, std::size_t, const double*,
                           double*);
template void combine_runs(Reduction, const std::uint32_t*, std::size_t, std::size_t,
                           const std::int32_t*, std::int32_t*);
template void combine_runs(Reduction, const std::uint32_t*, std::size_t, std::size_t,
                           const std::uint32_t*, std::uint32_t*);

}  // namespace understudy::worker::ops
