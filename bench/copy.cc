// SPDX-License-Identifier: Apache-2.0
// The copy bandwidth of the machine's memory: the upper bound for collectives between buffers.
// Prints one JSON object of GB/s (a byte that is read once and written once counts once), with one
// thread per core, from memory or cache, through the cache or past it (streaming stores).
#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "bench/paired.h"

namespace understudy::bench {
namespace {

constexpr std::size_t kTarget = std::size_t{64} << 20;  // per thread; larger than its caches
// Fits the L2 cache of all usual cores, so only the target goes to memory.
constexpr std::size_t kCached = std::size_t{128} << 10;
constexpr int kRounds = 9;

using Copy = void (*)(std::byte*, const std::byte*, std::size_t);

void copy_through(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

// Streaming stores avoid reading the target's lines first (a third of memcpy's traffic).
void copy_past(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __SSE2__
  for (std::size_t at = 0; at < bytes; at += sizeof(__m128i)) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                     _mm_load_si128(reinterpret_cast<const __m128i*>(from + at)));
  }
  // Streaming stores are weakly ordered; the fence makes them part of the timed interval.
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

struct Pages {
  explicit Pages(std::size_t bytes) : data(new (std::align_val_t{4096}) std::byte[bytes]) {
    // Touched by the thread that uses it: pages are then local to its NUMA node.
    std::memset(data, 1, bytes);
  }
  ~Pages() { ::operator delete[](data, std::align_val_t{4096}); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  std::byte* data;
};

// Seconds of each round, from the moment when all threads are ready to the end of the last one.
std::vector<double> rounds(Copy copy, std::size_t source_bytes, unsigned threads) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  Clock::time_point start;
  bool running = false;
  // The completion runs once per meeting, while all threads wait: alternately the start and the end
  // of a round.
  std::barrier meeting(static_cast<std::ptrdiff_t>(threads), [&]() noexcept {
    const auto now = Clock::now();
    if (running) seconds.push_back(std::chrono::duration<double>(now - start).count());
    running = !running;
    start = now;
  });
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      const Pages from(source_bytes), to(kTarget);
      for (int round = 0; round < kRounds; ++round) {
        meeting.arrive_and_wait();
        for (std::size_t at = 0; at < kTarget; at += source_bytes)
          copy(to.data + at, from.data, source_bytes);
        meeting.arrive_and_wait();
      }
    });
  }
  workers.clear();
  return seconds;
}

nlohmann::json gigabytes_per_second(Copy copy, std::size_t source_bytes, unsigned threads) {
  std::vector<double> rates;
  for (const double seconds : rounds(copy, source_bytes, threads))
    rates.push_back(static_cast<double>(kTarget) * threads / seconds / 1e9);
  const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
  return {{"median", median_of(rates)}, {"least", *least}, {"most", *most}};
}

}  // namespace
}  // namespace understudy::bench

int main() {
  using namespace understudy::bench;
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const nlohmann::json rates = {
      {"threads", threads},
      {"memory_to_memory", gigabytes_per_second(copy_through, kTarget, threads)},
      {"memory_to_memory_streaming", gigabytes_per_second(copy_past, kTarget, threads)},
      {"cache_to_memory", gigabytes_per_second(copy_through, kCached, threads)},
      {"cache_to_memory_streaming", gigabytes_per_second(copy_past, kCached, threads)}};
  fmt::print("{}\n", rates.dump(2));
}
