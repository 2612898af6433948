// SPDX-License-Identifier: Apache-2.0
// Preloaded into mpirun only. Open MPI 4.1 advertises the interfaces of oob_tcp_if_include but
// listens on every address of the machine. This library replaces bind(): a socket that would be
// bound to all addresses is bound to the address in UNDERSTUDY_LISTEN instead (IPv6: to the
// loopback address); without that variable nothing changes. Processes that mpirun starts do not get
// this library. C library only; thread-safe.
#include <arpa/inet.h>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace {

in_addr listen_address{};
bool listens_there = false;  // UNDERSTUDY_LISTEN is set and valid

// Restores the environment for the children of mpirun. This library is the first entry of
// LD_PRELOAD; the rest belongs to the user.
__attribute__((constructor)) void leave_environment() {
  const char* const address = getenv("UNDERSTUDY_LISTEN");
  listens_there = address != nullptr && inet_pton(AF_INET, address, &listen_address) == 1;
  unsetenv("UNDERSTUDY_LISTEN");
  const char* const preloaded = getenv("LD_PRELOAD");
  const char* const rest = preloaded == nullptr ? nullptr : strchr(preloaded, ':');
  char* const own = rest == nullptr ? nullptr : strdup(rest + 1);
  if (own == nullptr) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", own, 1);
    free(own);
  }
}

using Bind = int (*)(int, const sockaddr*, socklen_t);

int bind_loopback6(Bind real, int socket, sockaddr_in6 address) {
  address.sin6_addr = in6addr_loopback;
  if (real(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return 0;
  // The loopback interface has no IPv6 address: use an IPv4-mapped one on a dual-stack socket.
  const int both = 0;
  (void)setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
  (void)inet_pton(AF_INET6, "::ffff:127.0.0.1", &address.sin6_addr);
  return real(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int bind(int socket, const sockaddr* address,
                                                           socklen_t length) noexcept {
  const auto real = reinterpret_cast<Bind>(dlsym(RTLD_NEXT, "bind"));
  if (!listens_there) return real(socket, address, length);
  if (address->sa_family == AF_INET && length >= sizeof(sockaddr_in)) {
    sockaddr_in chosen{};
    memcpy(&chosen, address, sizeof chosen);
    if (chosen.sin_addr.s_addr == htonl(INADDR_ANY)) chosen.sin_addr = listen_address;
    return real(socket, reinterpret_cast<const sockaddr*>(&chosen), sizeof chosen);
  }
  if (address->sa_family == AF_INET6 && length >= sizeof(sockaddr_in6)) {
    sockaddr_in6 chosen{};
    memcpy(&chosen, address, sizeof chosen);
    if (IN6_IS_ADDR_UNSPECIFIED(&chosen.sin6_addr)) return bind_loopback6(real, socket, chosen);
  }
  return real(socket, address, length);
}
