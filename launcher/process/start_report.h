// SPDX-License-Identifier: Apache-2.0
// How a parent learns that the execve() of its child failed, which it otherwise could not
// distinguish from an exit status of the program: the child writes the errno into a pipe whose ends
// are close-on-exec, so end of file means that execve() succeeded. The caller owns the pipe.
// Thread-safe.
#pragma once

namespace understudy::launcher {

// In the child, after a failed call: reports `errno` and ends the process. Async-signal-safe.
[[noreturn]] void report_failed_start(int report);

// In the parent, which has closed its writing end: waits for the execve() or the end of the child.
// 0: the program has started; else the errno of the failure.
int errno_of_start(int report);

}  // namespace understudy::launcher
