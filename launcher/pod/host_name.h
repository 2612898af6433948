// SPDX-License-Identifier: Apache-2.0
// Resolves a name with a time limit. Programs that look up names block on name servers that do not
// answer, ten seconds or more per name. Thread-safe.
#pragma once

#include <optional>
#include <string>

#include "configs/base/deadline.h"

namespace understudy::launcher {

struct NameLookup {
  std::string name;
  // IPv4 address; nullopt: the name does not resolve, or not within the limit.
  std::optional<std::string> address;
  double seconds = 0;   // duration, at most about the limit
  bool in_time = true;  // false: there was no answer within the limit
};

// Resolves a name in a child process, which is killed at the limit.
NameLookup look_up(const std::string& name, Seconds limit);

}  // namespace understudy::launcher
