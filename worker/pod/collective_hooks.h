// SPDX-License-Identifier: Apache-2.0
// Observes every collective of a chip as it begins and ends: the flight recorder, and the faults
// that a run injects. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "collectives/collectives.h"

namespace understudy::worker {

class CollectiveHooks {
 public:
  virtual ~CollectiveHooks() = default;
  // Before the members meet. `ops` are the ordinals of the operations, several where small operands
  // were combined; `members` are ranks in group order, empty where the operation names pairs. A
  // fault may change `site`, sleep, or end the process. What `site` then refers to outlives the
  // last call. Returns the ticket for done().
  virtual std::uint64_t enter(std::string_view kind, std::span<const std::uint32_t> ops,
                              std::size_t bytes, std::span<const Rank> members,
                              collectives::CallSite& site) = 0;
  // Once the result is complete. Any number of tickets may be open.
  virtual void done(std::uint64_t ticket, std::string_view algorithm) = 0;
};

}  // namespace understudy::worker
