// SPDX-License-Identifier: Apache-2.0
// The message library's own collectives, as a baseline. Members agree on the call first, because
// the library would not detect a mismatch.
#include <algorithm>

#include "collectives/algorithms/makers.h"
#include "collectives/algorithms/scheduled_algorithm.h"
#include "collectives/call.h"
#include "collectives/library.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// A dissemination barrier of headers alone, in ceil(log2 n) rounds (Hensgen, Finkel and Manber
// 1988). A member that completes it has heard, directly or indirectly, from all others. Of any two
// neighbours with different headers at least one has noticed.
void agree(Call& call) {
  for (std::size_t distance = 1; distance < call.size(); distance *= 2) {
    call.exchange({}, call.right(distance), {}, call.left(distance));
  }
}

class LibraryAlgorithm final : public Algorithm {
 public:
  std::string_view name() const override { return "mpi"; }

  CallReport all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                        std::span<const std::byte> in, std::span<std::byte> out,
                        const CallSite& site) const override {
    return run(fabric, group, in, out, site, [&](Library& library, const Waiting& waiting) {
      library.all_reduce(group, reducer, in, out, waiting);
    });
  }
  CallReport all_gather(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override {
    return run(fabric, group, in, out, site, [&](Library& library, const Waiting& waiting) {
      library.all_gather(group, in, out, waiting);
    });
  }
  CallReport reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                            std::span<const std::byte> in, std::span<std::byte> out,
                            const CallSite& site) const override {
    return run(fabric, group, in, out, site, [&](Library& library, const Waiting& waiting) {
      library.reduce_scatter(group, reducer, in, out, waiting);
    });
  }
  CallReport all_to_all(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override {
    return run(fabric, group, in, out, site, [&](Library& library, const Waiting& waiting) {
      library.all_to_all(group, in, out, waiting);
    });
  }
  CallReport broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                       std::span<const std::byte> in, std::span<std::byte> out,
                       const CallSite& site) const override {
    return run(fabric, group, in, out, site, [&](Library& library, const Waiting& waiting) {
      // MPI_Bcast works in place: the root's result is its operand.
      if (group.self == root) std::copy(in.begin(), in.end(), out.begin());
      library.broadcast(group, root, out, waiting);
    });
  }
  CallReport permute(const Fabric& fabric, Rank to, Rank from, std::span<const std::byte> in,
                     std::span<std::byte> out, const CallSite& site) const override {
    return permute_by_messages(fabric.transport, to, from, in, out, site);
  }

 private:
  template <class Work>
  CallReport run(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                 std::span<std::byte> out, const CallSite& site, const Work& work) const {
    if (fabric.library == nullptr) {
      // Pods of threads (tests) have no MPI behind their transport.
      throw Error(ErrorKind::unsupported,
                  "algorithm \"mpi\" needs MPI, but this pod uses another transport");
    }
    Call call(fabric.transport, group, site, name());
    if (group.size() == 1) {
      std::copy(in.begin(), in.end(), out.begin());
      return call.report();
    }
    // The library's own collectives hang on a mismatch; this one reports it.
    agree(call);
    work(*fabric.library, call.waiting());
    return call.report();
  }
};

}  // namespace

const Algorithm& library_algorithm() {
  static const LibraryAlgorithm algorithm;
  return algorithm;
}

}  // namespace understudy::collectives
