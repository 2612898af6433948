// SPDX-License-Identifier: Apache-2.0
// Runs copies between host memory and HBM outside of the caller's thread: a caller may hold
// Python's interpreter lock, and the reader thread must not be kept from its chips. In order.
// Thread-safe.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace understudy::pjrt {

class CopyThread {
 public:
  CopyThread();
  // Finishes what was queued.
  ~CopyThread();
  CopyThread(const CopyThread&) = delete;
  CopyThread& operator=(const CopyThread&) = delete;

  void run(std::function<void()> copy);

 private:
  void work(const std::stop_token& stop);

  std::mutex mutex_;  // guards queue_
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> queue_;
  std::jthread thread_;
};

}  // namespace understudy::pjrt
