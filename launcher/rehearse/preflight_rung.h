// SPDX-License-Identifier: Apache-2.0
// The rung of a rehearsal before its first start: the real TPU compiler compiles the programs of
// all rungs (`rehearse --preflight`). Call from the main thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "configs/launch/ladder.h"
#include "configs/receipt/preflight/preflight.h"
#include "configs/receipt/rehearsal.h"
#include "launcher/options/run_options.h"

namespace understudy::launcher {

inline constexpr const char* kPreflightRung = "preflight";
inline constexpr const char* kPreflightAdds =
    "the TPU compiler: flags, topology, programs, memory, collectives";

// The programs of a ladder for a slice; a rung that has none for its chips is left out. *Throws*
// what options_of_rung() throws.
std::vector<std::pair<std::string, RunOptions>> programs_of_ladder(const configs::Ladder& ladder,
                                                                   const RunOptions& run,
                                                                   std::int64_t chips);

// The pre-flight as a rung: failed where the compiler refused something, not run where it could not
// be asked.
configs::RungSeen rung_of(const configs::Preflight& preflight);

}  // namespace understudy::launcher
