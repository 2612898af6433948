// SPDX-License-Identifier: Apache-2.0
// Several hosts on one machine, for real: network namespaces joined by a switch, each with a host
// name of its own. Needs the right to make them (root); everything is gone with the object.
#pragma once

#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {

class NetHosts {
 public:
  // `world` gets the hostfile and the agent, and outlives this.
  explicit NetHosts(World& world, int count = 2);
  ~NetHosts();
  NetHosts(const NetHosts&) = delete;
  NetHosts& operator=(const NetHosts&) = delete;

  // The reason why such hosts cannot be created; empty where they can.
  const std::string& missing() const { return missing_; }
  std::string name(char host) const { return tag_ + host; }  // 'a', 'b', ...
  std::string address(char host) const;
  // Command prefix that runs a command on a host.
  std::vector<std::string> on(char host) const;
  std::vector<std::string> on_first() const { return on('a'); }
  // Options of `run` for all hosts, `slots` ranks on each.
  std::vector<std::string> options(int slots) const;
  // Cuts a host off from the network.
  void cut_link(char host) const;
  // Processes on a host.
  std::vector<int> pids(char host) const;

 private:
  bool ip(const std::string& words) const;
  bool join(char host) const;
  std::vector<char> hosts() const;

  World& world_;
  int count_;
  std::string tag_, missing_;
};

}  // namespace understudy::mpi_testing
