// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/scheduled_algorithm.h"

#include "collectives/algorithms/recipes.h"
#include "collectives/schedule_runner.h"
#include "configs/base/error.h"

namespace understudy::collectives {

// Every member computes its own schedule from the task; the schedules of all members match because
// they come from the same pure function.
CallReport ScheduledAlgorithm::run(Kind kind, const Fabric& fabric, const Group& group,
                                   std::size_t root, const Reducer* reducer,
                                   std::span<const std::byte> in, std::span<std::byte> out,
                                   const CallSite& site) const {
  // Made anew for each call: sizes and members differ, and making it is cheap beside the messages.
  const Schedule schedule =
      recipe_of(name_, kind)
          .make({.kind = kind,
                 .members = group.size(),
                 .self = group.self,
                 // Bytes where nothing is reduced: such schedules need no element type.
                 .items = in.size() / (reducer == nullptr ? 1 : reducer->element_bytes()),
                 .root = root,
                 .layout = &fabric.layout,
                 .ranks = group.members});
  // The name in the schedule may be that of a recipe that stands in (a group that is not a grid).
  Call call(fabric.transport, group, site, schedule.algorithm);
  run_schedule(call, schedule, reducer, in, out);
  return call.report();
}

CallReport ScheduledAlgorithm::all_reduce(const Fabric& fabric, const Group& group,
                                          const Reducer& reducer, std::span<const std::byte> in,
                                          std::span<std::byte> out, const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size());
  return run(Kind::all_reduce, fabric, group, 0, &reducer, in, out, site);
}

CallReport ScheduledAlgorithm::all_gather(const Fabric& fabric, const Group& group,
                                          std::span<const std::byte> in, std::span<std::byte> out,
                                          const CallSite& site) const {
  UNDERSTUDY_ASSERT(out.size() == in.size() * group.size());
  return run(Kind::all_gather, fabric, group, 0, nullptr, in, out, site);
}

CallReport ScheduledAlgorithm::reduce_scatter(const Fabric& fabric, const Group& group,
                                              const Reducer& reducer, std::span<const std::byte> in,
                                              std::span<std::byte> out,
                                              const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size() * group.size());
  return run(Kind::reduce_scatter, fabric, group, 0, &reducer, in, out, site);
}

CallReport ScheduledAlgorithm::all_to_all(const Fabric& fabric, const Group& group,
                                          std::span<const std::byte> in, std::span<std::byte> out,
                                          const CallSite& site) const {
  UNDERSTUDY_ASSERT(in.size() == out.size() && in.size() % group.size() == 0);
  return run(Kind::all_to_all, fabric, group, 0, nullptr, in, out, site);
}

CallReport ScheduledAlgorithm::broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                                         std::span<const std::byte> in, std::span<std::byte> out,
                                         const CallSite& site) const {
  UNDERSTUDY_ASSERT(root < group.size() && in.size() == out.size());
  return run(Kind::broadcast, fabric, group, root, nullptr, in, out, site);
}

CallReport ScheduledAlgorithm::permute(const Fabric& fabric, Rank to, Rank from,
                                       std::span<const std::byte> in, std::span<std::byte> out,
                                       const CallSite& site) const {
  return permute_by_messages(fabric.transport, to, from, in, out, site);
}

}  // namespace understudy::collectives
