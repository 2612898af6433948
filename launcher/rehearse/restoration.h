// SPDX-License-Identifier: Apache-2.0
// The restore proof of a rehearsal: compares the cold canary with its second run and, with
// `--from`, with the receipt. Call from the main thread.
#pragma once

#include <string>

#include "configs/launch/ladder.h"
#include "configs/receipt/receipt.h"
#include "launcher/rehearse/rehearsal.h"
#include "launcher/run/run_program.h"

namespace understudy::launcher {

// The canary of a receipt as a ladder of one rung: the first rung of a rehearsal's ladder, or the
// program of a run. `ladder`: a file whose first rung is used instead. *Throws* Error{usage} if the
// canary is not on this machine and no ladder was given.
configs::Ladder canary_of(const configs::Receipt& receipt, const std::string& ladder,
                          const Environment& environment);

// The verdict on both runs, also stored in `seen`: the rung fails if the restore is not proven, and
// is "not-run" if there is no cache.
configs::RestoreSeen prove(const RunReport& cold, const RunReport& again,
                           const RehearseOptions& options, configs::RungSeen& seen);

}  // namespace understudy::launcher
