// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/completion.h"

#include <utility>

namespace understudy::pjrt {

CompletionRef Completion::done(FailureRef failure) {
  auto completion = std::make_shared<Completion>();
  completion->failure_ = std::move(failure);
  // Pairs with the acquire load in ready(): who sees it set also sees failure_.
  completion->ready_.store(true, std::memory_order_release);
  return completion;
}

const FailureRef& Completion::wait() {
  if (!ready()) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ready(); });
  }
  return failure_;
}

// ready() is checked under the lock that set() holds, so a callback is either in the list that
// set() takes or called here, never both.
void Completion::then(Then then) {
  {
    const std::scoped_lock lock(mutex_);
    if (!ready()) {
      thens_.push_back(std::move(then));
      return;
    }
  }
  then(failure_);
}

// Callbacks may take Python's interpreter lock, whose holder may want ours: none is held.
void Completion::set(FailureRef failure) {
  std::vector<Then> thens;
  {
    const std::scoped_lock lock(mutex_);
    if (ready()) return;
    failure_ = std::move(failure);
    ready_.store(true, std::memory_order_release);
    thens.swap(thens_);
  }
  changed_.notify_all();
  for (const Then& then : thens) then(failure_);
}

}  // namespace understudy::pjrt
