// SPDX-License-Identifier: Apache-2.0
// The registry of algorithms: a row per name of --collectives.
#include <array>

#include "fmt/format.h"
#include "fmt/ranges.h"

#include "collectives/algorithms/makers.h"
#include "collectives/algorithms/scheduled_algorithm.h"
#include "collectives/collectives.h"
#include "collectives/reproducible.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

struct Row {
  std::string_view name;
  const Algorithm& algorithm;
};

// The direct path folds in group order by itself where the fabric asks for it.
const std::array<Row, 9>& rows() {
  static const ScheduledAlgorithm both_ways("ring-bidirectional"), torus("torus"),
      halving("halving"), doubling("doubling");
  static const Reproducible mpi(library_algorithm()), any_both_ways(both_ways), any_torus(torus),
      any_halving(halving), any_doubling(doubling);
  static const std::array<Row, 9> table{{{kAuto, auto_algorithm()},
                                         {"direct", direct_algorithm()},
                                         {"ring", ring_algorithm()},
                                         {"torus", any_torus},
                                         {"mpi", mpi},
                                         {"hierarchical", hierarchical_algorithm()},
                                         {"ring-bidirectional", any_both_ways},
                                         {"halving", any_halving},
                                         {"doubling", any_doubling}}};
  return table;
}

}  // namespace

const Algorithm& ring_algorithm() {
  static const ScheduledAlgorithm ring("ring");
  static const Reproducible any_ring(ring);
  return any_ring;
}

std::vector<std::string_view> algorithm_names() {
  std::vector<std::string_view> names;
  for (const Row& row : rows()) names.push_back(row.name);
  return names;
}

const Algorithm& algorithm_named(std::string_view name) {
  for (const Row& row : rows()) {
    if (row.name == name) return row.algorithm;
  }
  throw Error(ErrorKind::usage, fmt::format("unknown collectives algorithm \"{}\"; known: {}", name,
                                            fmt::join(algorithm_names(), ", ")));
}

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
