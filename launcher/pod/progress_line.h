// SPDX-License-Identifier: Apache-2.0
// How far a pod is, on standard error: a line that is redrawn in place on a terminal; elsewhere a
// line every few seconds while chips start, so that a large pod is not silent. Nothing with -q.
// Call from one thread.
#pragma once

#include <cstdint>
#include <string>

#include "configs/base/deadline.h"

namespace understudy::configs {
struct RunPlan;
}

namespace understudy::launcher {

struct ChipsSeen;
struct Console;

class ProgressLine {
 public:
  // `every`: seconds between lines where there is no terminal. Keeps both references.
  ProgressLine(const Console& console, const configs::RunPlan& plan, Seconds every = Seconds(5));
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // `step` counts from 0.
  void show(std::int64_t step, const ChipsSeen& chips);

 private:
  void clear();

  const Console& console_;
  const configs::RunPlan& plan_;
  const Seconds every_;
  const Clock::time_point begin_;
  Clock::time_point told_;
  std::string drawn_;
};

}  // namespace understudy::launcher
