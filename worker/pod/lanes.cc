// SPDX-License-Identifier: Apache-2.0
// Asynchronous collectives: all_reduce, all_gather and reduce_scatter that are entered now and
// finished by a later CollectiveDone. Each uses a lane of its own, with its own board slots and
// staging memory, so that several can be open at once. Lane 0 belongs to the blocking collectives.
#include <utility>

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
  const PreparedCollective& what = job.what;
  const collectives::Fabric& fabric = lanes_[job.lane];
  // The asynchronous forms exist for these three kinds; the compiler makes no others.
  const bool gathers = what.collective.kind == CollectiveKind::all_gather;
  if (what.collective.kind == CollectiveKind::all_reduce)
    return algorithm_->start_all_reduce(fabric, what.group, job.reducer(), job.in, job.out,
                                        job.site);
  const Cut cut(gathers ? what.output.type : what.input.type, what.collective.dimension,
                what.group.size());
  if (!gathers)
    return algorithm_->start_reduce_scatter(fabric, what.group, job.reducer(),
                                            blocks_of(cut, job.in, job.lane), job.out, job.site);
  const std::span<std::byte> blocks =
      cut.is_trivial() ? job.out : scratch(Staging::unpacked, what.out_bytes, job.lane);
  auto call = algorithm_->start_all_gather(fabric, what.group, job.in, blocks, job.site);
  // The join into the result happens in complete(), once the call is finished. If `call` is null
  // the blocking path runs instead and must not see a `received` buffer.
  if (call != nullptr && !cut.is_trivial()) job.received = blocks;
  return call;
}

void PodCollectives::enter_lane(std::unique_ptr<Job> job) {
  job->call = start(*job);
  if (job->call == nullptr) return conclude(*job, run_now(*job));
  entered_[job->lane] = std::move(job);
}

// Moves the result from where it was received to its place in the program, for
// blocking collectives too.
void PodCollectives::complete(const Job& job) const {
  if (job.received.empty()) return;
  const PreparedCollective& what = job.what;
  // Packed operands and staged blocks are unpacked differently; a call is never both.
  if (what.is_together()) return what.packing().unpack(job.received, job.execution);
  join_blocks(Cut(what.output.type, what.collective.dimension, what.group.size()), job.received,
              job.out);
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
