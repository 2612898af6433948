// SPDX-License-Identifier: Apache-2.0
// Starts the contenders of one policy, kills and starts them again, damages their folder, notices
// who is stuck. Owns its children: none outlives it. Call from a process with one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "configs/cache_stress.h"
#include "launcher/cache/contender.h"
#include "launcher/cache/slots.h"
#include "launcher/cache/stress.h"

namespace understudy::launcher {

class Supervisor {
 public:
  Supervisor(const StressSetup& setup, Discipline discipline);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // All rounds.
  void run();
  // Start-up seconds of each process, by round.
  const std::vector<std::vector<double>>& startups() const { return startups_; }
  std::span<Slot> slots() { return page_.slots(); }
  // What only the supervisor saw.
  void tell(configs::PolicyStress& stress) const;

 private:
  struct Child {
    pid_t pid = -1;
    std::int64_t life = 0;
    std::int64_t seen_progress = 0;
    Clock::time_point last_progress;
  };

  void round();
  void start(std::size_t number);
  void hold_locks();
  void lay_stale_locks();
  void reap();
  void bury(std::size_t number, int status);
  void misbehave(double seconds);
  void kill_somebody();
  void stop_somebody();
  void resume();
  void damage(bool truncates);
  void delete_all();
  void look_for_stuck();
  void settle();
  void clear();
  bool all_finished();
  bool happens(double per_second, double seconds);
  std::vector<std::pair<std::size_t, std::string>> folders() const;  // number and path
  KeyCount& count(std::size_t folder, std::size_t key);

  StressSetup setup_;
  Discipline discipline_;
  SharedPage page_;
  std::vector<Child> children_;
  pid_t holder_ = -1;
  std::vector<std::pair<Clock::time_point, pid_t>> stopped_;  // until when
  std::mt19937_64 random_;
  std::map<std::string, std::size_t> key_of_file_;
  std::vector<std::vector<double>> startups_;
  std::int64_t compiles_ = 0, duplicates_ = 0, killed_ = 0, stuck_ = 0, lost_ = 0, torn_ = 0,
               rounds_ = 0;
  std::uint64_t unique_bytes_ = 0;
  std::vector<std::string> troubles_;
};

}  // namespace understudy::launcher
