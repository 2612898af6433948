// SPDX-License-Identifier: Apache-2.0
// Gives a failure its name, its layer and what to do about it (configs/receipt/diagnosis.h). Pure
// functions.
#pragma once

#include <string>

#include "configs/receipt/failure_kind.h"
#include "configs/receipt/receipt.h"
#include "configs/receipt/record.h"
#include "launcher/diagnose/loss.h"

namespace understudy::launcher {

// The diagnosis of a lost worker, by how it was lost and by the phase that it had reached.
std::string diagnosis_of_loss(const Loss& loss, configs::Phase phase);
// The same as a peer saw it: stopped, gone or without progress.
std::string diagnosis_of_loss(configs::Evidence seen, configs::Phase phase);

// Completes `diagnosis` from the kind where nobody named it, then layer and advice. An interrupted
// run has none.
void attribute(configs::ReceiptFailure& failure);

}  // namespace understudy::launcher
