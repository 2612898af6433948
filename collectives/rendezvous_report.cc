// SPDX-License-Identifier: Apache-2.0
// Errors of a rendezvous that does not complete: which members are missing, whose calls do not
// match.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "fmt/format.h"

#include "collectives/board.h"
#include "collectives/rendezvous.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// Word by word, as the text was written; a text that is being overwritten may be mixed, which the
// seqlock detects.
std::string text_in(const Slot& slot) {
  MessageHeader header;
  for (std::size_t i = 0; i < slot.call.size(); ++i) {
    const std::uint64_t word = slot.call[i].load(kRelaxed);
    std::memcpy(header.call.data() + i * sizeof(word), &word, sizeof(word));
  }
  header.call.back() = '\0';
  return std::string(call_of(header));
}

bool holds_rank(const Slot& slot, Rank rank) {
  const auto number = static_cast<std::size_t>(rank.value);
  // Higher ranks are not in the bitmap: crossed calls among them end by the time limit.
  return number < kBitmapRanks &&
         (slot.ranks[number / 64].load(kRelaxed) >> (number % 64) & 1) != 0;
}

}  // namespace

// The members that have not arrived; if all have, the members that are working on chunks.
std::vector<Rank> Rendezvous::missing() const {
  std::vector<Rank> absent, working;
  for (std::size_t member = 0; member < group_.size(); ++member) {
    if (member == group_.self) continue;
    const Slot& slot = slot_of(member);
    const bool here = slot.group.load(kRelaxed) == name_ && slot.ticket.load(kRelaxed) == ticket_;
    if (!here) absent.push_back(group_.members[member]);
    // All are here but the gate is not done: then those who hold chunks are awaited.
    if (here && slot.holds.load(kRelaxed) == ticket_) working.push_back(group_.members[member]);
  }
  return absent.empty() ? working : absent;
}

// Detects a deadlock of crossed calls: the missing rank has entered a call that includes us, in any
// lane, and that we have not entered. Then the two ranks take different paths through their
// programs, and neither call can complete.
void Rendezvous::look_for_crossed_calls(Rank missing) const {
  const Board& theirs = *shared_.board(missing);
  const Board& ours = *shared_.board(fabric_.transport.rank());
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    for (const Slot& slot : theirs.slots[lane]) {
      const std::uint64_t ticket = slot.ticket.load(kAcquire);
      const bool came_too = std::ranges::any_of(ours.slots[lane], [&](const Slot& own) {
        return own.group.load(kRelaxed) == slot.group.load(kRelaxed) &&
               own.ticket.load(kRelaxed) >= ticket;
      });
      if (!came_too) look_for_crossed_call(missing, slot);
    }
}

void Rendezvous::look_for_crossed_call(Rank missing, const Slot& slot) const {
  // Reader side of the seqlock in Rendezvous::publish(): ticket, fields, fence, ticket and group
  // again. A ticket of 0 means that the slot is being written.
  const std::uint64_t ticket = slot.ticket.load(kAcquire);
  const std::uint64_t name = slot.group.load(kRelaxed);
  // Our own group is no crossed call; a call without us cannot wait for us.
  if (ticket == 0 || name == name_ || !holds_rank(slot, fabric_.transport.rank())) return;
  Board* const board = shared_.board(Rank(std::int64_t{slot.leader.load(kRelaxed)}));
  if (board == nullptr) return;
  const Gate& gate = board->gates[slot.gate.load(kRelaxed) % kGates];
  // Their call is incomplete: fewer arrivals than its ticket needs. Otherwise the rank is just slow
  // to leave a call that is done.
  const bool blocked = gate.group.load(kRelaxed) == name &&
                       gate.arrived.load(kRelaxed) < ticket * slot.members.load(kRelaxed);
  const std::string theirs = text_in(slot);
  // The values belong together only if ticket and group are unchanged: see Rendezvous::publish().
  std::atomic_thread_fence(kAcquire);
  const bool stands = slot.ticket.load(kAcquire) == ticket && slot.group.load(kRelaxed) == name;
  if (!blocked || !stands) return;
  fail(mismatch_of(call_of(header_), theirs,
                   fmt::format("rank {}: {}; rank {}: {}", fabric_.transport.rank().value,
                               call_of(header_), missing.value, theirs)));
}

void Rendezvous::fail(const Error& error) const {
  // Peers must see that we gave up before we leave: they would wait for us otherwise.
  fabric_.transport.abandon(error);
  throw Error(error);
}

// Every member reports its own mismatch: it compares its call with those of all others and
// describes the first that differs.
Error Rendezvous::refusal() const {
  for (std::size_t member = 0; member < group_.size(); ++member) {
    const Slot& slot = slot_of(member);
    MessageHeader theirs;
    theirs.signature = slot.signature.load(kRelaxed);
    theirs.bytes = slot.bytes.load(kRelaxed);
    const std::string text = text_in(slot);
    std::copy(text.begin(), text.end(), theirs.call.begin());
    try {
      check_header(header_, own_->bytes.load(kRelaxed), fabric_.transport.rank(), theirs,
                   group_.members[member]);
    } catch (const Error& error) {
      return error;
    }
  }
  // Cannot happen: the gate was refused because one pair of calls differed, and each member checks
  // all.
  return {ErrorKind::internal, "a gate was refused although all calls match"};
}

}  // namespace understudy::collectives
