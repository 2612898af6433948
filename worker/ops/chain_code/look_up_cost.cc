// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/look_up_cost.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <immintrin.h>
#include <limits>
#include <numeric>

namespace understudy::worker::ops::chain_code {
namespace {

constexpr std::size_t kNumbers = 4096, kEntries = 2048, kLanes = 16;
// Of an entry that is loaded alone: a load of its number, one of itself, and a sum.
constexpr double kHalvesOfLoad = 2;

struct Table {
  std::array<std::int32_t, kNumbers> numbers{};
  std::array<std::int32_t, kEntries> entries{};
};

// Both add up the entries, so that nothing is left out.
[[gnu::noinline]] std::int32_t load_each(const Table& table) {
  std::int32_t sum = 0;
  for (const std::int32_t number : table.numbers) {
    sum += table.entries[static_cast<std::size_t>(number)];
    asm volatile("" : "+r"(sum));
  }
  return sum;
}
[[gnu::noinline, gnu::target("avx512f")]] std::int32_t gather(const Table& table) {
  const __m512i zero = _mm512_setzero_si512();
  constexpr __mmask16 kAll = 0xffff;
  __m512i sums = zero;
  for (std::size_t i = 0; i < kNumbers; i += kLanes) {
    const __m512i numbers = _mm512_loadu_si512(table.numbers.data() + i);
    sums = _mm512_add_epi32(
        sums, _mm512_mask_i32gather_epi32(zero, kAll, numbers, table.entries.data(), 4));
  }
  std::array<std::int32_t, kLanes> lanes;
  _mm512_storeu_si512(lanes.data(), sums);
  return std::accumulate(lanes.begin(), lanes.end(), 0);
}

// The shortest of some runs.
template <class F>
double seconds_of(const F& f) {
  constexpr int kRuns = 8;
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    volatile std::int32_t sum = f();
    static_cast<void>(sum);
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

std::size_t measured() {
  if (__builtin_cpu_supports("avx512f") == 0) return SIZE_MAX;
  Table table;
  std::uint32_t random = 1;
  for (std::int32_t& number : table.numbers) {
    random = random * 1664525U + 1013904223U;
    number = static_cast<std::int32_t>(random >> 21);  // below kEntries
  }
  const double loads = seconds_of([&] { return load_each(table); });
  const double gathers = seconds_of([&] { return gather(table); });
  if (loads <= 0) return SIZE_MAX;
  return std::max(kQuickLookUp, static_cast<std::size_t>(gathers / loads * kHalvesOfLoad * kLanes));
}

}  // namespace

std::size_t look_up_cost() {
  static const std::size_t cost = measured();
  return cost;
}

}  // namespace understudy::worker::ops::chain_code
