// SPDX-License-Identifier: Apache-2.0
// SIGTERM and SIGINT without a handler: blocked in all threads, and asked for by the main thread.
#pragma once

namespace understudy::worker {

// Before any thread starts. *Throws* Error{system}.
void block_stop_signals();
// The stop signal that came since, 0 if none.
int pending_stop_signal() noexcept;

}  // namespace understudy::worker
