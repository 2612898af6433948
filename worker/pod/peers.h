// SPDX-License-Identifier: Apache-2.0
// What a worker knows of its peers, read from their segments and from /proc. The transport uses it
// to ring doorbells and to judge waits. Nothing is known of peers on other machines: they count as
// alive. Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "collectives/doorbell.h"
#include "collectives/wait_monitor.h"
#include "configs/base/ids.h"
#include "worker/pod/memory.h"

namespace understudy::worker {

class PodDoorbells final : public collectives::Doorbells {
 public:
  // `memory` outlives this.
  explicit PodDoorbells(const PodMemory& memory) : memory_(memory) {}
  void ring(Rank rank) override;
  std::atomic<std::uint32_t>& own() override { return memory_.own().status().doorbell; }
  bool is_local(Rank rank) const override { return memory_.of(rank) != nullptr; }
  void ring_all();

 private:
  const PodMemory& memory_;
};

class PodWatch final : public collectives::PeerWatch {
 public:
  // `host_of`: the emulated host of each rank.
  PodWatch(const PodMemory& memory, std::vector<HostId> host_of)
      : memory_(memory), host_of_(std::move(host_of)) {}
  collectives::PeerState state(Rank peer) override;
  std::uint64_t progress(Rank peer) override;
  std::uint64_t heartbeat(Rank peer) override;
  Rank waiting_for(Rank peer) override;
  void publish_waiting_for(Rank peer) override;
  void publish_progress() override;
  std::string describe(Rank peer) override;

  // The local peers that gave up.
  std::vector<Rank> leaving();
  // Every local peer gave up, finished, is stopped or gone.
  bool nobody_works();

 private:
  const PodMemory& memory_;
  std::vector<HostId> host_of_;
};

}  // namespace understudy::worker
