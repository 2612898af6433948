// SPDX-License-Identifier: Apache-2.0
// No worker outlives the launcher. A thread of its own watches two processes and kills this one
// once either is gone: the launcher, where it runs on this machine, and the parent (mpirun, or Open
// MPI's daemon on another machine). It works while MPI_Init() or the executor blocks.
// PR_SET_PDEATHSIG cannot do this: it fires when the parent's *thread* ends, and mpirun starts
// workers from threads that end before mpirun does. Thread-compatible.
#pragma once

#include <string>
#include <thread>

namespace understudy::worker {

class Lifeline {
 public:
  // `run_dir` records the launcher (configs/base/folder_owner.h); it does not exist on other
  // machines. Kills this process at once if the launcher is already gone.
  explicit Lifeline(const std::string& run_dir);
  ~Lifeline();
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

 private:
  void watch() const;

  int launcher_ = -1, parent_ = -1;  // pidfds; -1: not watched
  int end_ = -1;                     // eventfd: the destructor ends the thread
  std::jthread thread_;
};

}  // namespace understudy::worker
