// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/descriptor_exchange.h"

#include <algorithm>
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

#include "configs/base/deadline.h"
#include "configs/base/error.h"

namespace understudy::worker {
namespace {

// Every socket is listening before the first connect, so an exchange takes milliseconds. The limit
// only matters when a peer dies during it.
constexpr Seconds kExchangeLimit{10};

[[noreturn]] void refuse(std::string_view doing) {
  const int code = errno;
  throw Error(ErrorKind::system, fmt::format("cannot {} to share chip memory: {}", doing,
                                             std::generic_category().message(code)));
}

class ExchangeSocket {
 public:
  explicit ExchangeSocket(int descriptor) : descriptor_(descriptor) {
    if (descriptor_ < 0) refuse("open a socket");
  }
  ExchangeSocket() : ExchangeSocket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  ExchangeSocket(ExchangeSocket&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ExchangeSocket& operator=(ExchangeSocket&&) = delete;
  ~ExchangeSocket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

struct Name {
  sockaddr_un address{};
  socklen_t size = 0;
};

// An abstract socket name: the first byte of sun_path is 0, the rest needs no terminator.
// Abstract names need no file, so nothing is left behind after a crash; they belong to the network
// namespace.
Name name_of(const std::string& run_id, Rank rank) {
  const std::string text = fmt::format("understudy-{}-{}", run_id, rank.value);
  Name name;
  name.address.sun_family = AF_UNIX;
  const std::size_t size = std::min(text.size(), sizeof(name.address.sun_path) - 1);
  // Keep the end of a name that is too long: it holds the rank and the last letters of the run id,
  // which differ between concurrent runs.
  std::memcpy(name.address.sun_path + 1, text.data() + (text.size() - size), size);
  name.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
  return name;
}

void wait_readable(const ExchangeSocket& socket) {
  const Deadline deadline = Deadline::after(kExchangeLimit);
  // poll() may return early: EINTR, or a rounding of the time.
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left()).count();
    pollfd entry{socket.get(), POLLIN, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) refuse("wait on a socket");
    if (ready == 0) {
      throw Error(ErrorKind::timeout,
                  "a peer did not send the descriptor of its chip memory within 10 s");
    }
  }
}

// SCM_RIGHTS needs at least one byte of data on a stream socket.
// A descriptor is sent as ancillary data; the kernel installs a duplicate in the receiver.
struct DescriptorMessage {
  explicit DescriptorMessage(bool sending) {
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (!sending) return;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
  }
  char byte = 0;
  iovec vector{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
};

void give(const ExchangeSocket& to, int descriptor) {
  DescriptorMessage descriptor_message(true);
  std::memcpy(CMSG_DATA(CMSG_FIRSTHDR(&descriptor_message.message)), &descriptor,
              sizeof(descriptor));
  if (::sendmsg(to.get(), &descriptor_message.message, MSG_NOSIGNAL) != 1)
    refuse("send a descriptor");
}

int take(const ExchangeSocket& from) {
  wait_readable(from);
  DescriptorMessage descriptor_message(false);
  // Close-on-exec from the first moment, so that no child inherits a chip's memory.
  if (::recvmsg(from.get(), &descriptor_message.message, MSG_CMSG_CLOEXEC) != 1) {
    refuse("receive a descriptor");
  }
  const cmsghdr* head = CMSG_FIRSTHDR(&descriptor_message.message);
  // The kernel drops descriptors when the receiver's table is full (ulimit -n).
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) {
    throw Error(ErrorKind::system,
                "a peer sent a message without the descriptor of its chip memory");
  }
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(head), sizeof(descriptor));
  return descriptor;
}

// How many ranks will connect to our socket.
std::size_t count_requests(ControlChannel& control_channel, const std::vector<Rank>& wanted) {
  // Ranks as raw bytes: all workers run the same build.
  const auto wishes = std::as_bytes(std::span(wanted));
  std::size_t count = 0;
  for (const Bytes& theirs :
       control_channel.all_gather({wishes.begin(), wishes.end()}, "socket wishes")) {
    std::vector<Rank> ranks(theirs.size() / sizeof(Rank));
    if (!ranks.empty()) std::memcpy(ranks.data(), theirs.data(), theirs.size());
    count +=
        static_cast<std::size_t>(std::count(ranks.begin(), ranks.end(), control_channel.rank()));
  }
  return count;
}

}  // namespace

std::vector<int> exchange_descriptors(ControlChannel& control_channel, const std::string& run_id,
                                      int descriptor, const std::vector<Rank>& wanted) {
  // Known in advance, so that accept() is called exactly as often as peers connect.
  const std::size_t guests = count_requests(control_channel, wanted);
  const ExchangeSocket listener;
  const Name own = name_of(run_id, control_channel.rank());
  if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&own.address), own.size) != 0 ||
      // The backlog holds one connection from every rank.
      ::listen(listener.get(), control_channel.size()) != 0) {
    refuse("open a socket");
  }
  // Nobody may connect before every socket listens.
  control_channel.barrier("sockets are open");

  // Three phases without a deadlock: connect() succeeds as soon as the connection is in the peer's
  // backlog (which holds all ranks), so nobody waits for anybody's accept(). Then everyone serves
  // its guests, and only then reads from its owners.
  std::vector<ExchangeSocket> owners;
  for (const Rank rank : wanted) {
    ExchangeSocket socket;
    const Name name = name_of(run_id, rank);
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&name.address), name.size) != 0) {
      refuse(fmt::format("reach rank {}", rank.value));
    }
    owners.push_back(std::move(socket));
  }
  for (std::size_t guest = 0; guest < guests; ++guest) {
    wait_readable(listener);
    // The accepted socket closes at once; the descriptor is already in the peer's queue.
    give(ExchangeSocket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)), descriptor);
  }
  std::vector<int> taken;
  for (const ExchangeSocket& owner : owners) taken.push_back(take(owner));
  return taken;
}

}  // namespace understudy::worker
