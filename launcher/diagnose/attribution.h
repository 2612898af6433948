// SPDX-License-Identifier: Apache-2.0
// Attributes a failure: sets its diagnosis, layer and advice (configs/receipt/diagnosis.h). Pure
// functions.
#pragma once

#include <string>

#include "configs/receipt/receipt.h"
#include "configs/receipt/record/failure_kind.h"
#include "configs/receipt/record/record.h"
#include "launcher/diagnose/loss.h"

namespace understudy::launcher {

// The diagnosis of a lost worker, from how it was lost and the phase it had reached.
std::string_view diagnosis_of_loss(const Loss& loss, configs::Phase phase);
// The same from the observation of a peer: stopped, gone or without progress.
std::string_view diagnosis_of_loss(configs::Evidence seen, configs::Phase phase);

// If `diagnosis` is unset, derives it from the failure kind; then sets layer and advice. Leaves an
// interrupted run unattributed.
void attribute(configs::ReceiptFailure& failure);

}  // namespace understudy::launcher
