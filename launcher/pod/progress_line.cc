// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/progress_line.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/launch/run_plan.h"
#include "launcher/pod/watch.h"
#include "launcher/process/console.h"

namespace understudy::launcher {

ProgressLine::ProgressLine(const Console& console, const configs::RunPlan& plan, Seconds every)
    : console_(console), plan_(plan), every_(every), begin_(Clock::now()), told_(begin_) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (drawn_.empty()) return;
  console_.draw("\r\x1b[K");
  drawn_.clear();
}

void ProgressLine::show(std::int64_t step, const ChipsSeen& chips) {
  if (console_.quiet()) return;
  const bool starts = chips.up < plan_.chips && step == 0;
  const std::string seen =
      fmt::format("{} of {} chips have started, {} are up", chips.started, plan_.chips, chips.up);
  if (!console_.err_terminal) {
    if (!starts || Clock::now() - told_ < every_) return;
    told_ = Clock::now();
    console_.remark(
        fmt::format("{}: {} after {:.0f} s", plan_.slice, seen, Seconds(told_ - begin_).count()));
    return;
  }
  // A pod that takes commands has no steps; its verb shows what it does.
  if (!starts && !plan_.command_socket.empty()) return clear();
  const std::string text =
      starts ? fmt::format("{}: {}", plan_.slice, seen)
             : fmt::format("{} chips of {}: step {} of {}", plan_.chips, plan_.slice,
                           std::min(step + 1, plan_.steps), plan_.steps);
  if (text == drawn_) return;
  console_.draw("\r\x1b[K" + text);
  drawn_ = text;
}

}  // namespace understudy::launcher
