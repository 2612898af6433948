// SPDX-License-Identifier: Apache-2.0
// All segments of a pod as one worker sees them: its own, and those of its peers on the same
// machine. Peers' segments are mapped at start through /proc/PID/fd, or, where the kernel denies
// that (other pid namespace, no ptrace permission), from descriptors that the peers send over a
// socket. Peers on other machines have no segment here. Construction is collective. Lookups are
// thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "worker/pod/control_channel.h"
#include "worker/pod/segment.h"

namespace understudy::worker {

// What a worker sends to the others about itself and its segment. Copied byte for byte onto the
// wire, so it holds no pointers. All workers run the same build (see ContractGate).
struct SegmentAddress {
  std::array<char, 40> boot_id{};
  std::array<char, 72> host_name{};
  std::uint64_t pid_namespace = 0;
  std::int64_t pid = 0;
  std::uint64_t pid_start = 0;  // field 22 of /proc/PID/stat
  std::uint64_t device = 0, inode = 0;
  std::uint64_t hbm_bytes = 0;
  std::int64_t descriptor = -1;
};

// `socket_only` skips /proc, so that tests cover the fallback on a machine that allows both.
enum class SegmentAccess : std::uint8_t { automatic, socket_only };

class PodMemory {
 public:
  // `run_id` makes the socket names of concurrent runs distinct. `keeps_descriptor`: own() keeps
  // its descriptor open, to count its pages and for a host process that will map it too. *Throws*
  // Error{system}.
  PodMemory(ControlChannel& control_channel, std::uint64_t hbm_bytes, const std::string& run_id,
            SegmentAccess access = SegmentAccess::automatic, bool keeps_descriptor = false);

  const Segment& own() const { return *segments_[self_]; }
  // nullptr: on another machine.
  const Segment* of(Rank rank) const;
  const SegmentAddress& address(Rank rank) const;
  const SegmentAddress& own_address() const { return addresses_[self_]; }
  Rank self() const { return Rank(static_cast<std::int64_t>(self_)); }
  bool on_this_machine(Rank rank) const;
  std::size_t size() const { return addresses_.size(); }

 private:
  bool map_through_proc(std::size_t peer);

  std::size_t self_;
  std::vector<SegmentAddress> addresses_;         // by rank
  std::vector<std::optional<Segment>> segments_;  // by rank
};

}  // namespace understudy::worker
