// SPDX-License-Identifier: Apache-2.0
// The registry of algorithms: a row per name of --collectives.
#include <array>

#include "fmt/format.h"
#include "fmt/ranges.h"

#include "collectives/algorithms/makers.h"
#include "collectives/algorithms/ring.h"
#include "collectives/collectives.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

class Ring final : public Algorithm {
 public:
  std::string_view name() const override { return "ring"; }

  CallReport all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                        std::span<const std::byte> in, std::span<std::byte> out,
                        const CallSite& site) const override {
    Call call(fabric.transport, group, site, name());
    all_reduce_ring(call, reducer, in, out);
    return call.report();
  }
  CallReport all_gather(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override {
    Call call(fabric.transport, group, site, name());
    all_gather_ring(call, in, out);
    return call.report();
  }
  CallReport reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                            std::span<const std::byte> in, std::span<std::byte> out,
                            const CallSite& site) const override {
    Call call(fabric.transport, group, site, name());
    reduce_scatter_ring(call, reducer, in, out);
    return call.report();
  }
  CallReport all_to_all(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override {
    Call call(fabric.transport, group, site, name());
    all_to_all_pairwise(call, in, out);
    return call.report();
  }
  CallReport broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                       std::span<const std::byte> in, std::span<std::byte> out,
                       const CallSite& site) const override {
    Call call(fabric.transport, group, site, name());
    broadcast_chain(call, root, in, out);
    return call.report();
  }
  CallReport permute(const Fabric& fabric, Rank to, Rank from, std::span<const std::byte> in,
                     std::span<std::byte> out, const CallSite& site) const override {
    return permute_by_messages(fabric.transport, to, from, in, out, site);
  }
};

struct Row {
  std::string_view name;
  const Algorithm& algorithm;
};

const std::array<Row, 3>& rows() {
  static const std::array<Row, 3> table{
      {{"auto", direct_by_hosts()}, {"direct", direct_algorithm()}, {"ring", ring_algorithm()}}};
  return table;
}

}  // namespace

const Algorithm& ring_algorithm() {
  static const Ring ring;
  return ring;
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

}  // namespace understudy::collectives
