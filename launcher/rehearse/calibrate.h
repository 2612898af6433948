// SPDX-License-Identifier: Apache-2.0
// Settings that could be tried, in the order that the catalogue of launches gives them, and what
// became of each (configs/launch/catalogue.h). Call from the main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "configs/launch/catalogue.h"
#include "launcher/rehearse/rehearsal.h"

namespace understudy::launcher {

// The options with "collectives=ring,numerics=ieee" put into them; "" leaves them as they are.
// *Throws* Error{usage} naming the setting.
RunOptions with_setting(RunOptions options, const std::string& setting);

// What tells one launch of a ladder from another: its last program stands for the model.
configs::LaunchSignature signature_of(const RunOptions& options, const configs::Ladder& ladder,
                                      const configs::Slice& slice);

// How a rehearsal ended, in the catalogue's words.
configs::LaunchEnd end_of(const RehearsalEnd& end);

// True where another setting may help: what failed at the start, or for want of memory. What the
// graph or the program did wrong, it does wrong with every setting.
bool may_fall_back(const RehearsalEnd& end);

// Plays candidates in order until one passes or none may help; `play` is a whole rehearsal.
// Attempts stand in the last document; the catalogue has all of them.
RehearsalEnd try_in_order(configs::Catalogue& catalogue,
                          const std::vector<configs::Candidate>& candidates,
                          const std::function<RehearsalEnd(const configs::Candidate&)>& play);

// The rehearsal with the catalogue around it: `settings` empty is one candidate, as it is.
RehearsalEnd rehearse_calibrated(const RehearseOptions& options,
                                 const std::vector<std::string>& settings,
                                 const std::string& catalogue_path, const Environment& environment,
                                 const Console& console);

}  // namespace understudy::launcher
