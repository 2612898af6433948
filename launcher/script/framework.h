// SPDX-License-Identifier: Apache-2.0
// The version of the framework that a script will use: the plugin never sees it, so the launcher
// looks before it starts anything.
#pragma once

#include <string>

namespace understudy::launcher {

// The Python that runs `command`, a path: itself, or the interpreter that the first line of a
// script names (a name without a path where that is `env`'s); "" for every other program.
std::string python_of(const std::string& command);

// The version of jaxlib of that Python interpreter; "" where it has none, or where `interpreter` is
// no Python. Starts it once.
std::string jaxlib_version(const std::string& interpreter);

// A note about a version that was not tried, or "".
std::string note_on_jaxlib(const std::string& version);

}  // namespace understudy::launcher
