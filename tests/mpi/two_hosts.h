// SPDX-License-Identifier: Apache-2.0
// Two hosts on one machine, for real: network namespaces joined by one link, each with a host name
// of its own. Needs the right to make them (root); everything is gone with the object.
#pragma once

#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {

class TwoHosts {
 public:
  // `world` gets the hostfile and the agent, and outlives this.
  explicit TwoHosts(World& world);
  ~TwoHosts();
  TwoHosts(const TwoHosts&) = delete;
  TwoHosts& operator=(const TwoHosts&) = delete;

  // Why there are no two hosts; empty when there are.
  const std::string& missing() const { return missing_; }
  std::string name(char host) const { return tag_ + host; }  // 'a' or 'b'
  // Words that start other words on host a.
  std::vector<std::string> on_first() const;
  // Options of `run` for both hosts, `slots` ranks on each.
  std::vector<std::string> options(int slots) const;
  void cut_link() const;
  // Processes on a host.
  std::vector<int> pids(char host) const;

 private:
  bool ip(const std::string& words) const;

  World& world_;
  std::string tag_, missing_;
};

}  // namespace understudy::mpi_testing
