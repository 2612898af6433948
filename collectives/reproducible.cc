// SPDX-License-Identifier: Apache-2.0
#include "collectives/reproducible.h"

#include <algorithm>
#include <vector>

namespace understudy::collectives {
namespace {

using Bytes = std::vector<std::byte>;

// Folds the blocks that lie one after the other in the order of the members.
void fold_blocks(const Reducer& reducer, std::span<const std::byte> blocks, std::size_t members,
                 std::span<std::byte> out) {
  const std::size_t count = out.size() / reducer.element_bytes();
  Bytes sum(count * reducer.accumulator_bytes());
  reducer.widen(blocks.data(), sum.data(), count);
  for (std::size_t m = 1; m < members; ++m) {
    reducer.combine(sum.data(), blocks.data() + m * out.size(), sum.data(), count);
  }
  reducer.narrow(sum.data(), out.data(), count);
}

}  // namespace

CallReport Reproducible::reduce_scatter(const Fabric& fabric, const Group& group,
                                        const Reducer& reducer, std::span<const std::byte> in,
                                        std::span<std::byte> out, const CallSite& site) const {
  if (!fabric.reproducible) return inner_.reduce_scatter(fabric, group, reducer, in, out, site);
  Bytes blocks(in.size());
  const CallReport report = inner_.all_to_all(fabric, group, in, blocks, site);
  fold_blocks(reducer, blocks, group.size(), out);
  return report;
}

// Chunks are blocks of equal size, of which the last may be padded.
CallReport Reproducible::all_reduce(const Fabric& fabric, const Group& group,
                                    const Reducer& reducer, std::span<const std::byte> in,
                                    std::span<std::byte> out, const CallSite& site) const {
  if (!fabric.reproducible) return inner_.all_reduce(fabric, group, reducer, in, out, site);
  const std::size_t n = group.size(), unit = reducer.element_bytes();
  const std::size_t block = (in.size() / unit + n - 1) / n * unit;
  Bytes padded(in.begin(), in.end()), folded(block);
  padded.resize(n * block);
  const CallReport scattered = reduce_scatter(fabric, group, reducer, padded, folded, site);
  CallSite later = site;
  later.emulated_seconds = scattered.emulated_seconds;
  CallReport report = inner_.all_gather(fabric, group, folded, padded, later);
  std::copy_n(padded.begin(), out.size(), out.begin());
  report.messages += scattered.messages;
  report.bytes += scattered.bytes;
  return report;
}

CallReport Reproducible::all_gather(const Fabric& fabric, const Group& group,
                                    std::span<const std::byte> in, std::span<std::byte> out,
                                    const CallSite& site) const {
  return inner_.all_gather(fabric, group, in, out, site);
}

CallReport Reproducible::all_to_all(const Fabric& fabric, const Group& group,
                                    std::span<const std::byte> in, std::span<std::byte> out,
                                    const CallSite& site) const {
  return inner_.all_to_all(fabric, group, in, out, site);
}

CallReport Reproducible::broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                                   std::span<const std::byte> in, std::span<std::byte> out,
                                   const CallSite& site) const {
  return inner_.broadcast(fabric, group, root, in, out, site);
}

CallReport Reproducible::permute(const Fabric& fabric, Rank to, Rank from,
                                 std::span<const std::byte> in, std::span<std::byte> out,
                                 const CallSite& site) const {
  return inner_.permute(fabric, to, from, in, out, site);
}

}  // namespace understudy::collectives
