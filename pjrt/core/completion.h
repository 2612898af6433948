// SPDX-License-Identifier: Apache-2.0
// The end of one asynchronous action: set once, with success or a failure. Shared by everybody who
// waits for it. Thread-safe. Equivalents: a promise with its future, tsl::AsyncValue.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "pjrt/core/failure.h"

namespace understudy::pjrt {

class Completion {
 public:
  using Then = std::function<void(const FailureRef&)>;

  // Ready from the start.
  static std::shared_ptr<Completion> done(FailureRef failure = nullptr);

  bool ready() const { return ready_.load(std::memory_order_acquire); }
  // *Requires*: ready().
  const FailureRef& failure() const { return failure_; }
  // Blocks; returns the failure or nullptr.
  const FailureRef& wait();
  // Calls `then` once: now where it is ready, else in the thread that sets it. No lock is held.
  void then(Then then);
  // The first call counts; later ones are ignored.
  void set(FailureRef failure = nullptr);

 private:
  std::atomic<bool> ready_{false};
  FailureRef failure_;  // written before ready_
  std::mutex mutex_;    // guards thens_ and the change of ready_
  std::condition_variable changed_;
  std::vector<Then> thens_;
};
using CompletionRef = std::shared_ptr<Completion>;

// PJRT_Event: each is destroyed by its receiver, the completion behind it lives on.
class Event {
 public:
  explicit Event(CompletionRef completion) : completion_(std::move(completion)) {}
  const CompletionRef& completion() const { return completion_; }

 private:
  CompletionRef completion_;
};

}  // namespace understudy::pjrt
