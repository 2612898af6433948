// SPDX-License-Identifier: Apache-2.0
#include "collectives/rendezvous.h"

#include <algorithm>
#include <cstring>
#include <sched.h>

#include "collectives/board.h"
#include "collectives/doorbell.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// How often a helper lets the owner of a share run first.
constexpr int kOwnerYields = 20;

// One step of a multiplicative hash (2^64 divided by the golden ratio, then the high bits folded
// into the low ones).
std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29);
}

// A 64-bit name of a group: all members compute the same one without communication. Never 0, which
// marks a free gate. The lane and whether it is a permute are part of it, so that a pair of a
// permute does not meet at the gate of a group of the same two members.
std::uint64_t name_of(std::span<const Rank> members, std::size_t lane, Role role) {
  std::uint64_t hash = mixed(0x5851F42D4C957F2DULL, lane * 2 + (role == Role::member ? 0 : 1));
  for (const Rank member : members) hash = mixed(hash, static_cast<std::uint64_t>(member.value));
  return hash | 1;
}

}  // namespace

Gate* find_gate(const Fabric& fabric, std::span<const Rank> members, Role role) {
  Board* const board = fabric.shared->board(members.front());
  UNDERSTUDY_ASSERT(board != nullptr);
  const std::uint64_t name = name_of(members, fabric.lane, role);
  // Open addressing. A gate is never released, so a name that one member stored is found by all
  // others on the same probe sequence, and a full table is full for all of them. The lowest bits of
  // a name are not random, hence the division.
  for (std::size_t probe = 0; probe < kGates; ++probe) {
    Gate& gate = board->gates[(name / 4 + probe) % kGates];
    std::uint64_t holder = gate.group.load(kAcquire);
    if (holder == 0 && gate.group.compare_exchange_strong(holder, name)) return &gate;
    if (holder == name) return &gate;
  }
  return nullptr;
}

Rendezvous::Rendezvous(const Fabric& fabric, const Group& group, const MessageHeader& header,
                       Role role)
    : fabric_(fabric),
      shared_(*fabric.shared),
      group_(group),
      header_(header),
      role_(role),
      gate_(find_gate(fabric, group.members, role)),
      name_(gate_->group.load(kRelaxed)) {}

// In a permute the first of the pair is the giver, the second the taker.
Slot& Rendezvous::slot_of(std::size_t member) const {
  const Role role = role_ == Role::member ? role_ : member == 0 ? Role::giver : Role::taker;
  Board* const board = shared_.board(group_.members[member]);
  return board->slots[fabric_.lane][static_cast<std::size_t>(role)];
}

const std::byte* Rendezvous::in(std::size_t member) const {
  return shared_.at(group_.members[member], slot_of(member).in.load(kRelaxed));
}

std::byte* Rendezvous::out(std::size_t member) const {
  return shared_.at(group_.members[member], slot_of(member).out.load(kRelaxed));
}

void Rendezvous::touch_in(std::size_t member, std::size_t begin, std::size_t size) const {
  shared_.touch(group_.members[member], slot_of(member).in.load(kRelaxed) + begin, size);
}

void Rendezvous::touch_out(std::size_t member, std::size_t begin, std::size_t size) const {
  shared_.touch(group_.members[member], slot_of(member).out.load(kRelaxed) + begin, size);
}

void Rendezvous::publish(std::uint64_t in, std::uint64_t out, std::uint64_t bytes) {
  Slot& slot = *own_;
  const bool known_group = slot.group.load(kRelaxed) == name_;
  slot.ticket.store(0, kRelaxed);
  // Writer side of a seqlock for ranks that inspect slots (look_for_crossed_call): ticket 0, fence,
  // fields, ticket. A reader that saw one of the new fields finds a changed ticket when it reads
  // the ticket again.
  std::atomic_thread_fence(std::memory_order_release);
  slot.signature.store(header_.signature, kRelaxed);
  slot.bytes.store(bytes, kRelaxed);
  slot.in.store(in, kRelaxed);
  slot.out.store(out, kRelaxed);
  slot.emulated_seconds.store(header_.emulated_seconds, kRelaxed);
  // The text is written each time: calls with equal signatures may be at different places of the
  // program.
  for (std::size_t i = 0; i < slot.call.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, header_.call.data() + i * sizeof(word), sizeof(word));
    slot.call[i].store(word, kRelaxed);
  }
  if (!known_group) publish_group();
}

// The fields that stay the same while the slot is used for one group.
void Rendezvous::publish_group() {
  Slot& slot = *own_;
  slot.group.store(name_, kRelaxed);
  slot.members.store(group_.size(), kRelaxed);
  const Board* const board = shared_.board(group_.members.front());
  slot.leader.store(static_cast<std::uint32_t>(group_.members.front().value), kRelaxed);
  slot.gate.store(static_cast<std::uint32_t>(gate_ - board->gates.data()), kRelaxed);
  for (auto& word : slot.ranks) word.store(0, kRelaxed);
  for (const Rank member : group_.members) {
    const auto number = static_cast<std::size_t>(member.value);
    if (number >= kBitmapRanks) continue;
    auto& word = slot.ranks[number / 64];
    word.store(word.load(kRelaxed) | std::uint64_t{1} << (number % 64), kRelaxed);
  }
}

void Rendezvous::arrive(std::uint64_t in, std::uint64_t out, std::uint64_t bytes,
                        std::size_t chunks, bool large_chunks, ChunkWork work) {
  own_ = &slot_of(group_.self);
  chunks_ = chunks;
  large_chunks_ = large_chunks;
  work_ = work;
  publish(in, out, bytes);
  // Release publishes our slot; acquire lets the last member read the slots of the others. The
  // count is never reset: operation q consists of the arrivals q*n to q*n + n - 1, because no
  // member can arrive for the next operation before this one is done.
  const std::uint64_t before = gate_->arrived.fetch_add(1, std::memory_order_acq_rel);
  ticket_ = before / group_.size() + 1;
  // Ends the seqlock that publish() began; only ranks that look for crossed calls need it.
  own_->ticket.store(ticket_, std::memory_order_release);
  if ((before + 1) % group_.size() != 0) return;
  own_->holds.store(ticket_, kRelaxed);
  open();
  own_->holds.store(0, kRelaxed);
}

bool Rendezvous::all_came_for_the_same() const {
  // Relaxed loads suffice: fetch_add in arrive() acquired all slots.
  const Slot& first = slot_of(0);
  for (std::size_t member = 1; member < group_.size(); ++member) {
    const Slot& slot = slot_of(member);
    if (slot.signature.load(kRelaxed) != first.signature.load(kRelaxed) ||
        slot.bytes.load(kRelaxed) != first.bytes.load(kRelaxed)) {
      return false;
    }
  }
  return true;
}

void Rendezvous::open() {
  double latest = 0;
  for (std::size_t member = 0; member < group_.size(); ++member) {
    latest = std::max(latest, slot_of(member).emulated_seconds.load(kRelaxed));
  }
  gate_->emulated_seconds.store(latest, kRelaxed);
  gate_->first_out.store(slot_of(0).out.load(kRelaxed), kRelaxed);
  if (!all_came_for_the_same()) {
    gate_->refused.store(1, kRelaxed);
    return advance_to(static_cast<std::uint32_t>(2 * ticket_));
  }
  if (chunks_ <= 1) {
    if (chunks_ == 1) work_(0);
    return advance_to(static_cast<std::uint32_t>(2 * ticket_));
  }
  // The work is divided only now, when all members are here.
  gate_->completed.store(0, kRelaxed);
  // Not earlier: until all members have arrived, one of them may still look for chunks of the
  // previous operation. Relaxed: advance_to() publishes the tags.
  for (std::size_t member = 0; member < group_.size(); ++member) {
    slot_of(member).claimed.store(claim_tag(), kRelaxed);
  }
  advance_to(static_cast<std::uint32_t>(2 * ticket_ - 1));
}

// Store-load ordering (Dekker): here the epoch is stored before the sleepers are read; a sleeper
// announces itself before it reads the epoch (await_asleep). With sequentially consistent
// operations on both sides at least one of the two sees the other, so no sleeper is missed and no
// system call is made when none sleeps.
void Rendezvous::advance_to(std::uint32_t epoch) {
  gate_->epoch.store(epoch, std::memory_order_seq_cst);
  if (gate_->sleepers.load(std::memory_order_seq_cst) == 0) return;
  const bool done = epoch % 2 == 0;
  // An open gate wakes as many helpers as there are other cores; large chunks wake everybody, for a
  // share each. A finished operation wakes everybody.
  wake(gate_->epoch, done || large_chunks_ ? group_.size() : shared_.cores() - 1);
}

bool Rendezvous::reached(std::uint32_t epoch) const {
  // Signed difference: the epoch wraps around. Acquire: what the opener or the last worker wrote is
  // visible afterwards.
  return static_cast<std::int32_t>(gate_->epoch.load(kAcquire) - epoch) >= 0;
}

void Rendezvous::finish() {
  const auto opened = static_cast<std::uint32_t>(2 * ticket_ - 1);
  await(opened);
  // Small operations are done by the last member to arrive: the gate goes straight from closed to
  // done.
  if (!reached(opened + 1)) {
    work_on_chunks();
    await(opened + 1);
  }
  if (gate_->refused.load(kRelaxed) != 0) fail(refusal());
  emulated_seconds_ = gate_->emulated_seconds.load(kRelaxed);
  first_out_ = shared_.at(group_.members.front(), gate_->first_out.load(kRelaxed));
}

// Unique to this operation: a hash of group and ticket in the bits above the count.
std::uint64_t Rendezvous::claim_tag() const { return mixed(name_, ticket_) << kClaimBits; }

// Each member starts with its own share, so that a process touches few pages of the others. Members
// without work left then help the others, in rank order behind them.
void Rendezvous::work_on_chunks() {
  own_->holds.store(ticket_, kRelaxed);
  for (std::size_t i = 0; i < group_.size() && !all_completed(); ++i) {
    const std::size_t share = (group_.self + i) % group_.size();
    if (i > 0) yield_to_owner(share);
    const std::size_t done = work_on_share(share);
    if (done == 0) continue;
    // Release publishes our chunks. The member that completes the count acquires those of all
    // others (the increments form a release sequence), and passes them on by the epoch.
    const auto before = gate_->completed.fetch_add(done, std::memory_order_acq_rel);
    if (before + done == chunks_) advance_to(static_cast<std::uint32_t>(2 * ticket_));
  }
  own_->holds.store(0, kRelaxed);
}

// Only a reason to stop looking for work: relaxed, because finish() waits for the epoch.
bool Rendezvous::all_completed() const { return gate_->completed.load(kRelaxed) == chunks_; }

std::size_t Rendezvous::work_on_share(std::size_t share) {
  const std::size_t begin = share * chunks_ / group_.size();
  const std::size_t size = (share + 1) * chunks_ / group_.size() - begin;
  std::atomic<std::uint64_t>& claimed = slot_of(share).claimed;
  const std::uint64_t tag = claim_tag();
  std::size_t done = 0;
  // Unsigned: a counter with another tag is out of range, so a late helper leaves. Relaxed: the
  // claim only distributes chunk numbers; data is ordered by the epoch and `completed`.
  for (std::uint64_t next = claimed.load(kRelaxed); next - tag < size;) {
    if (!claimed.compare_exchange_weak(next, next + 1, kRelaxed)) continue;
    work_(begin + (next - tag));
    ++done;
    next = claimed.load(kRelaxed);
  }
  return done;
}

// With large chunks, page faults on pages that are not mapped here yet cost more than waiting for
// the owner to wake up.
void Rendezvous::yield_to_owner(std::size_t share) const {
  if (!large_chunks_) return;
  for (int i = 0; i < kOwnerYields && slot_of(share).claimed.load(kRelaxed) == claim_tag(); ++i) {
    sched_yield();
  }
}

}  // namespace understudy::collectives
