// SPDX-License-Identifier: Apache-2.0
#include "tests/mpi/two_hosts.h"

#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace understudy::mpi_testing {
namespace {

constexpr const char* kFirst = "10.207.1.1";
constexpr const char* kSecond = "10.207.1.2";

}  // namespace

TwoHosts::TwoHosts(World& world) : world_(world), tag_(fmt::format("us{}", getpid() % 1'000'000)) {
  if (!ip(fmt::format("netns add {}", name('a')))) {
    missing_ = "network namespaces cannot be made here (ip netns add)";
    return;
  }
  const bool made =
      ip(fmt::format("netns add {}", name('b'))) &&
      ip(fmt::format("link add v{0}a netns {0}a type veth peer name v{0}b netns {0}b", tag_)) &&
      ip(fmt::format("-n {0}a addr add {1}/24 dev v{0}a", tag_, kFirst)) &&
      ip(fmt::format("-n {0}b addr add {1}/24 dev v{0}b", tag_, kSecond)) &&
      ip(fmt::format("-n {0}a link set v{0}a up", tag_)) &&
      ip(fmt::format("-n {0}b link set v{0}b up", tag_)) &&
      ip(fmt::format("-n {0}a link set lo up", tag_)) &&
      ip(fmt::format("-n {0}b link set lo up", tag_));
  if (!made) missing_ = "network namespaces cannot be joined here (ip link add type veth)";
  // What mpirun calls in place of ssh: AGENT HOST WORDS...
  const std::string agent = world_.write(
      "agent", fmt::format("#!/bin/sh\nshift\nexec ip netns exec {0} unshare --uts /bin/sh -c "
                           "'hostname {0}; exec /bin/sh -c \"$0\"' \"$*\"\n",
                           name('b')));
  if (chmod(agent.c_str(), 0700) != 0) missing_ = "chmod";
}

TwoHosts::~TwoHosts() {
  for (const char host : {'a', 'b'}) {
    for (const int pid : pids(host)) kill(pid, SIGKILL);
    static_cast<void>(ip("netns del " + name(host)));
  }
}

bool TwoHosts::ip(const std::string& words) const {
  return std::system(fmt::format("ip {} >/dev/null 2>&1", words).c_str()) == 0;
}

std::vector<std::string> TwoHosts::on_first() const {
  return {"/bin/sh", "-c",
          fmt::format("exec ip netns exec {0} unshare --uts /bin/sh -c 'hostname {0}; exec \"$0\" "
                      "\"$@\"' \"$0\" \"$@\"",
                      name('a'))};
}

std::vector<std::string> TwoHosts::options(int slots) const {
  const std::string hosts = world_.write(
      "hosts", fmt::format("{} slots={}\n{} slots={}\n", kFirst, slots, kSecond, slots));
  return {"--hostfile",
          hosts,
          "--hosts",
          "2",
          "--mpi-arg=--mca",
          "--mpi-arg=plm_rsh_agent",
          "--mpi-arg=" + world_.file("agent")};
}

void TwoHosts::cut_link() const {
  static_cast<void>(ip(fmt::format("-n {0}a link set v{0}a down", tag_)));
}

std::vector<int> TwoHosts::pids(char host) const {
  const std::string path = world_.file("pids");
  const std::string line = fmt::format("ip netns pids {} > {} 2>/dev/null", name(host), path);
  if (std::system(line.c_str()) != 0) return {};
  std::ifstream file(path);
  std::vector<int> all;
  for (int pid = 0; file >> pid;) all.push_back(pid);
  return all;
}

}  // namespace understudy::mpi_testing
