// SPDX-License-Identifier: Apache-2.0
// Who holds a lock file or writes a temporary file: enough to decide, on the same machine, whether
// that process still exists. No clock is involved, so a wrong clock cannot break a valid lock. Pure
// functions except for /proc; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace understudy::cache {

struct Owner {
  std::string machine;  // host name, boot and pid namespace: where the pid means something
  std::int64_t pid = 0;
  std::uint64_t start = 0;  // field 22 of /proc/PID/stat: detects a reused pid
  bool operator==(const Owner&) const = default;
};

// This process; a new value after fork().
Owner this_process();

std::string text_of(const Owner& owner);
std::optional<Owner> parse_owner(std::string_view text);

// True only if the process certainly does not exist any more. A process of another machine, and
// anything unknown, counts as alive.
bool is_dead(const Owner& owner);

// "process 123 of this machine", for the text of an owner; empty if the text is invalid.
std::string words_for_owner(std::string_view text);

inline constexpr std::string_view kTemporarySuffix = ".tmp";
// A name in the folder of `path` that no other process and no earlier call returns:
// ".<name>.<owner>.<n>.tmp".
std::string temporary_for(const std::string& path);
// The owner in such a file name; nullopt if the name has none.
std::optional<Owner> owner_of_temporary(std::string_view file_name);

}  // namespace understudy::cache
