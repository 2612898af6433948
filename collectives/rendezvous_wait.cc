// SPDX-License-Identifier: Apache-2.0
// How a member of a rendezvous waits for its gate.
#include <chrono>
#include <cstdint>
#include <sched.h>
#include <string>
#include <utility>
#include <vector>

#include "collectives/board.h"
#include "collectives/doorbell.h"
#include "collectives/rendezvous.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::collectives {
namespace {

// A member spins, yields, then sleeps on the futex.
// With a core per rank a short spin is cheaper than a system call. But the scheduler may still have
// put two ranks on one core, where a spinning rank delays the rank that it waits for. So spins are
// short and each is followed by a yield, which costs little when no other rank wants the core. With
// more ranks than cores a member yields at once. These counts are tuning values; no result depends
// on them.
constexpr int kSpins = 20;
constexpr int kYields = 100;
constexpr auto kLookOften = std::chrono::milliseconds(50);
constexpr auto kLookSeldom = std::chrono::milliseconds(200);  // after kFrequentLooks looks
constexpr int kFrequentLooks = 20;

void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace

void Rendezvous::await(std::uint32_t epoch) {
  const int spins = shared_.ranks_here() <= shared_.cores() ? kSpins : 0;
  for (int i = 0; i < kYields; ++i) {
    for (int spin = 0; spin < spins && !reached(epoch); ++spin) pause_briefly();
    if (reached(epoch)) return;
    sched_yield();
  }
  if (!reached(epoch)) await_asleep(epoch);
}

void Rendezvous::await_asleep(std::uint32_t epoch) {
  Transport& transport = fabric_.transport;
  transport.begin_wait();
  std::uint64_t completed = gate_->completed.load(kRelaxed);
  for (int looks = 0; !reached(epoch); ++looks) {
    const auto limit = looks < kFrequentLooks ? kLookOften : kLookSeldom;
    // Announce, then read the epoch: the other half of the ordering in advance_to(). A process that
    // dies here leaves the count too high, which costs the others a useless wake-up, no more.
    gate_->sleepers.fetch_add(1, std::memory_order_seq_cst);
    const std::uint32_t seen = gate_->epoch.load(std::memory_order_seq_cst);
    if (static_cast<std::int32_t>(seen - epoch) < 0) sleep_on(gate_->epoch, seen, limit);
    gate_->sleepers.fetch_sub(1, std::memory_order_seq_cst);
    if (reached(epoch)) break;
    if (const auto now = gate_->completed.load(kRelaxed); std::exchange(completed, now) != now) {
      transport.begin_wait();  // a member completed chunks: that is progress
    }
    const std::vector<Rank> awaited = missing();
    if (!awaited.empty()) look_for_crossed_calls(awaited.front());
    transport.look(awaited, Waiting{std::string(call_of(header_))});
  }
  transport.end_wait();
}

}  // namespace understudy::collectives
