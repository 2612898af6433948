// SPDX-License-Identifier: Apache-2.0
// All processes that came from one child of the launcher. Each child starts a session of its own,
// which its descendants stay in whoever their parent is. Thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"

namespace understudy::launcher {

// Pids of the session that `leader` started; none where its pid is another process's by now.
std::vector<std::int64_t> processes_of_session(const ProcessIdentity& leader);

// Kills all of them, stopped ones and later forks too. False: some are still there at the deadline.
bool end_session(const ProcessIdentity& leader, Deadline deadline);

}  // namespace understudy::launcher
