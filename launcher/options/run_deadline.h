// SPDX-License-Identifier: Apache-2.0
// The time limit of a whole command (--deadline) and its end point. A value.
#pragma once

#include "configs/base/deadline.h"

namespace understudy::launcher {

struct RunDeadline {
  double seconds = 0;
  Deadline end;
};

}  // namespace understudy::launcher
