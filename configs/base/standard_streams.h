// SPDX-License-Identifier: Apache-2.0
// Makes a process safe to write from: called first in main(), before any other file is opened and
// before any thread starts.
#pragma once

namespace understudy {

// If the parent closed descriptors 0 to 2, they are opened on /dev/null in the unusable direction:
// no file opened later gets their numbers, and writing to a closed stream is still an error.
void open_closed_streams() noexcept;

// A write to a pipe without a reader (SIGPIPE) and a file beyond `ulimit -f` (SIGXFSZ) become error
// codes of the write instead of the end of the process.
void make_failed_writes_errors() noexcept;

}  // namespace understudy
