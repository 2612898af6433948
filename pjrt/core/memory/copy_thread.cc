// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/memory/copy_thread.h"

#include <pthread.h>
#include <utility>

namespace understudy::pjrt {

CopyThread::CopyThread() : thread_([this](const std::stop_token& stop) { work(stop); }) {
  (void)pthread_setname_np(thread_.native_handle(), "us-copies");
}

// The jthread requests the stop and joins; work() returns only when its queue is empty.
CopyThread::~CopyThread() = default;

void CopyThread::run(std::function<void()> copy) {
  {
    const std::scoped_lock lock(mutex_);
    queue_.push_back(std::move(copy));
  }
  changed_.notify_one();
}

void CopyThread::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, stop, [this] { return !queue_.empty(); });
    if (queue_.empty()) return;
    std::function<void()> copy = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    copy();
    // Destroys what the copy holds before the lock is taken: freeing HBM takes another lock.
    copy = nullptr;
    lock.lock();
  }
}

}  // namespace understudy::pjrt
