// SPDX-License-Identifier: Apache-2.0
#include "collectives/rendezvous.h"

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <string>
#include <utility>

#include "fmt/format.h"

#include "collectives/doorbell.h"
#include "configs/base/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::collectives {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;

// With a core per rank a short spin beats any system call; but the scheduler may have put two ranks
// on one core all the same, where the spinner holds up who would have to run. So spins are short,
// with a yield after each, which costs little where nobody else wants the core. With more ranks
// than cores it yields at once. It sleeps when neither helped.
constexpr int kSpins = 20;
constexpr int kYields = 100;
constexpr int kPoliteYields = 20;
constexpr auto kLookEvery = std::chrono::milliseconds(50);
constexpr auto kLookSeldom = std::chrono::milliseconds(200);  // in a wait that lasts
constexpr int kFrequentLooks = 20;

void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29);
}

// Never 0. A pair of a permute is another group than the two members.
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

// Of a pair the first gives and the second takes.
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
  // Who reads anything of what follows finds at its second look at the ticket that it changed.
  std::atomic_thread_fence(std::memory_order_release);
  slot.signature.store(header_.signature, kRelaxed);
  slot.bytes.store(bytes, kRelaxed);
  slot.in.store(in, kRelaxed);
  slot.out.store(out, kRelaxed);
  slot.emulated_seconds.store(header_.emulated_seconds, kRelaxed);
  // The text too: calls of one signature may stand at different places of the program.
  for (std::size_t i = 0; i < slot.call.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, header_.call.data() + i * sizeof(word), sizeof(word));
    slot.call[i].store(word, kRelaxed);
  }
  if (!known_group) publish_group();
}

// What need not be said again while the group stays.
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
  const std::uint64_t before = gate_->arrived.fetch_add(1, std::memory_order_acq_rel);
  ticket_ = before / group_.size() + 1;
  own_->ticket.store(ticket_, std::memory_order_release);
  if ((before + 1) % group_.size() != 0) return;
  own_->holds.store(ticket_, kRelaxed);
  open();
  own_->holds.store(0, kRelaxed);
}

bool Rendezvous::all_came_for_the_same() const {
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
  gate_->completed.store(0, kRelaxed);
  // Not earlier: until all have arrived somebody may still look for chunks of the last operation.
  for (std::size_t member = 0; member < group_.size(); ++member) {
    slot_of(member).claimed.store(claim_tag(), kRelaxed);
  }
  advance_to(static_cast<std::uint32_t>(2 * ticket_ - 1));
}

// The store and the look at the sleepers must not change places, and neither must the sleeper's
// announcement and its last look at the epoch: hence the strongest order on both sides.
void Rendezvous::advance_to(std::uint32_t epoch) {
  gate_->epoch.store(epoch, std::memory_order_seq_cst);
  if (gate_->sleepers.load(std::memory_order_seq_cst) == 0) return;
  const bool done = epoch % 2 == 0;
  // To help come as many as can run, or everybody for a share of its own.
  wake(gate_->epoch, done || large_chunks_ ? group_.size() : shared_.cores() - 1);
}

bool Rendezvous::reached(std::uint32_t epoch) const {
  return static_cast<std::int32_t>(gate_->epoch.load(kAcquire) - epoch) >= 0;
}

void Rendezvous::finish() {
  const auto opened = static_cast<std::uint32_t>(2 * ticket_ - 1);
  await(opened);
  if (!reached(opened + 1)) {
    work_on_chunks();
    await(opened + 1);
  }
  if (gate_->refused.load(kRelaxed) != 0) fail(refusal());
  emulated_seconds_ = gate_->emulated_seconds.load(kRelaxed);
  first_out_ = shared_.at(group_.members.front(), gate_->first_out.load(kRelaxed));
}

// Nothing but this operation's: two groups of one name, or one ticket of two groups, differ.
std::uint64_t Rendezvous::claim_tag() const { return mixed(name_, ticket_) << kClaimBits; }

// Each member's share of the chunks is its own to begin with, so that a process touches few pages
// of the others; then whoever has nothing to do helps.
void Rendezvous::work_on_chunks() {
  own_->holds.store(ticket_, kRelaxed);
  for (std::size_t i = 0; i < group_.size() && !all_completed(); ++i) {
    const std::size_t share = (group_.self + i) % group_.size();
    if (i > 0) give_the_owner_a_chance(share);
    const std::size_t done = work_on_share(share);
    if (done == 0) continue;
    const auto before = gate_->completed.fetch_add(done, std::memory_order_acq_rel);
    if (before + done == chunks_) advance_to(static_cast<std::uint32_t>(2 * ticket_));
  }
  own_->holds.store(0, kRelaxed);
}

bool Rendezvous::all_completed() const { return gate_->completed.load(kRelaxed) == chunks_; }

std::size_t Rendezvous::work_on_share(std::size_t share) {
  const std::size_t begin = share * chunks_ / group_.size();
  const std::size_t size = (share + 1) * chunks_ / group_.size() - begin;
  std::atomic<std::uint64_t>& claimed = slot_of(share).claimed;
  const std::uint64_t tag = claim_tag();
  std::size_t done = 0;
  for (std::uint64_t next = claimed.load(kRelaxed); next - tag < size;) {
    if (!claimed.compare_exchange_weak(next, next + 1, kRelaxed)) continue;
    work_(begin + (next - tag));
    ++done;
    next = claimed.load(kRelaxed);
  }
  return done;
}

// Where chunks are large, pages that are not mapped here yet cost more than the owner's wake-up.
void Rendezvous::give_the_owner_a_chance(std::size_t share) const {
  if (!large_chunks_) return;
  for (int i = 0; i < kPoliteYields && slot_of(share).claimed.load(kRelaxed) == claim_tag(); ++i) {
    sched_yield();
  }
}

void Rendezvous::await(std::uint32_t epoch) {
  const int spins = shared_.ranks_here() <= shared_.cores() ? kSpins : 0;
  for (int i = 0; i < kYields; ++i) {
    for (int spin = 0; spin < spins && !reached(epoch); ++spin) pause_briefly();
    if (reached(epoch)) return;
    sched_yield();
  }
  if (!reached(epoch)) await_asleep(epoch);
}

void Rendezvous::await_asleep(std::uint32_t epoch) {
  Transport& transport = fabric_.transport;
  transport.begin_wait();
  std::uint64_t completed = gate_->completed.load(kRelaxed);
  for (int looks = 0; !reached(epoch); ++looks) {
    const auto limit = looks < kFrequentLooks ? kLookEvery : kLookSeldom;
    gate_->sleepers.fetch_add(1, std::memory_order_seq_cst);
    const std::uint32_t seen = gate_->epoch.load(std::memory_order_seq_cst);
    if (static_cast<std::int32_t>(seen - epoch) < 0) sleep_on(gate_->epoch, seen, limit);
    gate_->sleepers.fetch_sub(1, std::memory_order_seq_cst);
    if (reached(epoch)) break;
    if (const auto now = gate_->completed.load(kRelaxed); std::exchange(completed, now) != now) {
      transport.begin_wait();  // somebody works
    }
    const std::vector<Rank> awaited = missing();
    if (!awaited.empty()) look_for_crossed_calls(awaited.front());
    transport.look(awaited, Waiting{std::string(call_of(header_))});
  }
  transport.end_wait();
}

}  // namespace understudy::collectives
