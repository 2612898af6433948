// SPDX-License-Identifier: Apache-2.0
// A bound on a whole run that the user gave, and when it is reached. A value.
#pragma once

#include "configs/base/deadline.h"

namespace understudy::launcher {

struct RunDeadline {
  double seconds = 0;
  Deadline end;
};

}  // namespace understudy::launcher
