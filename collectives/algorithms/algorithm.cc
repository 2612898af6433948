// SPDX-License-Identifier: Apache-2.0
// The registry of algorithms: a row per name of --collectives.
#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "fmt/ranges.h"

#include "collectives/algorithms/makers.h"
#include "collectives/algorithms/scheduled_algorithm.h"
#include "collectives/collectives.h"
#include "collectives/reproducible.h"
#include "configs/base/collective_algorithms.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

using Algorithms = std::array<const Algorithm*, kCollectiveAlgorithms.size()>;

// In the order of kCollectiveAlgorithms. Reproducible wraps the algorithms that do not fold in
// group order by themselves; direct and hierarchical do if Fabric::reproducible is set.
const Algorithms& algorithms() {
  // Function-local statics: constructed once, at the first use, thread-safely.
  static const ScheduledAlgorithm both_ways("ring-bidirectional"), torus("torus"),
      halving("halving"), doubling("doubling");
  static const Reproducible mpi(library_algorithm()), any_both_ways(both_ways), any_torus(torus),
      any_halving(halving), any_doubling(doubling);
  static const Algorithms all{
      &auto_algorithm(),         &direct_algorithm(), &ring_algorithm(), &any_torus,   &mpi,
      &hierarchical_algorithm(), &any_both_ways,      &any_halving,      &any_doubling};
  return all;
}

}  // namespace

const Algorithm& ring_algorithm() {
  static const ScheduledAlgorithm ring("ring");
  static const Reproducible any_ring(ring);
  return any_ring;
}

const Algorithm& algorithm_named(std::string_view name) {
  const auto found = std::ranges::find(kCollectiveAlgorithms, name);
  if (found != kCollectiveAlgorithms.end())
    return *algorithms()[static_cast<std::size_t>(found - kCollectiveAlgorithms.begin())];
  throw Error(ErrorKind::usage, fmt::format("unknown collectives algorithm \"{}\"; known: {}", name,
                                            fmt::join(kCollectiveAlgorithms, ", ")));
}

// Algorithms without an asynchronous form return nullptr; the caller then runs the blocking one.
std::unique_ptr<UnderWay> Algorithm::start_all_reduce(const Fabric&, const Group&, const Reducer&,
                                                      std::span<const std::byte>,
                                                      std::span<std::byte>, const CallSite&) const {
  return nullptr;
}

std::unique_ptr<UnderWay> Algorithm::start_all_gather(const Fabric&, const Group&,
                                                      std::span<const std::byte>,
                                                      std::span<std::byte>, const CallSite&) const {
  return nullptr;
}

std::unique_ptr<UnderWay> Algorithm::start_reduce_scatter(const Fabric&, const Group&,
                                                          const Reducer&,
                                                          std::span<const std::byte>,
                                                          std::span<std::byte>,
                                                          const CallSite&) const {
  return nullptr;
}

}  // namespace understudy::collectives
