// SPDX-License-Identifier: Apache-2.0
// What a receipt pins down, so that the same can be started elsewhere (`rehearse --from`). Pure
// functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "configs/receipt/receipt.h"
#include "launcher/options/run_options.h"

namespace understudy::launcher {

using Pins = std::map<std::string, std::string>;

// Of one run.
Pins pins_of(const configs::Receipt& receipt);

// What was then and what is now, by name. Another MPI or processor, other bits of the results or
// what nobody noted then are worth another look; all else must be the same.
std::vector<configs::PinSeen> compared(const Pins& then, const Pins& now);
// The values of a profile that are others now.
std::vector<configs::PinSeen> changed_values(const configs::Profile& then,
                                             const configs::Profile& now);

// What a receipt says of a launch: those of its cold canary where it is a rehearsal's.
struct Origin {
  Pins pins;
  std::optional<configs::ReceiptLaunch> launch = {};  // the profile with all its values
  std::string program;              // path, of a run; empty: the canary is the ladder's first rung
  std::string ladder;               // name, of a rehearsal
  std::vector<std::string> cannot;  // be restored, in words
};
Origin origin_of(const configs::Receipt& receipt);

// The options that start the same. What is named in `given` ("slice") stays as it is; settings of
// the profile are laid over the receipt's.
RunOptions restored_options(const Origin& origin, RunOptions options,
                            const std::vector<std::string>& given);

}  // namespace understudy::launcher
