// SPDX-License-Identifier: Apache-2.0
// The pins of a receipt: the values that must be equal to repeat its run elsewhere
// (`rehearse --from`). Pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "configs/receipt/receipt.h"
#include "launcher/options/run_options.h"

namespace understudy::launcher {

using Pins = std::map<std::string, std::string>;

// The pins of one run.
Pins pins_of(const configs::Receipt& receipt);

// Compares old and new pins by name. Differences in MPI, processor, result bits or values that were
// not recorded only need a recheck; all others must be equal.
std::vector<configs::PinSeen> compared(const Pins& then, const Pins& now);
// The values of a profile that have changed.
std::vector<configs::PinSeen> changed_values(const configs::Profile& then,
                                             const configs::Profile& now);

// The launch of a receipt; for a rehearsal, the launch of its cold canary.
struct Origin {
  Pins pins;
  std::optional<configs::ReceiptLaunch> launch = {};  // the profile with all its values
  std::string program;  // path, for a run; empty: the canary is the first rung of a ladder
  std::string ladder;   // name, for a rehearsal
  std::vector<std::string> cannot;  // what cannot be restored, as messages
};
// Does not throw: what a receipt lacks is in `cannot`.
Origin origin_of(const configs::Receipt& receipt);

// The options that repeat the launch. Options named in `given` (such as "slice") keep their value;
// profile settings on the command line override those of the receipt.
RunOptions restored_options(const Origin& origin, RunOptions options,
                            const std::vector<std::string>& given);

}  // namespace understudy::launcher
