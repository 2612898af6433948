// SPDX-License-Identifier: Apache-2.0
// What the calls of one collective have in common in all launches of its program: the members, the
// reduction, what the call is named. Made at the first launch, as small calls would spend their
// time on it otherwise. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "collectives/collectives.h"
#include "worker/chip/execution.h"
#include "worker/pod/buckets.h"

namespace understudy::worker {

// One collective of one array: an operand, or a bucket as a whole. Never moves: the site and the
// reducer are referred to while a call is open.
class PreparedCollective {
 public:
  // `instruction` is a collective and outlives this. `rank` is that of this chip.
  PreparedCollective(const program::Instruction& instruction, Bucket bucket,
                     const Execution& execution, Rank rank);
  PreparedCollective(const PreparedCollective&) = delete;
  PreparedCollective& operator=(const PreparedCollective&) = delete;

  bool is_together() const { return bucket.size() > 1; }
  Packing packing() const { return {instruction, bucket}; }
  // Gives the site of a call its header, which is made again only where a hook changed the site.
  void sign(collectives::CallSite& call);

  const program::Instruction& instruction;
  const program::Collective& collective;
  const Bucket bucket;
  const std::vector<std::uint32_t> ops;  // of the program, one for each operand
  program::Operand input, output;        // of the whole bucket
  std::size_t in_bytes = 0, out_bytes = 0;
  // False: this process is in no group. Pairs are no groups: a process without one takes part.
  bool takes_part = false;
  collectives::Group group = {};  // of a member; unused by collective_permute
  // Where the kernel table has the reduction for this type; nullptr: none, or the program's own.
  std::unique_ptr<const collectives::Reducer> reducer = nullptr;
  bool has_own_reduction = false;
  collectives::CallSite site = {};  // before the hooks, without a header

 private:
  void find_reducer(const Execution& execution);
  void join_group(const ProcessPlace& process, Rank rank);

  const std::string place_;         // in the site unless a hook sets a better one
  collectives::CallSite signed_{};  // whose header is header_
  bool has_header_ = false;
  collectives::MessageHeader header_;
};

// All calls of an instruction.
struct PreparedCalls final : KeptCollective {
  bool are_combined = false;
  std::deque<PreparedCollective> calls;
};

}  // namespace understudy::worker
