// SPDX-License-Identifier: Apache-2.0
// The operation in which a lost worker is missing, from the flight recorders of all ranks. They are
// written whenever a collective is entered or left, so they are exact; the operation in a record's
// status is only sampled every 200 ms. Pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/receipt/record/record.h"
#include "launcher/diagnose/loss.h"

namespace understudy::launcher {

struct MissedOp {
  std::int64_t rank = -1;  // the rank whose program `op` belongs to
  std::int64_t op = -1;    // ordinal
};

// The collective that the worker was inside; else the one in which most peers wait for it (the
// earliest of a tie); else the operation of its status, unless it is a collective that the worker
// has left. nullopt: none.
std::optional<MissedOp> missed_op(
    const LostWorker& lost, const std::vector<std::optional<configs::RecordContent>>& records);

}  // namespace understudy::launcher
