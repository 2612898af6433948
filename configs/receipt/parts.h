// SPDX-License-Identifier: Apache-2.0
// The parts that assemble() puts a receipt together from, one file each. Internal to configs. Pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/receipt/receipt.h"

namespace understudy::configs {

// What the chips noted of arrivals, merged.
std::optional<Stragglers> stragglers_in(const std::vector<std::optional<RecordContent>>& records,
                                        const LauncherFacts& facts);

// One result of the plan, as the chips told of its tiles.
ResultReceipt result_seen(const RunPlan& plan, std::size_t index,
                          const std::vector<RankSeen>& chips);

}  // namespace understudy::configs
