// SPDX-License-Identifier: Apache-2.0
// The operation at which a lost worker is missed, from the flight recorders of all ranks: they are
// written as collectives are entered and left, where the operation in a record's status is a sample
// of every 200 ms. Pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/receipt/record.h"
#include "launcher/diagnose/loss.h"

namespace understudy::launcher {

struct MissedOp {
  std::int64_t rank = -1;  // whose program the ordinal is of
  std::int64_t op = -1;    // ordinal
};

// The collective that the worker was inside of; else the one that most peers wait in for it, of
// several the one that comes first; else the operation that its status shows. nullopt: none.
std::optional<MissedOp> missed_op(
    const LostWorker& lost, const std::vector<std::optional<configs::RecordContent>>& records);

}  // namespace understudy::launcher
