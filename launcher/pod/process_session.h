// SPDX-License-Identifier: Apache-2.0
// All descendants of one child of the launcher. Each child starts its own session, and its
// descendants stay in it even if they are reparented. Thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"

namespace understudy::launcher {

// The pids of the session that `leader` started; none if its pid has been reused.
std::vector<std::int64_t> processes_of_session(const ProcessIdentity& leader);

// Kills all of them, including stopped processes and later forks. False: some remain at the
// deadline.
bool end_session(const ProcessIdentity& leader, Deadline deadline);

}  // namespace understudy::launcher
