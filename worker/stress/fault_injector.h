// SPDX-License-Identifier: Apache-2.0
// Injects faults into the supervisor's contender, its folder and all caches during a round: each
// kind at random times, at a given rate per second over the whole pod. Thread-compatible.
#pragma once

#include <functional>
#include <random>
#include <vector>

#include "configs/base/deadline.h"
#include "worker/stress/fork_server.h"
#include "worker/stress/setup.h"
#include "worker/stress/slot.h"

namespace understudy::worker {

class FaultInjector {
 public:
  // The references must outlive it.
  FaultInjector(const StressSetup& setup, const Contender& contender, ForkServer& fork_server,
                MachinePage& page);

  // At the start of a round. Faults that were due between rounds are skipped.
  void begin();
  // Injects the faults that are due. Returns when the next one is due, at most in an hour.
  Clock::time_point act();

  // By key; empty where this rank keeps no folder.
  const std::vector<bool>& damaged() const { return damaged_; }
  void forget_damage() { damaged_.assign(damaged_.size(), false); }

 private:
  struct Kind {
    double per_second;
    std::function<void()> act;
    Clock::time_point next;
  };
  void plan(double per_second, std::function<void()> act);
  Clock::time_point draw(double per_second);
  void stop();
  void damage(bool truncates);

  const StressSetup& setup_;
  ForkServer& fork_server_;
  MachinePage& page_;
  std::mt19937_64 random_;
  std::vector<Kind> kinds_;
  std::string folder_;
  std::vector<bool> damaged_;
  Clock::time_point continue_at_;  // a stopped contender; the epoch: none is
};

// Everything in the folder.
void delete_all(const std::string& directory);

}  // namespace understudy::worker
