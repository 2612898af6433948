// SPDX-License-Identifier: Apache-2.0
#include "configs/base/unix_socket.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "configs/base/error.h"

namespace understudy {
namespace {

// All workers of a machine connect within a moment; a full backlog would refuse some of them.
constexpr int kBacklog = 1024;

[[noreturn]] void refuse(const std::string& doing) {
  const int code = errno;
  throw Error(ErrorKind::system,
              fmt::format("cannot {}: {}", doing, std::generic_category().message(code)));
}

// The kernel limits a socket path to 107 bytes; a silently truncated one would name another file.
sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path))
    throw Error(ErrorKind::system, fmt::format("socket path {} is longer than {} bytes", path,
                                               sizeof(address.sun_path) - 1))
        .note("set TMPDIR to a shorter path; run folders are created there");
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

Socket fresh() {
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) refuse("open a socket");
  return socket;
}

// False at the deadline.
// Each round takes the time that is left, so interrupted calls do not extend the deadline.
bool wait(int descriptor, short event, Deadline deadline) {
  for (;;) {
    // Rounded up: poll(2) with 0 ms in the last millisecond would spin.
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left()).count();
    pollfd entry{descriptor, event, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) refuse("wait on a socket");
  }
}

}  // namespace

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

// Swaps: the other socket's destructor closes our old descriptor.
Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket::~Socket() { close(); }

void Socket::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

Socket Socket::listen(const std::string& path) {
  Socket socket = fresh();
  const sockaddr_un address = address_of(path);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), kBacklog) != 0)
    refuse(fmt::format("listen at {}", path));
  return socket;
}

Socket Socket::connect(const std::string& path) {
  Socket socket = fresh();
  const sockaddr_un address = address_of(path);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    refuse(fmt::format("connect to {}", path));
  return socket;
}

std::optional<Socket> Socket::accept() const {
  if (!wait(descriptor_, POLLIN, Deadline::after(Seconds(0)))) return std::nullopt;
  Socket socket(::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC));
  if (socket.get() < 0) refuse("accept a connection");
  return socket;
}

void Socket::send(std::span<const std::byte> bytes, Deadline deadline) const {
  while (!bytes.empty()) {
    if (!wait(descriptor_, POLLOUT, deadline))
      throw Error(ErrorKind::timeout, "timeout while sending on a socket: the peer reads nothing");
    const ssize_t sent =
        ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    // poll(2) may report room that another sender has taken meanwhile.
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) refuse("send");
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
}

std::optional<std::size_t> Socket::receive(std::span<std::byte> into, Deadline deadline) const {
  for (;;) {
    if (!wait(descriptor_, POLLIN, deadline)) return std::nullopt;
    const ssize_t got = ::recv(descriptor_, into.data(), into.size(), 0);
    if (got >= 0) return static_cast<std::size_t>(got);
    // The peer closed with unread data: for us the same as an ordinary end.
    if (errno == ECONNRESET) return 0;
    if (errno != EINTR) refuse("receive");
  }
}

namespace {

// One message with one byte and room for one descriptor.
struct DescriptorMessage {
  DescriptorMessage() {
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
  }
  char byte = 'd';
  iovec piece{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
};

}  // namespace

void Socket::send_descriptor(int descriptor) const {
  DescriptorMessage with;
  cmsghdr* const header = CMSG_FIRSTHDR(&with.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  if (::sendmsg(descriptor_, &with.message, MSG_NOSIGNAL) != 1) refuse("send a descriptor");
}

int Socket::receive_descriptor(Deadline deadline) const {
  if (!wait(descriptor_, POLLIN, deadline))
    throw Error(ErrorKind::timeout, "timeout while waiting for a descriptor on a socket");
  DescriptorMessage with;
  const ssize_t got = ::recvmsg(descriptor_, &with.message, MSG_CMSG_CLOEXEC);
  if (got == 0) return -1;
  const cmsghdr* const header = got == 1 ? CMSG_FIRSTHDR(&with.message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) refuse("receive a descriptor");
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

}  // namespace understudy
