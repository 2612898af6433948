// SPDX-License-Identifier: Apache-2.0
// Asynchronous collectives: all_reduce, all_gather and reduce_scatter that are entered now and
// finished by a later CollectiveDone. Each uses a lane of its own, with its own board slots and
// staging memory, so that several can be open at once. Lane 0 belongs to the blocking collectives.
#include <utility>

#include "worker/chip/blocks.h"
#include "worker/pod/collective_job.h"

namespace understudy::worker {
namespace {

using collectives::Staging;
using program::CollectiveKind;

// Lane 0 plus the lanes that the compiler may assign to asynchronous collectives.
static_assert(program::kAsyncLanes + 1 == collectives::kLanes);

}  // namespace

PodCollectives::PodCollectives(const collectives::Fabric& fabric, CollectiveHooks* hooks)
    : fabric_(fabric), transport_(fabric.transport), hooks_(hooks) {
  for (std::size_t lane = 0; lane < collectives::kLanes; ++lane) {
    // One fabric per lane: calls in different lanes must not share board slots, messages or
    // staging.
    // Of this constructor's copies only the lane differs.
    collectives::Fabric one = fabric;
    one.lane = lane;
    lanes_.push_back(one);
  }
}

PodCollectives::~PodCollectives() = default;

// all_reduce works in place on whole arrays. The two others send or receive blocks along a
// dimension; where the blocks are not contiguous in the array, they are staged in the lane's own
// scratch memory, because a blocking collective may use the scratch of lane 0 before this call
// ends.
std::unique_ptr<collectives::UnderWay> PodCollectives::start(Job& job) {
  Work& work = job.work;
  const collectives::Fabric& fabric = lanes_[job.lane];
  // The asynchronous forms exist for these three kinds; the compiler makes no others.
  const bool gathers = work.collective.kind == CollectiveKind::all_gather;
  if (work.collective.kind == CollectiveKind::all_reduce)
    return algorithm_->start_all_reduce(fabric, work.group, *work.reducer, work.in, work.out,
                                        work.site);
  const Cut cut(gathers ? work.output.type : work.input.type, work.collective.dimension,
                work.group.size());
  std::span<const std::byte> in = work.in;
  std::span<std::byte> blocks;
  if (!cut.is_trivial()) {
    blocks = scratch(gathers ? Staging::unpacked : Staging::packed,
                     static_cast<std::size_t>((gathers ? work.output : work.input).type.bytes()),
                     job.lane);
  }
  if (gathers) {
    auto call = algorithm_->start_all_gather(fabric, work.group, in,
                                             cut.is_trivial() ? work.out : blocks, work.site);
    // The join into the result happens in complete(), once the call is finished. If `call` is null
    // the blocking path runs instead and must not see a `received` buffer.
    if (call != nullptr) job.received = blocks;
    return call;
  }
  if (!cut.is_trivial()) {
    cut_into_blocks(cut, in, blocks);
    in = blocks;
  }
  return algorithm_->start_reduce_scatter(fabric, work.group, *work.reducer, in, work.out,
                                          work.site);
}

// Moves the result from where it was received to its place in the program, for
// blocking collectives too.
void PodCollectives::complete(const Job& job) const {
  if (job.received.empty()) return;
  const Work& work = job.work;
  // Packed operands and staged blocks are unpacked differently; a call is never both.
  if (job.is_together()) return job.packing().unpack(job.received, job.execution);
  join_blocks(Cut(job.output.type, work.collective.dimension, work.group.size()), job.received,
              work.out);
}

void PodCollectives::run(const program::CollectiveDone& done) {
  // Empty where prepare() found this process in no group, where the call was split into several
  // buckets, or where the algorithm has no asynchronous form: the collective was completed on
  // entry.
  // Taken out of the lane before it is finished: an error leaves the lane empty.
  const std::unique_ptr<Job> job = std::exchange(entered_.at(done.lane), nullptr);
  if (job != nullptr) conclude(*job, job->call->finish());
}

}  // namespace understudy::worker
