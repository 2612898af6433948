// SPDX-License-Identifier: Apache-2.0
// The shards whose data count in a result, as coordinates of the mesh. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "program/analysis/metric_verdict.h"

namespace understudy::launcher {

// The chips that hold these shards of a group: "data=0", "data=0 to 2", "data=0,2 model=1". Axes
// along which all coordinates count, or along which the arguments are replicated, are left out.
std::string coordinates_of(const program::analysis::ArgumentGroup& group,
                           const std::vector<bool>& shards,
                           const std::vector<program::analysis::Axis>& axes);

}  // namespace understudy::launcher
