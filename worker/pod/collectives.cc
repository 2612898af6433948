// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/collectives.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "configs/base/error.h"
#include "worker/chip/blocks.h"
#include "worker/chip/reducers.h"
#include "worker/pod/collective_job.h"
#include "worker/pod/process_ranks.h"
#include "worker/pod/ragged_exchange.h"

namespace understudy::worker {
namespace {

using collectives::CallReport;
using collectives::Staging;
using program::CollectiveKind;

// Compared as addresses of one address space: both spans are in this process.
bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

}  // namespace

void PodCollectives::use_algorithm(const std::string& name) {
  algorithm_ = &collectives::algorithm_named(name);
  // An algorithm that the user named gets the operands as the program wrote them, so that its
  // message counts match the theory.
  combines_ = name == collectives::kAuto;
}

// The blocks of an array, one after the other.
std::span<const std::byte> PodCollectives::blocks_of(const Cut& cut,
                                                     std::span<const std::byte> array,
                                                     std::size_t lane) {
  if (cut.is_trivial()) return array;
  const auto blocks = scratch(Staging::packed, array.size(), lane);
  cut_into_blocks(cut, array, blocks);
  return blocks;
}

// Staging memory that peers can map where there is shared memory, private buffers otherwise.
std::span<std::byte> PodCollectives::scratch(Staging use, std::size_t bytes, std::size_t lane) {
  if (fabric_.shared != nullptr) return fabric_.shared->staging(lane, use, bytes);
  // Private buffers only grow; there is one per use, as without shared memory calls run one at a
  // time.
  auto& buffer = private_.at(static_cast<std::size_t>(use));
  if (buffer.size() < bytes) buffer.resize(bytes);
  return {buffer.data(), bytes};
}

CallReport PodCollectives::all_reduce(Job& job) {
  return algorithm_->all_reduce(fabric_, job.what.group, job.reducer(), job.in, job.out, job.site);
}

CallReport PodCollectives::all_gather(Job& job) {
  const PreparedCollective& what = job.what;
  // Members' blocks are not contiguous in the output unless the dimension is the outermost: receive
  // them one after the other, then interleave.
  const Cut cut(what.output.type, what.collective.dimension, what.group.size());
  if (cut.is_trivial())
    return algorithm_->all_gather(fabric_, what.group, job.in, job.out, job.site);
  const auto blocks = scratch(Staging::unpacked, job.out.size());
  const CallReport report = algorithm_->all_gather(fabric_, what.group, job.in, blocks, job.site);
  join_blocks(cut, blocks, job.out);
  return report;
}

CallReport PodCollectives::reduce_scatter(Job& job) {
  const PreparedCollective& what = job.what;
  const Cut cut(what.input.type, what.collective.dimension, what.group.size());
  const auto in = blocks_of(cut, job.in);
  return algorithm_->reduce_scatter(fabric_, what.group, job.reducer(), in, job.out, job.site);
}

CallReport PodCollectives::all_to_all(Job& job) {
  const PreparedCollective& what = job.what;
  const program::Collective& collective = what.collective;
  // Two independent cuts: the operand along the split dimension into blocks for the members, the
  // output along the concat dimension from their blocks.
  const Cut split(what.input.type, collective.split_dimension, what.group.size());
  const Cut concat(what.output.type, collective.concat_dimension, what.group.size());
  const auto sent = blocks_of(split, job.in);
  if (concat.is_trivial())
    return algorithm_->all_to_all(fabric_, what.group, sent, job.out, job.site);
  const auto received = scratch(Staging::unpacked, job.out.size());
  const CallReport report = algorithm_->all_to_all(fabric_, what.group, sent, received, job.site);
  join_blocks(concat, received, job.out);
  return report;
}

CallReport PodCollectives::collective_permute(Job& job) {
  const ProcessPlace& process = job.execution.process;
  const program::ProcessId self = process.id();
  Rank to = collectives::kNobody;
  // Ids of processes become ranks of the pod; both are kNobody where this process has no such
  // partner.
  Rank from = collectives::kNobody;
  for (const auto& [source, target] : job.what.collective.source_target) {
    if (source == self) to = rank_of(target, process, transport_.rank());
    if (target == self) from = rank_of(source, process, transport_.rank());
  }
  // StableHLO: a process that is no target gets zeros.
  if (from == collectives::kNobody) std::memset(job.out.data(), 0, job.out.size());
  return algorithm_->permute(fabric_, to, from, job.in, job.out, job.site);
}

CallReport PodCollectives::collective_broadcast(Job& job) {
  return algorithm_->broadcast(fabric_, job.what.group, 0, job.in, job.out, job.site);
}

// The output starts as the second operand.
CallReport PodCollectives::ragged_all_to_all(Job& job) {
  const program::Instruction& instruction = job.what.instruction;
  const Execution& execution = job.execution;
  const std::byte* const start = execution.address(instruction.inputs[1].at);
  // The same memory if the compiler let the result take over the operand's buffer.
  if (start != job.out.data()) std::memmove(job.out.data(), start, job.out.size());
  const auto integers = [&](std::size_t i) {
    const program::Operand& operand = instruction.inputs[i];
    return std::span(reinterpret_cast<const std::int64_t*>(execution.address(operand.at)),
                     static_cast<std::size_t>(operand.type.elements()));
  };
  // One row is everything but the outermost dimension, along which slices are ragged.
  program::TensorType row = job.what.input.type;
  row.shape.front() = 1;
  const RaggedSlices slices{static_cast<std::size_t>(row.bytes()), integers(2), integers(3),
                            integers(4), integers(5)};
  return ragged_exchange(*algorithm_, fabric_, job.what.group, slices, job.in, job.out, job.site);
}

// The calls of an instruction, made at its first run.
PreparedCalls& PodCollectives::calls_of(const program::Collective& collective,
                                        const program::Instruction& instruction,
                                        const Execution& execution,
                                        std::shared_ptr<KeptCollective>& kept) const {
  // Nobody else keeps anything.
  auto* const known = static_cast<PreparedCalls*>(kept.get());
  if (known != nullptr && known->are_combined == combines_) return *known;
  auto made = std::make_shared<PreparedCalls>();
  made->are_combined = combines_;
  for (Bucket& bucket :
       combines_ ? buckets_of(collective, instruction) : one_by_one(collective, instruction))
    made->calls.emplace_back(instruction, std::move(bucket), execution, transport_.rank());
  kept = made;
  return *made;
}

void PodCollectives::run(const program::Collective& collective,
                         const program::Instruction& instruction, Execution& execution,
                         std::shared_ptr<KeptCollective>& kept) {
  // Every launch chooses an algorithm first (use_algorithm).
  UNDERSTUDY_ASSERT(algorithm_ != nullptr);
  last_op_ = instruction.op;
  PreparedCalls& prepared = calls_of(collective, instruction, execution, kept);
  // A lane holds one open call. Several would need several, so they run to completion here.
  const std::size_t lane = prepared.calls.size() == 1 ? collective.lane : 0;
  for (PreparedCollective& call : prepared.calls) {
    // A process in no group has its result already.
    if (lane != 0) {
      auto job = std::make_unique<Job>(call, execution, lane);
      job->kept = kept;
      if (prepare(*job)) enter_lane(std::move(job));
    } else if (Job job(call, execution, lane); prepare(job)) {
      conclude(job, run_now(job));
    }
  }
}

// An operand that overlaps its result or travels in a bucket is copied first.
void PodCollectives::take_buffers(Job& job) {
  const PreparedCollective& what = job.what;
  if (what.is_together()) {
    const auto packed = scratch(Staging::packed, what.in_bytes, job.lane);
    what.packing().pack(job.execution, packed);
    job.in = packed;
    job.out = job.received = scratch(Staging::unpacked, what.in_bytes, job.lane);
    return;
  }
  job.in = {job.execution.address(what.input.at), what.in_bytes};
  job.out = {job.execution.writable(what.output.at), what.out_bytes};
  // Algorithms may write the result before they have read all of the operand.
  if (!overlap(job.in, job.out)) return;
  const auto copy = scratch(Staging::copied, job.in.size(), job.lane);
  std::copy(job.in.begin(), job.in.end(), copy.begin());
  job.in = copy;
}

// Sets up the call: its buffers, its reducer, and the hooks' ticket.
bool PodCollectives::prepare(Job& job) {
  // Two open calls in one lane would share staging and slots: the compiler assigns lanes so that
  // this cannot happen.
  UNDERSTUDY_ASSERT(entered_.at(job.lane) == nullptr);
  PreparedCollective& what = job.what;
  take_buffers(job);
  if (!what.takes_part) {
    stay_out(job);
    return false;
  }
  if (what.has_own_reduction)
    job.own_reducer = std::make_unique<BodyReducer>(what.collective.body, job.execution);
  // Hooks come last, because an injected fault may end the process here, before any peer sees it
  // arrive.
  job.ticket = enter(what.site.op, what.ops, job.in.size(), what.group.members, job.site);
  what.sign(job.site);
  return true;
}

// A process in no group is a group of one: its sum is its operand.
void PodCollectives::stay_out(const Job& job) const {
  if (job.what.collective.kind == CollectiveKind::all_reduce) {
    std::copy(job.in.begin(), job.in.end(), job.out.begin());
  } else {
    std::fill(job.out.begin(), job.out.end(), std::byte{0});
  }
  complete(job);
}

CallReport PodCollectives::run_now(Job& job) {
  // In the order of CollectiveKind.
  static constexpr std::array<Run, 7> kRuns = {
      &PodCollectives::all_reduce,         &PodCollectives::all_gather,
      &PodCollectives::reduce_scatter,     &PodCollectives::all_to_all,
      &PodCollectives::collective_permute, &PodCollectives::collective_broadcast,
      &PodCollectives::ragged_all_to_all};
  return (this->*kRuns[static_cast<std::size_t>(job.what.collective.kind)])(job);
}

void PodCollectives::conclude(const Job& job, const CallReport& report) {
  complete(job);
  leave(job.ticket, job.site.op, job.what.bucket.size(), job.in.size(), report);
}

std::uint64_t PodCollectives::enter(std::string_view kind, std::span<const std::uint32_t> ops,
                                    std::size_t bytes, std::span<const Rank> members,
                                    collectives::CallSite& site) {
  return hooks_ == nullptr ? 0 : hooks_->enter(kind, ops, bytes, members, site);
}

void PodCollectives::leave(std::uint64_t ticket, std::string_view kind, std::size_t operands,
                           std::size_t bytes, const CallReport& report) {
  if (hooks_ != nullptr) hooks_->done(ticket, report.algorithm);
  configs::CollectiveCount& entry = counts_[{kind, report.algorithm}];
  // `count` counts operands of the program, `calls` the calls that carried them: combined operands
  // share one.
  entry.count += static_cast<std::int64_t>(operands);
  entry.calls += 1;
  entry.bytes += bytes;
  entry.messages_sent += report.messages;
  entry.bytes_sent += report.bytes;
}

std::vector<configs::CollectiveCount> PodCollectives::counts() const {
  std::vector<configs::CollectiveCount> all;
  for (const auto& [names, count] : counts_) {
    all.push_back(count);
    all.back().kind = names.first;
    all.back().algorithm = names.second;
  }
  return all;
}

}  // namespace understudy::worker
