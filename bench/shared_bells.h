// SPDX-License-Identifier: Apache-2.0
// Doorbells and peers of a benchmark's processes, all on one machine, over an MPI shared window:
// what workers have in their segments. The owner frees the window before MPI ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "collectives/doorbell.h"
#include "collectives/watch.h"

namespace understudy::bench {

class SharedBells final : public collectives::Doorbells {
 public:
  // Collective over all processes. *Throws* Error{usage} where they lie on several machines.
  SharedBells();
  ~SharedBells() override;
  // Collective.
  void free();

  void ring(Rank rank) override { collectives::ring(bell(rank)); }
  std::atomic<std::uint32_t>& own() override { return bell(self_); }
  bool is_local(Rank) const override { return true; }

 private:
  std::atomic<std::uint32_t>& bell(Rank rank) const;

  struct Window;
  std::unique_ptr<Window> window_;
  Rank self_;
};

// Says that every peer lives: a benchmark that loses one ends by its own time limit.
class AllAlive final : public collectives::PeerWatch {
 public:
  collectives::PeerState state(Rank) override { return collectives::PeerState::alive; }
  std::uint64_t progress(Rank) override { return ++looks_; }
  std::uint64_t heartbeat(Rank) override { return ++looks_; }
  Rank waiting_for(Rank) override { return collectives::kNobody; }
  void publish_waiting_for(Rank) override {}
  std::string describe(Rank peer) override { return "rank " + std::to_string(peer.value); }

 private:
  std::uint64_t looks_ = 0;
};

}  // namespace understudy::bench
