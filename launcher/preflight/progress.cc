// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/progress.h"

#include <fmt/format.h>

#include "launcher/process/console.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {

void PreflightProgress::begins(const std::string& what) {
  what_ = what;
  if (on_step_) return on_step_(what_);
  if (console_.verbosity < 0) return;
  if (!console_.err_terminal) {
    console_.remark(what + " ...");
    return;
  }
  drawn_ = true;
  console_.draw(fmt::format("\r\x1b[K{} ...", what_));
}

// True ends the wait: the answer to "was it stopped?".
bool PreflightProgress::goes_on(Seconds waited) {
  if (on_step_) on_step_(what_);
  if (drawn_) console_.draw(fmt::format("\r\x1b[K{} ... {:.0f} s", what_, waited.count()));
  return stopped().has_value();
}

void PreflightProgress::ends() {
  if (drawn_) console_.draw("\r\x1b[K");
  drawn_ = false;
}

std::optional<int> PreflightProgress::stopped() {
  if (!signal_) signal_ = signals_.stop_signal();
  return signal_;
}

}  // namespace understudy::launcher
