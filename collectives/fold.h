// SPDX-License-Identifier: Apache-2.0
// Many operands to one result, where all of them can be read: the inner loop of the direct path.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collectives/collectives.h"

namespace understudy::collectives {

// Ordinary stores leave the bytes in the cache. Streaming stores bypass it, for results so large
// that they would only displace other data.
enum class Stores : bool { ordinary, streaming };

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes, Stores stores);
// Orders streaming stores before later ones: call it before other members may read the results.
void finish_streams();

// The order of a fold: the members of each run from left to right, then the results of the runs
// from left to right. A single run is the fold in group order.
struct FoldOrder {
  std::vector<std::size_t> runs;  // lengths; their sum is the number of members
};
FoldOrder flat_order(std::size_t members);
// By emulated hosts, if the members of each host are adjacent in the group; else flat.
FoldOrder order_by_hosts(const PodLayout& layout, const Group& group);

// results[r][i] = fold over m of operands[m][i], i < elements; accumulates as the reducer does and
// rounds once. A result may be an operand.
void fold(const Reducer& reducer, const FoldOrder& order,
          std::span<const std::byte* const> operands, std::span<std::byte* const> results,
          std::size_t elements, Stores stores);

}  // namespace understudy::collectives
