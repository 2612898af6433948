// SPDX-License-Identifier: Apache-2.0
// Logs for people, on stderr, one line each: "understudy: warning: text". The only state of the
// process that is not passed around. Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace understudy {

enum class LogLevel : std::uint8_t { error, warning, info, debug };

// Sets the name of the process ("understudy", "chip 3") and the least important level to print.
// Before the first call it is "understudy" and `info`. May be called again, e.g. once the rank is
// known.
void log_setup(std::string_view name, LogLevel level);

void log_error(std::string_view text);
void log_warn(std::string_view text);
void log_info(std::string_view text);
void log_debug(std::string_view text);

}  // namespace understudy
