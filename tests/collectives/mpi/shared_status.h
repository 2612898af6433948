// SPDX-License-Identifier: Apache-2.0
// What a worker's segments give MpiTransport, made small for tests: one page shared by all ranks
// with a status each. Rank 0 makes it, the others map it through /proc.
#pragma once

#include <array>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "fmt/format.h"

#include "collectives/doorbell.h"
#include "collectives/tags.h"
#include "collectives/wait_monitor.h"
#include "configs/base/error.h"
#include "configs/base/procfs.h"
#include "configs/receipt/record/record.h"

namespace understudy::collectives {

class SharedStatus final : public Doorbells, public PeerWatch {
 public:
  // Collective: the transport carries the page's place.
  explicit SharedStatus(Transport& transport) : self_(transport.rank()), size_(transport.size()) {
    std::array<char, 64> path{};
    int fd = -1;
    if (self_ == Rank(0)) {
      fd = memfd_create("statuses", MFD_CLOEXEC);
      check(fd >= 0 && ftruncate(fd, kBytes) == 0, "memfd_create");
      const std::string text = fmt::format("/proc/{}/fd/{}", getpid(), fd);
      std::copy(text.begin(), text.end(), path.begin());
    }
    tell(transport, path);
    if (fd < 0) fd = open(path.data(), O_RDWR | O_CLOEXEC);
    check(fd >= 0, "open");
    void* base = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    check(base != MAP_FAILED, "mmap");
    entries_ = static_cast<Entry*>(base);
    mine().pid = getpid();
    tell(transport, path);  // all have it open
    check(close(fd) == 0, "close");
  }
  SharedStatus(const SharedStatus&) = delete;
  SharedStatus& operator=(const SharedStatus&) = delete;

  configs::StatusCell& status() { return mine().status; }
  std::int64_t pid_of(Rank rank) { return of(rank).pid; }

  void ring(Rank rank) override { collectives::ring(of(rank).status.doorbell); }
  std::atomic<std::uint32_t>& own() override { return mine().status.doorbell; }
  bool is_local(Rank) const override { return true; }

  PeerState state(Rank peer) override {
    if (of(peer).status.abort != 0) return PeerState::gave_up;
    if (of(peer).pid == 0) return PeerState::alive;  // not known yet
    const auto stat = process_stat(of(peer).pid);
    if (!stat || stat->state == 'Z' || stat->state == 'X') return PeerState::gone;
    return stat->state == 'T' ? PeerState::stopped : PeerState::alive;
  }
  std::uint64_t progress(Rank peer) override { return of(peer).status.instructions; }
  std::uint64_t heartbeat(Rank peer) override { return of(peer).status.heartbeat; }
  Rank waiting_for(Rank peer) override {
    return Rank(std::int64_t{of(peer).status.waiting_for.load()} - 1);
  }
  void publish_waiting_for(Rank peer) override {
    status().waiting_for = static_cast<std::uint32_t>(peer.value + 1);
  }
  std::string describe(Rank peer) override { return fmt::format("rank {}", peer.value); }

 private:
  static constexpr std::size_t kBytes = 1 << 16;
  struct Entry {
    configs::StatusCell status;
    std::atomic<std::int64_t> pid;
  };

  static void check(bool good, const char* what) {
    if (!good) throw Error(ErrorKind::system, fmt::format("{}: {}", what, std::strerror(errno)));
  }
  Entry& of(Rank rank) { return entries_[rank.value]; }
  Entry& mine() { return of(self_); }

  // Rank 0's text goes around all ranks and back, so that it ends when all have it.
  void tell(Transport& transport, std::array<char, 64>& text) const {
    const auto bytes = std::as_writable_bytes(std::span(text));
    const Rank right((self_.value + 1) % size_);
    const Rank left((self_.value + size_ - 1) % size_);
    const auto pass = [&](std::span<const std::byte> out, Rank to, std::span<std::byte> in,
                          Rank from) {
      transport.exchange(out, to, in, from, Stream::control_channel, {}, {"the statuses' place"});
    };
    if (self_ != Rank(0)) pass({}, kNobody, bytes, left);
    if (size_ > 1) pass(bytes, right, {}, kNobody);
    if (self_ == Rank(0) && size_ > 1) pass({}, kNobody, bytes, left);
  }

  Rank self_;
  int size_;
  Entry* entries_ = nullptr;
};

}  // namespace understudy::collectives
