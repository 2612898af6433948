// SPDX-License-Identifier: Apache-2.0
// Where NaN and infinities in results come from: an argument that has them already, or the first
// operation behind the result that made them from finite values. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/receipt/receipt.h"
#include "configs/receipt/record/record.h"
#include "launcher/run/plan_run.h"
#include "program/npy.h"

namespace understudy::launcher {

// Results with NaN or infinities, without those that match expected results which have them too.
std::vector<std::int64_t> unexpected_non_finite(const configs::Receipt& receipt);

// `records`: of a run that looked for them; nullptr: there was none. `looked`: one was tried.
configs::NonFinite explain_non_finite(
    const configs::Receipt& receipt, const std::vector<std::int64_t>& results,
    const LoadedProgram& program, const std::vector<program::Array>& arguments,
    const std::vector<std::optional<configs::RecordContent>>* records, bool looked);

}  // namespace understudy::launcher
