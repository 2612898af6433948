// SPDX-License-Identifier: Apache-2.0
#include "tests/mpi/net_hosts.h"

#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace understudy::mpi_testing {
namespace {

constexpr char kSwitch = 'z';

std::string address_of(char host) { return fmt::format("10.207.1.{}", host - 'a' + 1); }

}  // namespace

NetHosts::NetHosts(World& world, int count)
    : world_(world), count_(count), tag_(fmt::format("us{}", getpid() % 1'000'000)) {
  if (!ip(fmt::format("netns add {}", name(kSwitch)))) {
    missing_ = "network namespaces cannot be made here (ip netns add)";
    return;
  }
  bool made = ip(fmt::format("-n {} link add switch type bridge", name(kSwitch))) &&
              ip(fmt::format("-n {} link set switch up", name(kSwitch)));
  for (const char host : hosts()) made = made && join(host);
  if (!made) missing_ = "network namespaces cannot be joined here (ip link add type veth, bridge)";
  // What mpirun calls in place of ssh: AGENT ADDRESS WORDS...
  std::string agent = "#!/bin/sh\ncase $1 in\n";
  for (const char host : hosts())
    agent += fmt::format("{}) host={};;\n", address_of(host), name(host));
  agent +=
      "esac\nshift\nexec ip netns exec $host unshare --uts /bin/sh -c \"hostname $host; exec "
      "/bin/sh -c \\\"\\$0\\\"\" \"$*\"\n";
  if (chmod(world_.write("agent", agent).c_str(), 0700) != 0) missing_ = "chmod";
}

NetHosts::~NetHosts() {
  for (const char host : hosts()) {
    for (const int pid : pids(host)) kill(pid, SIGKILL);
    static_cast<void>(ip("netns del " + name(host)));
  }
  static_cast<void>(ip("netns del " + name(kSwitch)));
}

bool NetHosts::ip(const std::string& words) const {
  return std::system(fmt::format("ip {} >/dev/null 2>&1", words).c_str()) == 0;
}

bool NetHosts::join(char host) const {
  const std::string self = name(host), hub = name(kSwitch);
  return ip("netns add " + self) &&
         ip(fmt::format("link add v{0} netns {0} type veth peer name p{0} netns {1}", self, hub)) &&
         ip(fmt::format("-n {1} link set p{0} master switch up", self, hub)) &&
         ip(fmt::format("-n {0} addr add {1}/24 dev v{0}", self, address_of(host))) &&
         ip(fmt::format("-n {0} link set v{0} up", self)) &&
         ip(fmt::format("-n {0} link set lo up", self));
}

std::vector<char> NetHosts::hosts() const {
  std::vector<char> all;
  for (int i = 0; i < count_; ++i) all.push_back(static_cast<char>('a' + i));
  return all;
}

std::string NetHosts::address(char host) const { return address_of(host); }

std::vector<std::string> NetHosts::on(char host) const {
  // Not `ip netns exec`: that hides what is mounted below /sys.
  return {"/usr/bin/nsenter",
          "--net=/run/netns/" + name(host),
          "/usr/bin/unshare",
          "--uts",
          "/bin/sh",
          "-c",
          fmt::format("hostname {}; exec \"$0\" \"$@\"", name(host))};
}

std::vector<std::string> NetHosts::options(int slots) const {
  std::string lines;
  for (const char host : hosts()) lines += fmt::format("{} slots={}\n", address_of(host), slots);
  return {"--hostfile",
          world_.write("hosts", lines),
          "--hosts",
          fmt::format("{}", count_),
          "--mpi-arg=--mca",
          "--mpi-arg=plm_rsh_agent",
          "--mpi-arg=" + world_.file("agent")};
}

void NetHosts::cut_link(char host) const {
  static_cast<void>(ip(fmt::format("-n {0} link set v{0} down", name(host))));
}

std::vector<int> NetHosts::pids(char host) const {
  const std::string path = world_.file("pids");
  const std::string line = fmt::format("ip netns pids {} > {} 2>/dev/null", name(host), path);
  if (std::system(line.c_str()) != 0) return {};
  std::ifstream file(path);
  std::vector<int> all;
  for (int pid = 0; file >> pid;) all.push_back(pid);
  return all;
}

}  // namespace understudy::mpi_testing
