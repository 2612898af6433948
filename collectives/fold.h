// SPDX-License-Identifier: Apache-2.0
// Many operands to one result, where all of them can be read: the inner loop of the direct path.
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collectives/collectives.h"

namespace understudy::collectives {

// Ordinary stores leave the bytes in the cache; streaming ones spare it where nothing of so much
// data would stay there.
enum class Stores : bool { ordinary, streaming };

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes, Stores stores);
// Before others may see what was streamed.
void finish_streams();

// In which order members are folded: the members of each run from left to right, then the runs'
// results from left to right. One run: the fold in group order.
struct FoldOrder {
  std::vector<std::size_t> runs;  // lengths; their sum is the number of members
};
FoldOrder flat_order(std::size_t members);
// By emulated hosts, where each host's members stand side by side in the group; else flat.
FoldOrder order_by_hosts(const PodLayout& layout, const Group& group);

// results[r][i] = fold over m of operands[m][i], i < elements; accumulates as the reducer does and
// rounds once. A result may be an operand.
void fold(const Reducer& reducer, const FoldOrder& order,
          std::span<const std::byte* const> operands, std::span<std::byte* const> results,
          std::size_t elements, Stores stores);

}  // namespace understudy::collectives
