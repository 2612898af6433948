// SPDX-License-Identifier: Apache-2.0
// Keeps the flight recorder of this chip, in its record and in its segment. As the hook of every
// collective it also injects the run's faults, gives the call its place in the program, and finds
// stragglers: after each collective the group's first member looks up when the others entered it.
// It compares only members on its own machine, by that machine's monotonic clock. Call from the
// executor thread only.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "configs/launch/run_plan.h"
#include "configs/receipt/record/flight_record.h"
#include "configs/receipt/record/record.h"
#include "worker/pod/collective_hooks.h"
#include "worker/pod/faults.h"
#include "worker/pod/memory.h"

namespace understudy::worker {

class FlightRecorder final : public CollectiveHooks {
 public:
  // All outlive this. *Throws* Error{usage} for a malformed fault.
  FlightRecorder(configs::RecordWriter& record, const PodMemory& memory,
                 const configs::RunPlan& plan);

  std::uint64_t enter(std::string_view kind, std::span<const std::uint32_t> ops, std::size_t bytes,
                      std::span<const Rank> members, collectives::CallSite& site) override;
  void done(std::uint64_t ticket, std::string_view algorithm) override;

  // One per place in the program where this chip was a group's first member. From any thread.
  std::vector<configs::Arrivals> arrivals() const;

 private:
  struct Open {
    std::uint64_t sequence = 0;
    configs::FlightEntry entry;
    std::vector<Rank> members;  // in group order; empty unless this rank is the first member
  };
  struct Site {
    std::size_t kind = 0;
    configs::Arrivals arrivals;
    std::map<Rank, configs::LateRank> late;
  };

  void compare(const Open& open);

  configs::RecordWriter& record_;
  const PodMemory& memory_;
  const Faults faults_;
  std::map<std::uint32_t, configs::PlannedSite> places_;  // by op
  std::uint64_t sequence_ = 0;
  std::array<std::uint64_t, configs::kCollectiveKinds.size()> numbers_{};
  std::array<Open, configs::FlightRecord::kEntries> open_;
  mutable std::mutex sites_mutex_;
  std::map<std::uint32_t, Site> sites_;  // by op; guarded
};

}  // namespace understudy::worker
