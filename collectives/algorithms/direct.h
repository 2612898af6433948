// SPDX-License-Identifier: Apache-2.0
// Collectives in memory that all members map: no message, no copy in or out. A *chunk* is what one
// member works on at a time; any member may claim any chunk.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "collectives/collectives.h"
#include "collectives/fold.h"
#include "collectives/rendezvous.h"

namespace understudy::collectives {

// How bytes of work are cut into chunks.
struct ChunkPlan {
  std::size_t bytes = 0;  // of the whole
  std::size_t chunk = 0;  // of one chunk, a multiple of a line; the last may be shorter
  std::size_t count() const { return bytes == 0 ? 0 : (bytes + chunk - 1) / chunk; }
  std::size_t begin(std::size_t number) const { return number * chunk; }
  std::size_t size(std::size_t number) const { return std::min(chunk, bytes - begin(number)); }
};

// `bytes`, each of which costs `weight` bytes of memory traffic. Little work is one chunk, which
// the last member to arrive does alone.
ChunkPlan plan_chunks(std::size_t bytes, std::size_t weight, std::size_t members);

// Copies up to this many bytes in total are done by one member alone.
inline constexpr std::size_t kPushedByOne = std::size_t{32} << 10;

// Streaming stores if the memory traffic of one operation exceeds what a cache holds.
Stores stores_for(std::size_t traffic);

// Whether all members share memory with us and there is a gate for them. All get the same answer.
bool serves(const Fabric& fabric, std::span<const Rank> members, Role role);

struct ChunkCount {
  std::size_t number = 1;
  bool large = false;
};

// One call of one member. Buffers in private memory travel through staging memory.
class DirectCall {
 public:
  // *Requires* serves().
  DirectCall(const Fabric& fabric, const Group& group, const CallSite& site, Role role,
             std::string_view algorithm);

  // *Requires*: `chunks` and `bytes` equal on all members. `work(chunk)` uses in() and out().
  // The work outlives the call.
  void arrive(std::span<const std::byte> in, std::span<std::byte> out, std::size_t bytes,
              const ChunkCount& chunks, ChunkWork work);
  CallReport finish();

  // After finish().
  const std::byte* first_out() const { return sync_point_.first_out(); }
  // A hint, inside `work`: these bytes of a member's buffers are needed now.
  void touch_in(std::size_t member, std::size_t begin, std::size_t size) const;
  void touch_out(std::size_t member, std::size_t begin, std::size_t size) const;
  // The members' buffers; inside `work` only.
  std::span<const std::byte* const> in();
  std::span<std::byte* const> out();

 private:
  void look_up();
  std::uint64_t place_in(std::span<const std::byte> in);
  std::uint64_t place_out(std::span<std::byte> out);

  const Fabric& fabric_;
  const Group& group_;
  const MessageHeader header_;
  Rendezvous sync_point_;
  CallReport report_;
  std::vector<const std::byte*> ins_;
  std::vector<std::byte*> outs_;
  std::span<std::byte> private_out_, staged_out_;
};

// all_reduce whose result is written once, into the first member's `out`, and read by all at
// `*result`. The first member must not overwrite it before all members have joined it in a later
// operation, which shows that they have read it. *Requires* serves().
CallReport all_reduce_shared(const Fabric& fabric, const Group& group, const Reducer& reducer,
                             std::span<const std::byte> in, std::span<std::byte> out,
                             const CallSite& site, const std::byte** result);

}  // namespace understudy::collectives
