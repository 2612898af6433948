// SPDX-License-Identifier: Apache-2.0
// Gives a failure its name, its layer and what to do about it (configs/diagnosis.h). Pure
// functions.
#pragma once

#include <string>

#include "configs/evidence.h"
#include "configs/receipt.h"
#include "configs/record.h"

namespace understudy::launcher {

// The name of a lost peer's end: how it ended (stopped, gone, no progress), and how far it had
// come.
std::string diagnosis_of_loss(configs::Evidence end, configs::Phase phase);

// Completes `diagnosis` from the kind where nobody named it, then layer and advice. An interrupted
// run has none.
void attribute(configs::ReceiptFailure& failure);

}  // namespace understudy::launcher
