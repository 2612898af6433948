// SPDX-License-Identifier: Apache-2.0
// Carries out any schedule over the transport of a call. Thread-compatible.
#pragma once

#include <cstddef>
#include <span>

#include "collectives/call.h"
#include "collectives/schedule.h"

namespace understudy::collectives {

// `in` and `out` do not overlap. Items are elements of the reducer, or bytes if it is null.
// *Throws* what the transport throws; `out` is then undefined.
void run_schedule(Call& call, const Schedule& schedule, const Reducer* reducer,
                  std::span<const std::byte> in, std::span<std::byte> out);

}  // namespace understudy::collectives
