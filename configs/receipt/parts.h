// SPDX-License-Identifier: Apache-2.0
// The parts from which assemble() builds a receipt, one file each. Internal to configs. Pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/receipt/launcher_facts.h"

namespace understudy::configs {

// ranks.cc: the ranks, each from the observations of its record, and its steps beside it.
using StepsOfChip = std::vector<Stepped>;
// One entry per record, in rank order; a rank without a record has only its number and host. Fills
// `steps` with the steps of each.
std::vector<RankSeen> chips_seen(const RunPlan& plan,
                                 const std::vector<std::optional<RecordContent>>& records,
                                 std::vector<StepsOfChip>& steps);

// The arrival statistics of all chips, merged.
std::optional<Stragglers> stragglers_in(const std::vector<std::optional<RecordContent>>& records,
                                        const LauncherFacts& facts);

// One result of the plan, from the chips' digests of its tiles.
ResultReceipt result_seen(const RunPlan& plan, std::size_t index,
                          const std::vector<RankSeen>& chips);

}  // namespace understudy::configs
