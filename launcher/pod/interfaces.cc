// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/interfaces.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <memory>
#include <netinet/in.h>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

#include "launcher/pod/host_name.h"

namespace understudy::launcher {
namespace {

// inet_ntop() cannot fail here: the family is valid and the buffer has the size that it requires.
std::string text_of(in_addr address) {
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &address, text.data(), text.size());
  return text.data();
}

// The whole of 127.0.0.0/8 is loopback (RFC 1122, section 3.2.1.3); Debian maps the host's own name
// to 127.0.1.1.
bool is_loopback(in_addr address) { return (ntohl(address.s_addr) >> 24U) == 127; }

// The source address of packets to `host`, from the routing table. connect() on a UDP socket sends
// nothing.
std::optional<in_addr> source_towards(const std::string& host) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  // Any port will do: nothing is sent. 9 is the discard service.
  to.sin_port = htons(9);
  if (::inet_pton(AF_INET, host.c_str(), &to.sin_addr) != 1) return std::nullopt;
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return std::nullopt;
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const bool known = ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&from), &size) == 0;
  ::close(socket);
  // For an address of this machine the kernel returns that address itself.
  return known ? std::optional(from.sin_addr) : std::nullopt;
}

// The network of an address of this machine, as "10.0.0.0/24".
std::optional<std::string> network_of(in_addr address) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return std::nullopt;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(all, &::freeifaddrs);
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    if (one->ifa_netmask == nullptr) continue;
    const auto* const own = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
    if (own->sin_addr.s_addr != address.s_addr) continue;
    const in_addr_t mask = reinterpret_cast<const sockaddr_in*>(one->ifa_netmask)->sin_addr.s_addr;
    return fmt::format("{}/{}", text_of({own->sin_addr.s_addr & mask}), std::popcount(mask));
  }
  return std::nullopt;
}

}  // namespace

// Follows the syntax of Open MPI: `#` starts a comment, `^host` excludes a host, and options such
// as `slots=2` follow the name.
std::vector<std::string> hosts_in(const std::string& hostfile_text) {
  std::vector<std::string> hosts;
  std::istringstream lines(hostfile_text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string host;
    if (!(words >> host) || host.starts_with('^')) continue;
    host = host.substr(host.rfind('@') + 1);  // "user@host"
    if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  }
  return hosts;
}

// All names share one time limit; if any host cannot be resolved, nothing is restricted.
std::optional<HostRoutes> routes_to(const std::vector<std::string>& hosts, double limit_seconds) {
  const Deadline deadline = Deadline::after(Seconds(limit_seconds));
  std::set<std::string> networks;
  std::set<std::string> addresses;
  for (const std::string& host : hosts) {
    in_addr numeric{};
    std::string address = host;
    if (::inet_pton(AF_INET, host.c_str(), &numeric) != 1)
      address = look_up(host, Seconds(std::max(deadline.left(), Clock::duration(1))))
                    .address.value_or("");
    const std::optional<in_addr> from = source_towards(address);
    // An incomplete list of networks would cut off the missing host, which is worse than no
    // restriction: `mpirun` then tries all interfaces.
    if (!from) return std::nullopt;
    if (is_loopback(*from)) continue;  // this machine
    const std::optional<std::string> network = network_of(*from);
    if (!network) return std::nullopt;
    networks.insert(*network);
    addresses.insert(text_of(*from));
  }
  // All hosts are this machine under several names.
  if (networks.empty()) return HostRoutes{{"127.0.0.0/8"}, "127.0.0.1"};
  return HostRoutes{{networks.begin(), networks.end()},
                    addresses.size() == 1 ? *addresses.begin() : ""};
}

}  // namespace understudy::launcher
