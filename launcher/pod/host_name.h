// SPDX-License-Identifier: Apache-2.0
// How long this machine takes to resolve a name. Programs that look names up wait for name servers
// that do not answer, ten seconds and more for each name. Thread-safe.
#pragma once

#include <optional>
#include <string>

#include "configs/base/deadline.h"

namespace understudy::launcher {

struct NameLookup {
  std::string name;
  // IPv4 address; nullopt: the name does not resolve, or not within the limit.
  std::optional<std::string> address;
  double seconds = 0;   // what it took; the limit where that was reached
  bool in_time = true;  // false: there was no answer within the limit
};

// Resolves a name in a process of its own, which is killed at the limit.
NameLookup look_up(const std::string& name, Seconds limit);

std::string own_host_name();

}  // namespace understudy::launcher
