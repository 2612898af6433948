// SPDX-License-Identifier: Apache-2.0
// No worker outlives the launcher: a thread of its own watches the launcher, where that runs on
// this machine, and the process that started this one (mpirun, or Open MPI's daemon on another
// machine), also while MPI_Init() or the executor blocks, and kills this process once one is gone.
// The death of a parent cannot be used alone: that signal comes when the parent's *thread* ends,
// and mpirun starts workers from threads that end before it. Thread-compatible.
#pragma once

#include <string>
#include <thread>

namespace understudy::worker {

class Lifeline {
 public:
  // `run_dir` names the launcher (configs/base/folder_owner.h); on other machines there is none.
  // Kills this process at once where the launcher is already gone.
  explicit Lifeline(const std::string& run_dir);
  ~Lifeline();
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

 private:
  void watch() const;

  int launcher_ = -1, parent_ = -1;  // pidfds; -1: not watched
  int end_ = -1;                     // an event descriptor: this object goes
  std::jthread thread_;
};

}  // namespace understudy::worker
