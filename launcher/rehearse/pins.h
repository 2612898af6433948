// SPDX-License-Identifier: Apache-2.0
// What a receipt pins down, so that the same can be started elsewhere (`rehearse --from`). Pure
// functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "configs/receipt.h"
#include "launcher/run_options.h"

namespace understudy::launcher {

using Pins = std::map<std::string, std::string>;

// Of one run.
Pins pins_of(const configs::Receipt& receipt);

// What was then and what is now, by name. Another MPI or processor is worth another look; all else
// must be the same.
std::vector<configs::PinSeen> compared(const Pins& then, const Pins& now);

// What a receipt says of a launch: those of its cold canary where it is a rehearsal's.
struct Origin {
  Pins pins;
  std::string program;              // path, of a run; empty: the canary is the ladder's first rung
  std::string ladder;               // name
  std::vector<std::string> cannot;  // be restored, in words
};
Origin origin_of(const configs::Receipt& receipt);

// The options that start the same. What is named in `given` ("numerics") stays as it is.
RunOptions restored_options(const Origin& origin, RunOptions options,
                            const std::vector<std::string>& given);

}  // namespace understudy::launcher
