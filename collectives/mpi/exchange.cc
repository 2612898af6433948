// SPDX-License-Identifier: Apache-2.0
#include "collectives/mpi/exchange.h"

#include <algorithm>

#include "configs/base/error.h"

namespace understudy::collectives {

Outgoing& MpiLinks::outgoing_at(std::size_t i) {
  while (outgoing.size() <= i) outgoing.push_back(std::make_unique<Outgoing>(communicator));
  return *outgoing[i];
}

Incoming& MpiLinks::incoming_at(std::size_t i) {
  while (incoming.size() <= i) incoming.push_back(std::make_unique<Incoming>(communicator));
  return *incoming[i];
}

MpiExchange::MpiExchange(MpiLinks& links, Doorbells& doorbells, std::span<const Outbound> out,
                         std::span<Inbound> in, Stream stream, const MessageHeader& header,
                         const Waiting& waiting)
    : links_(links),
      doorbells_(doorbells),
      out_(out),
      in_(in),
      stream_(stream),
      header_(header),
      waiting_(waiting) {}

// Receives first, so that an opening finds a posted buffer.
void MpiExchange::start() {
  for (std::size_t i = 0; i < in_.size(); ++i) {
    const int lane = lane_of(in_, i);
    UNDERSTUDY_ASSERT(lane < kMostLanes);
    links_.incoming_at(i).start(in_[i].bytes, in_[i].from, tag_of(stream_, lane), header_);
  }
  for (std::size_t i = 0; i < out_.size(); ++i) {
    const int lane = lane_of(out_, i);
    UNDERSTUDY_ASSERT(lane < kMostLanes);
    links_.outgoing_at(i).start(out_[i].bytes, out_[i].to, tag_of(stream_, lane), header_);
    doorbells_.ring(out_[i].to);
  }
}

// Repeats until nothing moves: one half may enable another (a credit allows a piece). A half that
// moved may have sent something, so its peer is rung; a ring without a message is harmless.
bool MpiExchange::advance() {
  bool moved = false;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (!links_.outgoing[i]->advance()) continue;
      doorbells_.ring(out_[i].to);
      again = true;
    }
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (!links_.incoming[i]->advance()) continue;
      doorbells_.ring(in_[i].from);
      again = true;
    }
    moved |= again;
  }
  if (moved && done()) {
    for (std::size_t i = 0; i < in_.size(); ++i) in_[i].received = links_.incoming[i]->received();
  }
  return moved;
}

bool MpiExchange::done() const {
  for (std::size_t i = 0; i < out_.size(); ++i) {
    if (!links_.outgoing[i]->done()) return false;
  }
  for (std::size_t i = 0; i < in_.size(); ++i) {
    if (!links_.incoming[i]->done()) return false;
  }
  return true;
}

// A peer on another machine has no doorbell of ours: messages from it are found only by polling.
bool MpiExchange::needs_polling() const {
  for (std::size_t i = 0; i < out_.size(); ++i) {
    if (links_.outgoing[i]->needs_polling() || !doorbells_.is_local(out_[i].to)) return true;
  }
  for (std::size_t i = 0; i < in_.size(); ++i) {
    if (links_.incoming[i]->needs_polling() || !doorbells_.is_local(in_[i].from)) return true;
  }
  return false;
}

// MPI calls a send to another machine complete while it may still be in its queues; the transport
// keeps MPI going for a while (kLinger).
bool MpiExchange::lingers() const {
  return std::any_of(out_.begin(), out_.end(),
                     [&](const Outbound& message) { return !doorbells_.is_local(message.to); });
}

// Senders first: a missing message says more about its peer than one of ours that was not taken.
void MpiExchange::add_awaited(std::vector<Rank>& peers) const {
  for (std::size_t i = 0; i < in_.size(); ++i) {
    if (!links_.incoming[i]->done()) peers.push_back(in_[i].from);
  }
  for (std::size_t i = 0; i < out_.size(); ++i) {
    if (!links_.outgoing[i]->done()) peers.push_back(out_[i].to);
  }
}

TrafficCount MpiExchange::sent() const {
  TrafficCount count{out_.size(), 0};
  for (const Outbound& message : out_) count.bytes += message.bytes.size();
  return count;
}

}  // namespace understudy::collectives
