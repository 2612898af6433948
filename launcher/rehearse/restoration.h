// SPDX-License-Identifier: Apache-2.0
// How a rehearsal ends: the canary that came up cold beside the one that was started again, and,
// where a receipt is restored, beside what that tells. Call from the main thread.
#pragma once

#include <string>

#include "configs/launch/ladder.h"
#include "configs/receipt/receipt.h"
#include "launcher/rehearse/rehearsal.h"
#include "launcher/run/run_program.h"

namespace understudy::launcher {

// The canary of a receipt as a ladder of one rung: the first rung of a rehearsal's ladder, or the
// program of a run. `ladder` names a ladder whose first rung stands in for what is not here.
// *Throws* Error{usage} where the receipt's own is not here and none is named.
configs::Ladder canary_of(const configs::Receipt& receipt, const std::string& ladder,
                          const Environment& environment);

// The verdict over both runs, into `seen` too: the rung fails where it is not proven, and was not
// run where there is no cache.
configs::RestoreSeen prove(const RunReport& cold, const RunReport& again,
                           const RehearseOptions& options, configs::RungSeen& seen);

}  // namespace understudy::launcher
