// SPDX-License-Identifier: Apache-2.0
// Which of this machine's networks reach the machines of a hostfile, by the kernel's routes.
// Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace understudy::launcher {

// The machines of a hostfile as mpirun reads it: the first word of each line, comments left out.
std::vector<std::string> hosts_in(const std::string& hostfile_text);

struct HostRoutes {
  std::vector<std::string> networks;  // "10.0.0.0/24"; "127.0.0.0/8" where all are this machine
  // The one address of this machine that all of them reach; empty: there are several.
  std::string address;
};
// nullopt where a name does not resolve within `limit` or there is no route: nothing is known then.
std::optional<HostRoutes> routes_to(const std::vector<std::string>& hosts,
                                    double limit_seconds = 1);

}  // namespace understudy::launcher
