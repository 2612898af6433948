// SPDX-License-Identifier: Apache-2.0
// One collective at work: what every algorithm shares. Makes the header once, turns places in the
// group into ranks, counts, and joins the members' clocks. Lives on the stack of the call.
#pragma once

#include <cstddef>
#include <span>

#include "collectives/collectives.h"
#include "collectives/tags.h"

namespace understudy::collectives {

// The header of a call over these members (none: a permute). The place is part of the text but not
// of the signature: programs may differ between ranks if their collectives match.
MessageHeader header_of(const CallSite& site, std::span<const Rank> members);

// Places are positions in the group, ranks are positions in the pod.
class Call {
 public:
  // The references must outlive the call.
  Call(Transport& transport, const Group& group, const CallSite& site, std::string_view algorithm);

  std::size_t size() const { return group_.size(); }
  std::size_t self() const { return group_.self; }
  // The member `distance` places to the right of us, around the group.
  std::size_t right(std::size_t distance = 1) const { return (self() + distance) % size(); }
  std::size_t left(std::size_t distance = 1) const {
    return (self() + size() - distance % size()) % size();
  }

  // One message each way; places in the group.
  void exchange(std::span<const std::byte> out, std::size_t to, std::span<std::byte> in,
                std::size_t from);
  // Ranks, not places.
  void exchange_all(std::span<const Outbound> out, std::span<Inbound> in);
  Rank rank_of(std::size_t member) const { return group_.members[member]; }

  const Waiting& waiting() const { return waiting_; }
  const CallReport& report() const { return report_; }

 private:
  Transport& transport_;
  const Group& group_;
  MessageHeader header_;
  Waiting waiting_;
  CallReport report_;
};

}  // namespace understudy::collectives
