// SPDX-License-Identifier: Apache-2.0
// A point in wall time after which a wait gives up. Values.
#pragma once

#include <chrono>
#include <cstdint>

namespace understudy {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

inline constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

inline double seconds_since(Clock::time_point start) {
  return Seconds(Clock::now() - start).count();
}

// How long a wait may last without progress of the awaited peer.
struct WaitLimit {
  Seconds no_progress{60.0};
};

class Deadline {
 public:
  static Deadline after(Seconds span) {
    return Deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(span));
  }
  bool passed() const { return Clock::now() >= at_; }
  Clock::duration left() const { return at_ - Clock::now(); }
  Clock::time_point at() const { return at_; }

 private:
  explicit Deadline(Clock::time_point at) : at_(at) {}
  Clock::time_point at_;
};

}  // namespace understudy
