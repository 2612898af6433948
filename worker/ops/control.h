// SPDX-License-Identifier: Apache-2.0
// Shared by both ways of running control flow (control.cc, bind.cc).
#pragma once

#include <cstddef>
#include <cstdint>

#include "configs/receipt/record/record.h"
#include "program/executable/executable.h"
#include "worker/chip/execution.h"

namespace understudy::worker::ops {

// Publishes the iterations of running loops in the status cell, for diagnoses of a worker that
// seems stuck. Two entries: the outermost and the innermost loop. The outermost loop writes both,
// an inner loop only the second one, and restores its previous contents when it ends.
class LoopCount {
 public:
  // `status` may be null.
  LoopCount(configs::StatusCell* status, std::uint32_t op);
  ~LoopCount() {
    if (status_ != nullptr) show(outermost_ ? configs::LoopSeen{} : before_);
  }
  LoopCount(const LoopCount&) = delete;
  LoopCount& operator=(const LoopCount&) = delete;

  bool is_outermost() const { return outermost_; }

  void add(std::uint64_t iterations) {
    if (status_ == nullptr) return;
    iterations_ += iterations;
    for (std::size_t i = outermost_ ? 0 : 1; i < status_->loops.size(); ++i)
      status_->loops[i].iterations.store(iterations_, std::memory_order_relaxed);
  }

 private:
  void show(const configs::LoopSeen& seen) const {
    for (std::size_t i = outermost_ ? 0 : 1; i < status_->loops.size(); ++i) {
      // Relaxed and unsynchronised: a reader may see the count of one loop with the op of another
      // for a moment.
      status_->loops[i].iterations.store(seen.iterations, std::memory_order_relaxed);
      status_->loops[i].op.store(seen.op, std::memory_order_relaxed);
    }
  }

  configs::StatusCell* status_;
  bool outermost_ = false;
  std::uint32_t op_ = 0;
  std::uint64_t iterations_ = 0;
  configs::LoopSeen before_;
};

// The branch that a Case takes.
std::size_t branch_of(const program::Instruction& instruction, std::size_t branches,
                      const Execution& execution);

}  // namespace understudy::worker::ops
