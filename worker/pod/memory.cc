// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/procfs.h"
#include "worker/pod/descriptor_exchange.h"

namespace understudy::worker {
namespace {

// Copies at most size - 1 bytes; the zero-filled array stays terminated.
template <std::size_t size>
void put_text(std::array<char, size>& to, std::string_view text) {
  std::memcpy(to.data(), text.data(), std::min(text.size(), size - 1));
}

// Tells whether two descriptors refer to the same memory object: a pid may be reused and a
// descriptor number too, a (device, inode) pair of a live memfd may not.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;
};

FileIdentity identity_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    throw file_error("stat", "a chip's memory", errno);
  }
  return {status.st_dev, status.st_ino};
}

// 0 where /proc is not mounted.
std::uint64_t pid_namespace() {
  struct stat status {};
  if (::stat("/proc/self/ns/pid", &status) != 0) return 0;
  return status.st_ino;
}

// The boot id tells machines apart that share a host name; the host name tells containers of one
// machine apart, which count as machines of their own.
SegmentAddress describe(const Segment& segment) {
  SegmentAddress address;
  put_text(address.boot_id, boot_id());
  put_text(address.host_name, machine_name());
  address.pid_namespace = pid_namespace();
  const ProcessIdentity self = this_process_identity();
  address.pid = self.pid;
  address.pid_start = self.start;
  const FileIdentity file = identity_of(segment.descriptor());
  address.device = file.device;
  address.inode = file.inode;
  address.hbm_bytes = segment.hbm().size();
  address.descriptor = segment.descriptor();
  return address;
}

std::vector<SegmentAddress> exchange_addresses(ControlChannel& control_channel,
                                               const SegmentAddress& own) {
  const auto bytes = std::as_bytes(std::span(&own, 1));
  std::vector<SegmentAddress> addresses;
  for (const Bytes& one : control_channel.all_gather({bytes.begin(), bytes.end()}, "chip memory")) {
    UNDERSTUDY_ASSERT(one.size() == sizeof(SegmentAddress));
    std::memcpy(&addresses.emplace_back(), one.data(), one.size());
  }
  return addresses;
}

}  // namespace

PodMemory::PodMemory(ControlChannel& control_channel, std::uint64_t hbm_bytes,
                     const std::string& run_id, SegmentAccess access, bool keeps_descriptor)
    : self_(static_cast<std::size_t>(control_channel.rank().value)),
      segments_(static_cast<std::size_t>(control_channel.size())) {
  // Every descriptor stays open until the last all_gather: peers open it by its number.
  // MAP_NORESERVE memory: a chip of 32 GB costs address space only, until pages are used.
  segments_[self_].emplace(Segment::create(hbm_bytes));
  addresses_ = exchange_addresses(control_channel, describe(own()));

  std::vector<Rank> denied;
  for (std::size_t peer = 0; peer < addresses_.size(); ++peer) {
    const Rank rank(static_cast<std::int64_t>(peer));
    if (peer == self_ || !on_this_machine(rank)) continue;
    // Every pair is tried by itself: hardened kernels may allow some peers and deny others.
    if (access == SegmentAccess::socket_only || !map_through_proc(peer)) denied.push_back(rank);
  }
  // The socket round is collective: if one rank needs it, all ranks take part, with an empty list
  // where nothing was denied.
  const Bytes mine = {static_cast<std::byte>(denied.empty() ? 0 : 1)};
  const std::vector<Bytes> all = control_channel.all_gather(mine, "chip memory is mapped");
  // The same list on all ranks, so all of them take the same branch.
  if (std::any_of(all.begin(), all.end(),
                  [](const Bytes& one) { return one[0] != std::byte{0}; })) {
    const std::vector<int> descriptors =
        exchange_descriptors(control_channel, run_id, own().descriptor(), denied);
    for (std::size_t i = 0; i < denied.size(); ++i) {
      const auto peer = static_cast<std::size_t>(denied[i].value);
      segments_[peer].emplace(Segment::map(descriptors[i], addresses_[peer].hbm_bytes));
      // The mapping keeps the memory alive; the descriptor would only use up the limit of open
      // files.
      segments_[peer]->close_descriptor();
    }
  }
  if (!keeps_descriptor) segments_[self_]->close_descriptor();
}

// False where the kernel denies /proc/PID/fd, or where the descriptor found there is not the peer's
// segment (its process ended and the pid was reused).
bool PodMemory::map_through_proc(std::size_t peer) {
  const SegmentAddress& address = addresses_[peer];
  // A pid of another namespace names another process here, or none.
  if (address.pid_namespace != addresses_[self_].pid_namespace) return false;
  const std::string path = fmt::format("/proc/{}/fd/{}", address.pid, address.descriptor);
  // Opening the link opens the memory object itself, with our own access rights. It needs ptrace
  // permission on the peer, which containers and hardened kernels deny.
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  const FileIdentity file = identity_of(descriptor);
  if (file.device != address.device || file.inode != address.inode) {
    ::close(descriptor);
    return false;
  }
  segments_[peer].emplace(Segment::map(descriptor, address.hbm_bytes));
  segments_[peer]->close_descriptor();
  return true;
}

const Segment* PodMemory::of(Rank rank) const {
  const auto& segment = segments_.at(static_cast<std::size_t>(rank.value));
  return segment ? &*segment : nullptr;
}

const SegmentAddress& PodMemory::address(Rank rank) const {
  // at() throws for a rank that is not in the pod: callers pass ranks of the plan.
  return addresses_.at(static_cast<std::size_t>(rank.value));
}

bool PodMemory::on_this_machine(Rank rank) const {
  const SegmentAddress& theirs = address(rank);
  const SegmentAddress& ours = addresses_[self_];
  return theirs.boot_id == ours.boot_id && theirs.host_name == ours.host_name;
}

}  // namespace understudy::worker
