// SPDX-License-Identifier: Apache-2.0
// A pod on paper, of which a test makes what the watch sees.
#pragma once

#include <csignal>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "gtest/gtest.h"

#include "launcher/pod/watch.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {

// A pod on paper; mpirun is a sleeping process.
class WatchTest : public testing::Test {
 protected:
  WatchTest() : mpirun_({"/bin/sleep", "60"}) {
    world_.record = [this](std::int64_t rank) -> std::optional<configs::RecordContent> {
      return records_.count(rank) == 0 ? std::nullopt : std::optional(records_[rank]);
    };
    world_.status = [this](std::int64_t rank) -> std::optional<configs::RecordContent> {
      std::optional<configs::RecordContent> status = world_.record(rank);
      if (status) status->observations.clear();
      return status;
    };
    world_.process = [this](std::int64_t pid) -> std::optional<ProcessStat> {
      ++looks_;
      if (on_look_) on_look_();
      return processes_.count(pid) == 0 ? std::nullopt : std::optional(processes_[pid]);
    };
    world_.kill = [this](std::int64_t pid) {
      killed_.insert(pid);
      processes_.erase(pid);
    };
    options_.ranks = 3;
    options_.machine = "here";
    options_.look = Seconds(0.001);
    options_.stopped_for = Seconds(0.02);
    options_.report_grace = Seconds(0.05);
    options_.kill_delay = Seconds(5);
    for (std::int64_t rank = 0; rank < 3; ++rank) {
      configs::ProcessSeen started;
      started.pid = 100 + rank;
      started.pid_start = 7;
      started.machine = "here";
      records_[rank].rank = rank;
      records_[rank].phase = configs::Phase::programs_allowed;
      records_[rank].observations.push_back(started);
      processes_[100 + rank] = {'S', 7};
    }
  }

  WatchedRun run() { return watch(mpirun_, signals_, world_, options_); }
  void end_mpirun() { mpirun_.signal(SIGKILL); }

  std::map<std::int64_t, configs::RecordContent> records_;
  std::map<std::int64_t, ProcessStat> processes_;
  std::set<std::int64_t> killed_;
  int looks_ = 0;
  std::function<void()> on_look_;
  SignalQueue signals_;
  Subprocess mpirun_;
  WatchWorld world_;
  WatchOptions options_;
};

}  // namespace understudy::launcher
