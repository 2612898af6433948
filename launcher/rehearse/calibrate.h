// SPDX-License-Identifier: Apache-2.0
// Tries candidate settings in the order that the launch catalogue recommends, and records the
// outcome of each (configs/launch/catalogue.h). Call from the main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "configs/launch/catalogue.h"
#include "launcher/rehearse/rehearsal.h"

namespace understudy::launcher {

// Applies "collectives=ring,numerics=ieee" to the options; "" changes nothing. *Throws*
// Error{usage} naming an unknown setting.
RunOptions with_setting(RunOptions options, const std::string& setting);

// Identifies a launch of a ladder in the catalogue. The last program represents the model.
configs::LaunchSignature signature_of(const RunOptions& options, const configs::Ladder& ladder,
                                      const configs::Slice& slice);

// The outcome of a rehearsal in the terms of the catalogue.
configs::LaunchEnd end_of(const RehearsalEnd& end);

// Whether another setting may help: only failures of the start-up or of memory. Failures of the
// graph or the program are the same with every setting.
bool may_fall_back(const RehearsalEnd& end);

// Tries candidates in order until one passes or no other may help. `play` runs a whole rehearsal.
// The last document lists the attempts; the catalogue records all of them.
RehearsalEnd try_in_order(configs::Catalogue& catalogue,
                          const std::vector<configs::Candidate>& candidates,
                          const std::function<RehearsalEnd(const configs::Candidate&)>& play);

// A rehearsal with the catalogue. If `settings` is empty, the options as given are the only
// candidate.
RehearsalEnd rehearse_calibrated(const RehearseOptions& options,
                                 const std::vector<std::string>& settings,
                                 const std::string& catalogue_path, const Environment& environment,
                                 const Console& console);

}  // namespace understudy::launcher
