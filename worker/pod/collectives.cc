// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/collectives.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "configs/base/error.h"
#include "program/executable/listing.h"
#include "worker/chip/blocks.h"
#include "worker/chip/reducers.h"
#include "worker/pod/buckets.h"
#include "worker/pod/collective_job.h"
#include "worker/pod/process_ranks.h"
#include "worker/pod/ragged_exchange.h"

namespace understudy::worker {
namespace {

using collectives::CallReport;
using collectives::Staging;
using program::CollectiveKind;
using program::Reduction;

// Part of a call's signature, which all members compare.
std::string_view name_in_signature(Reduction reduction) {
  return reduction == Reduction::none ? "a region" : program::name_of(reduction);
}

// Compared as addresses of one address space: both spans are in this process.
bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

// The kernel table where it has the reduction for this type; else the program's own region.
std::unique_ptr<collectives::Reducer> reducer_for(const program::Collective& collective,
                                                  program::ElementType element,
                                                  const Execution& execution) {
  const bool known = collective.reduction != Reduction::none &&
                     execution.kernels->accumulate(collective.reduction, element) != nullptr;
  if (!known) {
    return std::make_unique<BodyReducer>(collective.body, execution);
  }
  return std::make_unique<KernelReducer>(*execution.kernels, collective.reduction, element);
}

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
}

}  // namespace

void PodCollectives::use_algorithm(const std::string& name) {
  algorithm_ = &collectives::algorithm_named(name);
  // An algorithm that the user named gets the operands as the program wrote them, so that its
  // message counts match the theory.
  combines_ = name == collectives::kAuto;
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

CallReport PodCollectives::all_reduce(Work& work) {
  return algorithm_->all_reduce(fabric_, work.group, *work.reducer, work.in, work.out, work.site);
}

CallReport PodCollectives::all_gather(Work& work) {
  // Members' blocks are not contiguous in the output unless the dimension is the outermost: receive
  // them one after the other, then interleave.
  const Cut cut(work.output.type, work.collective.dimension, work.group.size());
  if (cut.is_trivial()) {
    return algorithm_->all_gather(fabric_, work.group, work.in, work.out, work.site);
  }
  const auto blocks = scratch(Staging::unpacked, work.out.size());
  const CallReport report = algorithm_->all_gather(fabric_, work.group, work.in, blocks, work.site);
  join_blocks(cut, blocks, work.out);
  return report;
}

CallReport PodCollectives::reduce_scatter(Work& work) {
  const Cut cut(work.input.type, work.collective.dimension, work.group.size());
  std::span<const std::byte> in = work.in;
  if (!cut.is_trivial()) {
    const auto blocks = scratch(Staging::packed, in.size());
    cut_into_blocks(cut, in, blocks);
    in = blocks;
  }
  return algorithm_->reduce_scatter(fabric_, work.group, *work.reducer, in, work.out, work.site);
}

CallReport PodCollectives::all_to_all(Work& work) {
  // Two independent cuts: the operand along the split dimension into blocks for the members, the
  // output along the concat dimension from their blocks.
  const Cut split(work.input.type, work.collective.split_dimension, work.group.size());
  const Cut concat(work.output.type, work.collective.concat_dimension, work.group.size());
  const auto sent = scratch(Staging::packed, work.in.size());
  const auto received = scratch(Staging::unpacked, work.out.size());
  cut_into_blocks(split, work.in, sent);
  const CallReport report = algorithm_->all_to_all(fabric_, work.group, sent, received, work.site);
  join_blocks(concat, received, work.out);
  return report;
}

CallReport PodCollectives::collective_permute(Work& work) {
  const program::ProcessId self = work.process.id();
  Rank to = collectives::kNobody;
  // Ids of processes become ranks of the pod; both are kNobody where this process has no such
  // partner.
  Rank from = collectives::kNobody;
  for (const auto& [source, target] : work.collective.source_target) {
    if (source == self) to = rank_of(target, work.process, transport_.rank());
    if (target == self) from = rank_of(source, work.process, transport_.rank());
  }
  // StableHLO: a process that is no target gets zeros.
  if (from == collectives::kNobody) std::memset(work.out.data(), 0, work.out.size());
  return algorithm_->permute(fabric_, to, from, work.in, work.out, work.site);
}

CallReport PodCollectives::collective_broadcast(Work& work) {
  return algorithm_->broadcast(fabric_, work.group, 0, work.in, work.out, work.site);
}

// The output starts as the second operand.
CallReport PodCollectives::ragged_all_to_all(Work& work, const program::Instruction& instruction,
                                             const Execution& execution) {
  const std::byte* const start = execution.address(instruction.inputs[1].at);
  // The same memory if the compiler let the result take over the operand's buffer.
  if (start != work.out.data()) std::memmove(work.out.data(), start, work.out.size());
  const auto integers = [&](std::size_t i) {
    const program::Operand& operand = instruction.inputs[i];
    return std::span(reinterpret_cast<const std::int64_t*>(execution.address(operand.at)),
                     static_cast<std::size_t>(operand.type.elements()));
  };
  // One row is everything but the outermost dimension, along which slices are ragged.
  program::TensorType row = work.input.type;
  row.shape.front() = 1;
  const RaggedSlices slices{static_cast<std::size_t>(row.bytes()), integers(2), integers(3),
                            integers(4), integers(5)};
  return ragged_exchange(*algorithm_, fabric_, work.group, slices, work.in, work.out, work.site);
}

void PodCollectives::run(const program::Collective& collective,
                         const program::Instruction& instruction, Execution& execution) {
  // Every launch chooses an algorithm first (use_algorithm).
  UNDERSTUDY_ASSERT(algorithm_ != nullptr);
  last_op_ = instruction.op;
  const std::vector<Bucket> buckets =
      combines_ ? buckets_of(collective, instruction) : one_by_one(collective, instruction);
  // A lane holds one open call. Several buckets would need several, so they run to completion here.
  const std::size_t lane = buckets.size() == 1 ? collective.lane : 0;
  for (const Bucket& bucket : buckets) {
    auto job = std::make_unique<Job>(collective, instruction, execution, bucket, lane);
    // A process in no group has its result already.
    if (!prepare(*job)) continue;
    if (lane != 0) job->call = start(*job);
    if (job->call != nullptr) {
      entered_[lane] = std::move(job);
    } else {
      conclude(*job, run_now(*job));
    }
  }
}

// An operand that overlaps its result or travels in a bucket is copied first.
void PodCollectives::take_buffers(Job& job) {
  Work& work = job.work;
  if (job.is_together()) {
    const auto bytes = static_cast<std::size_t>(job.input.type.bytes());
    const auto packed = scratch(Staging::packed, bytes, job.lane);
    job.packing().pack(job.execution, packed);
    work.in = packed;
    work.out = job.received = scratch(Staging::unpacked, bytes, job.lane);
  } else {
    work.in = {job.execution.address(job.input.at),
               static_cast<std::size_t>(job.input.type.bytes())};
    work.out = {job.execution.writable(job.output.at),
                static_cast<std::size_t>(job.output.type.bytes())};
    // Algorithms may write the result before they have read all of the operand.
    if (overlap(work.in, work.out)) {
      const auto copy = scratch(Staging::copied, work.in.size(), job.lane);
      std::copy(work.in.begin(), work.in.end(), copy.begin());
      work.in = copy;
    }
  }
}

// Sets up the call: its buffers, its members, its reducer, and the hooks' ticket.
bool PodCollectives::prepare(Job& job) {
  // Two open calls in one lane would share staging and slots: the compiler assigns lanes so that
  // this cannot happen.
  UNDERSTUDY_ASSERT(entered_.at(job.lane) == nullptr);
  Work& work = job.work;
  const program::Collective& collective = work.collective;
  take_buffers(job);
  const bool folds = reduces(collective.kind);
  const program::ElementType element = job.input.type.element;
  const std::vector<std::uint32_t> ops = ops_of(collective, job.instruction, job.bucket);
  job.place = fmt::format("op {}", ops.front());
  work.site = {.op = program::name_of(collective.kind),
               .channel = collective.channel,
               .element = program::mlir_name(element),
               .elements = static_cast<std::uint64_t>(job.input.type.elements()),
               .place = job.place,
               // What members must agree on is in the call site, from which the signature is made.
               .reduction = folds ? name_in_signature(collective.reduction) : std::string_view()};
  if (folds) work.reducer = reducer_for(collective, element, job.execution);
  if (!join_group(work)) {
    complete(job);
    return false;
  }
  // Hooks come last, because an injected fault may end the process here, before any peer sees it
  // arrive.
  job.ticket = enter(work.site.op, ops, work.in.size(), work.group.members, work.site);
  return true;
}

CallReport PodCollectives::run_now(Job& job) {
  // In the order of CollectiveKind; ragged_all_to_all needs more operands and is handled below.
  static constexpr std::array<Run, 6> kRuns = {
      &PodCollectives::all_reduce,         &PodCollectives::all_gather,
      &PodCollectives::reduce_scatter,     &PodCollectives::all_to_all,
      &PodCollectives::collective_permute, &PodCollectives::collective_broadcast};
  Work& work = job.work;
  if (work.collective.kind == CollectiveKind::ragged_all_to_all)
    return ragged_all_to_all(work, job.instruction, job.execution);
  return (this->*kRuns[static_cast<std::size_t>(work.collective.kind)])(work);
}

void PodCollectives::conclude(const Job& job, const CallReport& report) {
  complete(job);
  leave(job.ticket, job.work.site.op, job.bucket.size(), job.work.in.size(), report);
}

bool PodCollectives::join_group(Work& work) const {
  // Pairs, not groups: a process without a pair still takes part, to get its zeros.
  if (work.collective.kind == CollectiveKind::collective_permute) return true;
  const program::ProcessId self = work.process.id();
  for (const program::ProcessGroup& group : work.collective.groups) {
    const auto place = std::ranges::find(group, self);
    if (place == group.end()) continue;
    work.group.self = static_cast<std::size_t>(place - group.begin());
    for (const program::ProcessId member : group)
      work.group.members.push_back(rank_of(member, work.process, transport_.rank()));
    return true;
  }
  // A process in no group is a group of one: its sum is its operand.
  if (work.collective.kind == CollectiveKind::all_reduce) {
    std::copy(work.in.begin(), work.in.end(), work.out.begin());
  } else {
    std::fill(work.out.begin(), work.out.end(), std::byte{0});
  }
  return false;
}

std::uint64_t PodCollectives::enter(std::string_view kind, std::span<const std::uint32_t> ops,
                                    std::size_t bytes, std::span<const Rank> members,
                                    collectives::CallSite& site) {
  return hooks_ == nullptr ? 0 : hooks_->enter(kind, ops, bytes, members, site);
}

void PodCollectives::leave(std::uint64_t ticket, std::string_view kind, std::size_t operands,
                           std::size_t bytes, const CallReport& report) {
  if (hooks_ != nullptr) hooks_->done(ticket, report.algorithm);
  configs::CollectiveCount& entry = counts_[{std::string(kind), std::string(report.algorithm)}];
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
