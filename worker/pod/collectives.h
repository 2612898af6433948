// SPDX-License-Identifier: Apache-2.0
// The collectives of a launch over the pod's transport: resolves groups, chooses reducers, cuts
// blocks along the operation's dimension, and counts everything for the receipt. A process in no
// group takes no part: its all_reduce returns its operand, everything else zeros. Call from the
// executor thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectives/collectives.h"
#include "collectives/shared_memory.h"
#include "configs/receipt/record/record.h"
#include "worker/chip/blocks.h"
#include "worker/chip/execution.h"
#include "worker/pod/collective_hooks.h"
#include "worker/pod/host_link.h"
#include "worker/pod/prepared_collective.h"

namespace understudy::worker {

class PodCollectives final : public CollectiveRunner {
 public:
  // The fabric's parts outlive this. `hooks` may be null.
  explicit PodCollectives(const collectives::Fabric& fabric, CollectiveHooks* hooks = nullptr);
  ~PodCollectives() override;

  // The host process for messages of the next launches; nullptr: there is none.
  void use_host(HostLink* host) { host_ = host; }
  // For the next launches. *Throws* Error{usage} for an unknown name.
  void use_algorithm(const std::string& name);
  void run(const program::Collective& collective, const program::Instruction& instruction,
           Execution& execution, std::shared_ptr<KeptCollective>& kept) override;
  void run(const program::CollectiveDone& done) override;
  void run(const program::Transfer& transfer, const program::Instruction& instruction,
           Execution& execution) override;

  // One per kind and algorithm, in the order of their names.
  std::vector<configs::CollectiveCount> counts() const;
  // Ordinal of the last operation that was entered; -1 before the first.
  std::int64_t last_op() const { return last_op_; }

 private:
  struct Job;
  using Run = collectives::CallReport (PodCollectives::*)(Job&);
  PreparedCalls& calls_of(const program::Collective& collective,
                          const program::Instruction& instruction, const Execution& execution,
                          std::shared_ptr<KeptCollective>& kept) const;
  collectives::CallReport run_now(Job& job);
  collectives::CallReport all_reduce(Job& job);
  collectives::CallReport all_gather(Job& job);
  collectives::CallReport reduce_scatter(Job& job);
  collectives::CallReport all_to_all(Job& job);
  collectives::CallReport collective_permute(Job& job);
  collectives::CallReport collective_broadcast(Job& job);
  collectives::CallReport ragged_all_to_all(Job& job);
  // False: this process takes no part, and its output is written. Else the call is next.
  bool prepare(Job& job);
  void stay_out(const Job& job) const;
  // The operand and the result of the call, in the program's memory or in scratch memory.
  void take_buffers(Job& job);
  // Starts the call in the job's lane. nullptr: the algorithm has no asynchronous form, and nothing
  // was started.
  std::unique_ptr<collectives::UnderWay> start(Job& job);
  // Starts it, or does it at once where it cannot be started.
  void enter_lane(std::unique_ptr<Job> job);
  void conclude(const Job& job, const collectives::CallReport& report);
  void complete(const Job& job) const;
  void exchange_with_host(const program::Transfer& transfer,
                          const program::Instruction& instruction, Execution& execution);
  // The hooks and the counters around a call. enter() returns the ticket that leave() takes.
  std::uint64_t enter(std::string_view kind, std::span<const std::uint32_t> ops, std::size_t bytes,
                      std::span<const Rank> members, collectives::CallSite& site);
  void leave(std::uint64_t ticket, std::string_view kind, std::size_t operands, std::size_t bytes,
             const collectives::CallReport& report);
  std::span<std::byte> scratch(collectives::Staging use, std::size_t bytes, std::size_t lane = 0);
  std::span<const std::byte> blocks_of(const Cut& cut, std::span<const std::byte> array,
                                       std::size_t lane = 0);

  const collectives::Fabric fabric_;
  collectives::Transport& transport_;
  CollectiveHooks* const hooks_;
  HostLink* host_ = nullptr;
  const collectives::Algorithm* algorithm_ = nullptr;
  bool combines_ = false;  // only with "auto": a named algorithm gets every operand alone
  std::array<std::vector<std::byte>, collectives::kStagings> private_;  // where none is shared
  // By kind and algorithm; the names are constants.
  std::map<std::pair<std::string_view, std::string_view>, configs::CollectiveCount> counts_;
  std::int64_t last_op_ = -1;
  std::vector<collectives::Fabric> lanes_;                              // by lane
  std::array<std::unique_ptr<Job>, program::kAsyncLanes + 1> entered_;  // by lane
};

}  // namespace understudy::worker
