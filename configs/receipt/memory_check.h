// SPDX-License-Identifier: Apache-2.0
// Whether the memory that a chip used is the memory that the compiler predicted. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "configs/receipt/record/record.h"

namespace understudy::configs {

// Why the prediction and the observation contradict each other; nullopt: they agree, or there is
// nothing to compare (the pages were not counted, or a host process placed its buffers itself).
//   predicted - conditional <= observed < predicted + one page per region
// Every predicted byte but those of branches that may not run is written, and every page was
// predicted. The allocator's peak may exceed the prediction by its alignment alone.
std::optional<std::string> memory_complaint(const MemorySeen& seen);

}  // namespace understudy::configs
