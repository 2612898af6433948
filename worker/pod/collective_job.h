// SPDX-License-Identifier: Apache-2.0
// Internal to PodCollectives.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "collectives/collectives.h"
#include "worker/pod/collectives.h"
#include "worker/pod/prepared_collective.h"

namespace understudy::worker {

// The state of one call from its entry to its completion. Never moves: the call refers to it.
struct PodCollectives::Job {
  Job(PreparedCollective& prepared, Execution& launch, std::size_t where)
      : what(prepared), execution(launch), lane(where), site(prepared.site) {}
  const collectives::Reducer& reducer() const { return own_reducer ? *own_reducer : *what.reducer; }

  PreparedCollective& what;
  Execution& execution;
  const std::size_t lane;  // 0: done at once
  collectives::CallSite site;
  std::span<const std::byte> in = {};
  std::span<std::byte> out = {};
  std::span<std::byte> received = {};  // the result, where it is not received in its final place
  std::unique_ptr<collectives::Reducer> own_reducer = nullptr;  // the program's own region
  std::uint64_t ticket = 0;
  std::shared_ptr<KeptCollective> kept = nullptr;  // has `what`, of a call that stays open
  std::unique_ptr<collectives::UnderWay> call = nullptr;
};

}  // namespace understudy::worker
