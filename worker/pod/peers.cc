// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/peers.h"

#include <fmt/format.h>

#include "configs/base/procfs.h"

namespace understudy::worker {
namespace {

using collectives::PeerState;

// Counters and waiting_for are hints that are read again and again; no other memory is published
// through them. `abort` and `phase` are acquired: their writer stored the failure record first.
constexpr auto kPeerOrder = std::memory_order_relaxed;

bool finished(const Segment& segment) {
  return segment.status().phase.load(std::memory_order_acquire) ==
         static_cast<std::uint32_t>(configs::Phase::finished);
}

}  // namespace

void PodDoorbells::ring(Rank rank) {
  // Peers on other machines have no doorbell here; MPI wakes them.
  if (const Segment* segment = memory_.of(rank)) collectives::ring(segment->status().doorbell);
}

void PodDoorbells::ring_all() {
  for (std::size_t rank = 0; rank < memory_.size(); ++rank) {
    ring(Rank(static_cast<std::int64_t>(rank)));
  }
}

PeerState PodWatch::state(Rank peer) {
  const Segment* segment = memory_.of(peer);
  // Nothing is known of another machine, and alive means only that progress decides.
  if (segment == nullptr) return PeerState::alive;
  if (segment->status().abort.load(std::memory_order_acquire) != 0) return PeerState::gave_up;
  const SegmentAddress& address = memory_.address(peer);
  // A pid of another namespace means nothing here; such a peer is judged by its progress alone.
  if (address.pid_namespace != memory_.own_address().pid_namespace) return PeerState::alive;
  // By pid and start time, so that a reused pid does not count as the peer.
  const auto stat = living({address.pid, address.pid_start});
  if (!stat) return PeerState::gone;
  // T: stopped by a signal. t: stopped by a debugger.
  return stat->state == 'T' || stat->state == 't' ? PeerState::stopped : PeerState::alive;
}

// Instructions are counted by the executor, other_progress by work that executes none (BusyScope,
// parts of messages). A wait only needs to see that the sum changes.
std::uint64_t PodWatch::progress(Rank peer) {
  const Segment* segment = memory_.of(peer);
  if (segment == nullptr) return 0;
  return segment->status().instructions.load(kPeerOrder) +
         segment->header().other_progress.load(kPeerOrder);
}

std::uint64_t PodWatch::heartbeat(Rank peer) {
  const Segment* segment = memory_.of(peer);
  return segment == nullptr ? 0 : segment->status().heartbeat.load(kPeerOrder);
}

// Stored as rank + 1, so that a zero-filled segment means "nobody"; kNobody is -1.
Rank PodWatch::waiting_for(Rank peer) {
  const Segment* segment = memory_.of(peer);
  return segment == nullptr
             ? collectives::kNobody
             : Rank(std::int64_t{segment->status().waiting_for.load(kPeerOrder)} - 1);
}

// Peers follow these values from one waiting rank to the next, to the rank that everybody waits
// for.
void PodWatch::publish_waiting_for(Rank peer) {
  memory_.own().status().waiting_for.store(static_cast<std::uint32_t>(peer.value + 1), kPeerOrder);
}

void PodWatch::publish_progress() {
  memory_.own().header().other_progress.fetch_add(1, kPeerOrder);
}

std::string PodWatch::describe(Rank peer) {
  return fmt::format("rank {} (host {})", peer.value,
                     host_of_.at(static_cast<std::size_t>(peer.value)).value);
}

// A finished peer takes no further part in the run, whatever it does afterwards.
std::vector<Rank> PodWatch::leaving() {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const Rank rank(static_cast<std::int64_t>(i));
    const Segment* segment = memory_.of(rank);
    if (segment == nullptr || rank == memory_.self() || finished(*segment)) continue;
    // Acquire: whoever sees the flag also sees the failure record that was stored before it.
    if (segment->status().abort.load(std::memory_order_acquire) != 0) ranks.push_back(rank);
  }
  return ranks;
}

// A leaving worker waits for this before it ends the job: every other record is complete by then.
bool PodWatch::nobody_works() {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const Rank rank(static_cast<std::int64_t>(i));
    const Segment* segment = memory_.of(rank);
    if (segment == nullptr || rank == memory_.self() || finished(*segment)) continue;
    // Stopped and gone peers write no record any more, so they are not waited for.
    if (state(rank) == PeerState::alive) return false;
  }
  return true;
}

}  // namespace understudy::worker
