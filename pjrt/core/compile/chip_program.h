// SPDX-License-Identifier: Apache-2.0
// The program of one chip as frameworks read it (compiled.as_text(), cost analyses). Pure function.
#pragma once

#include <string>

#include "pjrt/core/compile/compiled.h"

namespace understudy::pjrt {

// StableHLO without Shardy's dialect, which frameworks cannot convert any more: the partitioner's
// program where there was one, the framework's own where there is one process; else @main with the
// types of one chip around an opaque call, as that body exists as instructions only.
std::string chip_program_of(const Compiled& compiled);

}  // namespace understudy::pjrt
