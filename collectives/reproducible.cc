// SPDX-License-Identifier: Apache-2.0
#include "collectives/reproducible.h"

#include <algorithm>
#include <vector>

#include "collectives/fold.h"

namespace understudy::collectives {
namespace {

using Bytes = std::vector<std::byte>;

}  // namespace

CallReport Reproducible::reduce_scatter(const Fabric& fabric, const Group& group,
                                        const Reducer& reducer, std::span<const std::byte> in,
                                        std::span<std::byte> out, const CallSite& site) const {
  if (!fabric.reproducible) return inner().reduce_scatter(fabric, group, reducer, in, out, site);
  // The fold is local, over the operands of all members in group order: the bits do not depend on
  // the algorithm that moves them.
  // All_to_all first: every member then has all operands of its block, and folds them alone.
  Bytes blocks(in.size());
  const CallReport report = inner().all_to_all(fabric, group, in, blocks, site);
  std::vector<const std::byte*> by_member;
  for (std::size_t m = 0; m < group.size(); ++m) {
    by_member.push_back(blocks.data() + m * out.size());
  }
  std::byte* const result = out.data();
  fold(reducer, flat_order(group.size()), by_member, std::span(&result, 1),
       out.size() / reducer.element_bytes(), Stores::ordinary);
  return report;
}

// Chunks are blocks of equal size, as all_to_all and all_gather need them; the last may be padded.
// Padding is folded too, but cut off from the result.
CallReport Reproducible::all_reduce(const Fabric& fabric, const Group& group,
                                    const Reducer& reducer, std::span<const std::byte> in,
                                    std::span<std::byte> out, const CallSite& site) const {
  if (!fabric.reproducible) return inner().all_reduce(fabric, group, reducer, in, out, site);
  const std::size_t n = group.size(), unit = reducer.element_bytes();
  const std::size_t block = (in.size() / unit + n - 1) / n * unit;
  Bytes padded(in.begin(), in.end()), folded(block);
  // Zeros, folded and thrown away: any value would do.
  padded.resize(n * block);
  const CallReport scattered = reduce_scatter(fabric, group, reducer, padded, folded, site);
  CallSite later = site;
  later.emulated_seconds = scattered.emulated_seconds;
  CallReport report = inner().all_gather(fabric, group, folded, padded, later);
  std::copy_n(padded.begin(), out.size(), out.begin());
  report.messages += scattered.messages;
  report.bytes += scattered.bytes;
  return report;
}

}  // namespace understudy::collectives
