// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/add_runs.h"

#include "worker/chip/lanes.h"
#include "worker/chip/numbers.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/indexing/element_offsets.h"

namespace understudy::worker::ops {
namespace {

// As many vectors as there are elements for; returns the first element behind them.
template <class V, class T>
[[gnu::always_inline]] inline std::size_t add_vectors(const T* x, std::size_t first,
                                                      std::size_t run, T* y) {
  constexpr std::size_t kCount = sizeof(V) / sizeof(T);
  const V nan = V{} + std::numeric_limits<T>::quiet_NaN();
  for (; first + kCount <= run; first += kCount) {
    auto* const to = reinterpret_cast<InMemory<V>*>(y + first);
    const V sum = to->value + reinterpret_cast<const InMemory<V>*>(x + first)->value;
    to->value = sum == sum ? sum : nan;
  }
  return first;
}

template <class Wide, class Narrow, class T>
[[gnu::always_inline]] inline void add_all(const std::uint32_t* offsets, std::size_t count,
                                           std::size_t run, const T* x, T* y) {
  for (std::size_t i = 0; i < count; ++i, x += run) {
    if (offsets[i] == kOutside) continue;
    T* const to = y + offsets[i];
    std::size_t r = add_vectors<Wide>(x, 0, run, to);
    r = add_vectors<Narrow>(x, r, run, to);
    for (; r < run; ++r) to[r] = settled(to[r] + x[r]);
  }
}

}  // namespace

UNDERSTUDY_VECTOR_CODE void add_runs(const std::uint32_t* offsets, std::size_t count,
                                     std::size_t run, const float* x, float* y) {
  add_all<WideLanes<float>, Lanes<float>>(offsets, count, run, x, y);
}
UNDERSTUDY_VECTOR_CODE void add_runs(const std::uint32_t* offsets, std::size_t count,
                                     std::size_t run, const double* x, double* y) {
  add_all<WideLanes<double>, Lanes<double>>(offsets, count, run, x, y);
}

}  // namespace understudy::worker::ops
