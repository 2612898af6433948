// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/host_name.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace understudy::launcher {
namespace {

// The IPv4 address as text, or "" if the name does not resolve.
std::string resolve(const std::string& name) {
  addrinfo hints{};
  // IPv4 only, because Open MPI's TCP transport and the networks of `interfaces.cc` are IPv4.
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return "";
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
  std::array<char, INET_ADDRSTRLEN> text{};
  const auto* const address = reinterpret_cast<const sockaddr_in*>(found->ai_addr);
  ::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size());
  return text.data();
}

// getaddrinfo() has no time limit and cannot be cancelled, so it runs in a child that can be
// killed.
[[noreturn]] void resolve_and_tell(const std::string& name, pid_t parent, int pipe) {
  // The child must not outlive the launcher while it waits for a name server.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have ended between fork() and prctl(); no signal is sent then.
  if (::getppid() != parent) ::_exit(1);
  // The handler of the launcher would run in this child as well.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) static_cast<void>(::signal(number, SIG_DFL));
  // A name that does not resolve gives a lone newline, so that the parent can tell it from a child
  // that died without an answer.
  const std::string address = resolve(name) + "\n";
  static_cast<void>(!::write(pipe, address.data(), address.size()));
  ::_exit(0);
}

// Waits for data or the end of a pipe. False: neither came before the deadline.
bool readable(int pipe, const Deadline& deadline) {
  pollfd one{pipe, POLLIN, 0};
  int ready = 0;
  // A signal handler that returns interrupts poll(), which says nothing about the name.
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left()).count();
    ready = ::poll(&one, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

NameLookup look_up(const std::string& name, Seconds limit) {
  NameLookup lookup{name, std::nullopt, 0, true};
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return lookup;
  const Clock::time_point begin = Clock::now();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) resolve_and_tell(name, parent, ends[1]);
  // If the child dies, this was the last other write end, so poll() returns at once with end of
  // file.
  ::close(ends[1]);
  lookup.in_time = child < 0 || readable(ends[0], Deadline::after(limit));
  std::array<char, 64> text{};
  if (child > 0 && lookup.in_time && ::read(ends[0], text.data(), text.size() - 1) > 1) {
    const std::string line = text.data();
    lookup.address = line.substr(0, line.find('\n'));
  }
  ::close(ends[0]);
  if (child > 0) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  lookup.seconds = seconds_since(begin);
  return lookup;
}

}  // namespace understudy::launcher
