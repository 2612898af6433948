// SPDX-License-Identifier: Apache-2.0
// Finds the networks of this machine that reach the machines of a hostfile, by the kernel's routes.
// Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace understudy::launcher {

// The machines of a hostfile, read like mpirun: the first word of each line, without comments.
std::vector<std::string> hosts_in(const std::string& hostfile_text);

struct HostRoutes {
  std::vector<std::string> networks;  // "10.0.0.0/24"; "127.0.0.0/8" if all hosts are this machine
  // The single source address of this machine for all hosts; empty if there are several.
  std::string address;
};
// nullopt (unknown) if a name does not resolve within the limit or has no route.
std::optional<HostRoutes> routes_to(const std::vector<std::string>& hosts,
                                    double limit_seconds = 1);

}  // namespace understudy::launcher
