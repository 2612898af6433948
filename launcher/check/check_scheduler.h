// SPDX-License-Identifier: Apache-2.0
// Distributes the programs of a check over the chips of one pod: the widest program first, each on
// the first free block of as many chips as it needs. Jobs that are left when the pod ends early are
// for the next pod. Runs in its own thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "configs/base/deadline.h"
#include "launcher/check/job.h"
#include "launcher/pod/host.h"

namespace understudy::launcher {

struct CheckSchedulerOptions {
  std::int64_t ranks = 1;
  std::string numerics, collectives;
  Seconds limit{60};  // for one program
};

class CheckScheduler {
 public:
  // Works on the jobs of `work` without a verdict. Both references outlive this.
  CheckScheduler(PodHost& host, CheckWork& work, CheckSchedulerOptions options);

  // Returns when all jobs are done, the pod has ended, or a program exceeded its time limit.
  void run(const std::stop_token& stop);

  // A program exceeded its time limit, so the pod must be ended. Thread-safe.
  bool gave_up() const { return gave_up_; }
  // The job that was running on a rank when the pod ended; nullptr: none.
  CheckJob* at_work(Rank rank) const;

 private:
  enum class Phase : std::uint8_t { loading, executing, unloading };
  struct Task {
    CheckJob* job = nullptr;
    std::uint64_t program = 0;  // program id and launch number in commands
    std::int64_t first = 0;     // rank
    std::int64_t chips = 1;
    Phase phase = Phase::loading;
    std::int64_t waiting = 0;          // answers still expected
    std::vector<std::int64_t> loaded;  // ranks that loaded it
    Deadline deadline = Deadline::after(Seconds(0));
  };

  void give_out();
  bool give(CheckJob& job);
  void begin(CheckJob& job, std::int64_t first);
  void hear(const PodHost::Event& event);
  void hear_answer(Task& task, Rank rank, const configs::PodAnswer& answer);
  void advance(Task& task);
  void command(const Task& task, configs::PodVerb verb, const std::vector<std::int64_t>& ranks);
  void conclude(Task& task);
  void watch_time();
  bool is_done() const;
  void finish();

  PodHost& host_;
  CheckWork& work_;
  CheckSchedulerOptions options_;
  std::deque<CheckJob*> waiting_;             // widest first
  std::vector<bool> here_;                    // by rank: whether it has connected
  std::vector<std::shared_ptr<Task>> tasks_;  // by rank; nullptr: idle
  std::uint64_t next_program_ = 1;
  bool pod_gone_ = false;
  std::atomic<bool> gave_up_{false};
};

}  // namespace understudy::launcher
