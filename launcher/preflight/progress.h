// SPDX-License-Identifier: Apache-2.0
// The progress of a pre-flight on stderr: on a terminal one line that is redrawn, elsewhere one
// line per step. Also takes the signals that ask the command to end. Call from the main thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "configs/base/deadline.h"

namespace understudy::launcher {

struct Console;
class SignalQueue;

class PreflightProgress {
 public:
  // All must outlive this. `on_step`: gets each step instead of stderr, where set.
  PreflightProgress(const Console& console, SignalQueue& signals,
                    const std::function<void(const std::string&)>& on_step)
      : console_(console), signals_(signals), on_step_(on_step) {}
  ~PreflightProgress() { ends(); }
  PreflightProgress(const PreflightProgress&) = delete;
  PreflightProgress& operator=(const PreflightProgress&) = delete;

  void begins(const std::string& what);
  // True: a signal asked to end.
  bool goes_on(Seconds waited);
  // Erases the line.
  void ends();
  // The signal that asked to end.
  std::optional<int> stopped();
  std::optional<int> stopped() const { return signal_; }

 private:
  const Console& console_;
  SignalQueue& signals_;
  const std::function<void(const std::string&)>& on_step_;
  std::string what_;
  bool drawn_ = false;
  std::optional<int> signal_;
};

}  // namespace understudy::launcher
