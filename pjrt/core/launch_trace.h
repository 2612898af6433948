// SPDX-License-Identifier: Apache-2.0
// What the chips of this host execute while the framework's profiler records: one event per launch
// and chip, in the chip's own times. TPU equivalent: the line "XLA Modules" of a device's plane.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace understudy::pjrt {

struct LaunchEvent {
  std::int64_t rank = 0;
  std::string program;                    // "jit_step"
  std::int64_t begin_ns = 0, end_ns = 0;  // since the Unix epoch
};

// Thread-safe.
class LaunchTrace {
 public:
  // The profiler's functions of the C API name no client, so a process has one trace.
  static LaunchTrace& of_process();

  void start();  // forgets earlier events
  void stop();
  // Asked for each launch, so that nothing is copied without a profiler.
  bool is_recording() const { return recording_.load(std::memory_order_relaxed); }
  // Does nothing unless it records.
  void add(LaunchEvent event);
  // Gives the events out as a serialized XSpace, and forgets them: a framework that has registered
  // the plugin twice asks twice, and would show each event twice. A plane "/device:TPU:<id>" for
  // each chip; empty without events. Where more came than are kept, the last event of the trace
  // says how many are missing.
  std::string take_xspace();

  static constexpr std::size_t kMostEvents = 1 << 20;  // about 100 MB

 private:
  std::atomic<bool> recording_{false};
  std::mutex mutex_;  // guards the following
  std::vector<LaunchEvent> events_;
  std::size_t dropped_ = 0;
};

}  // namespace understudy::pjrt
