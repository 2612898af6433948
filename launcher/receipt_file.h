// SPDX-License-Identifier: Apache-2.0
// Where receipts go. Call from the main thread.
#pragma once

#include <string>

#include "configs/receipt.h"

namespace understudy::launcher {

struct Environment;

// Writes it to `wanted`, or under $XDG_STATE_HOME where that is empty; returns the path. *Throws*
// Error{system}.
std::string write_receipt(const Environment& environment, const std::string& wanted,
                          const configs::Receipt& receipt);

}  // namespace understudy::launcher
