// SPDX-License-Identifier: Apache-2.0
// One meeting of a group's members in shared memory. The members arrive; the last one checks that
// all made the same call; then every member that has a core works on chunks until all are done.
// Each chunk is computed the same way by any member, so results do not depend on the schedule.
// Lives on the stack of the call. Equivalent: chunks claimed by a counter, between sense-reversing
// barriers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "collectives/collectives.h"
#include "collectives/shared_memory.h"

namespace understudy::collectives {

// The gate where these members meet. nullptr: the first member's board has no free gate. All
// members get the same answer, because gates are never released. *Requires*: the first member
// shares memory with us.
Gate* find_gate(const Fabric& fabric, std::span<const Rank> members, Role role);

// The work for one chunk: a reference to a callable that outlives the meeting. (std::function would
// allocate.)
class ChunkWork {
 public:
  ChunkWork() = default;
  template <class F>
  requires(!std::same_as<F, ChunkWork> && !std::is_const_v<F>)
      ChunkWork(F& callable)  // NOLINT(google-explicit-constructor): a reference to it
      : callable_(&callable),
        call_([](void* f, std::size_t chunk) { (*static_cast<F*>(f))(chunk); }) {}
  void operator()(std::size_t chunk) const { call_(callable_, chunk); }

 private:
  void* callable_ = nullptr;
  void (*call_)(void*, std::size_t) = nullptr;
};

class Rendezvous {
 public:
  // References outlive the meeting. *Requires*: there is a gate, and all members share memory.
  Rendezvous(const Fabric& fabric, const Group& group, const MessageHeader& header, Role role);

  // Publishes where our buffers are and adds us to the count. `bytes` must be equal on all members.
  // The last member to arrive opens the gate; if there is only one chunk, it also does that chunk.
  // `large_chunks`: wait a moment for the owner of a chunk before another member takes it.
  void arrive(std::uint64_t in, std::uint64_t out, std::uint64_t bytes, std::size_t chunks,
              bool large_chunks, ChunkWork work);
  // Works on chunks and returns when all of them are done. *Throws* Error{protocol} if the calls do
  // not match, Error{timeout} with the missing ranks.
  void finish();

  // Buffers of a member; inside `work` only.
  const std::byte* in(std::size_t member) const;
  std::byte* out(std::size_t member) const;
  // A hint that bytes [begin, begin + size) of a member's operand or result are needed.
  void touch_in(std::size_t member, std::size_t begin, std::size_t size) const;
  void touch_out(std::size_t member, std::size_t begin, std::size_t size) const;
  // The latest clock among the members; after finish().
  double emulated_seconds() const { return emulated_seconds_; }
  // The first member's result buffer; after finish().
  const std::byte* first_out() const { return first_out_; }

 private:
  Slot& slot_of(std::size_t member) const;
  void publish(std::uint64_t in, std::uint64_t out, std::uint64_t bytes);
  void publish_group();
  void open();
  bool all_came_for_the_same() const;
  std::uint64_t claim_tag() const;
  void work_on_chunks();
  bool all_completed() const;
  std::size_t work_on_share(std::size_t share);
  void yield_to_owner(std::size_t share) const;
  // Publishes a new epoch and wakes those who sleep on it.
  void advance_to(std::uint32_t epoch);
  bool reached(std::uint32_t epoch) const;
  // Spins, yields, then sleeps until the gate has reached the epoch.
  void await(std::uint32_t epoch);
  void await_asleep(std::uint32_t epoch);
  std::vector<Rank> missing() const;
  void look_for_crossed_calls(Rank missing) const;
  void look_for_crossed_call(Rank missing, const Slot& slot) const;
  Error refusal() const;
  [[noreturn]] void fail(const Error& error) const;

  const Fabric& fabric_;
  SharedMemory& shared_;
  const Group& group_;
  const MessageHeader& header_;
  const Role role_;
  Gate* const gate_;
  const std::uint64_t name_;
  Slot* own_ = nullptr;
  std::uint64_t ticket_ = 0;  // 1 for the group's first operation
  std::size_t chunks_ = 0;
  bool large_chunks_ = false;
  ChunkWork work_;
  double emulated_seconds_ = 0;
  const std::byte* first_out_ = nullptr;
};

}  // namespace understudy::collectives
