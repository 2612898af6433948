// SPDX-License-Identifier: Apache-2.0
#include "collectives/fold.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "configs/base/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::collectives {
namespace {

// The accumulators of a block stay in the first-level cache, with room for a piece of one operand.
constexpr std::size_t kBlockBytes = 8192;
constexpr std::size_t kVector = 16;  // bytes of one streaming store

struct Block {
  alignas(64) std::array<std::byte, kBlockBytes> total, run;
};

// Operands of one run, from byte `at` on; as many at a time as fit.
// One call of combine_all() reads up to 64 operands at once; larger groups continue with the
// accumulators.
constexpr std::size_t kOperandsAtOnce = 64;

void fold_run(const Reducer& reducer, std::span<const std::byte* const> operands, std::size_t at,
              std::size_t elements, std::byte* accumulators) {
  std::array<const std::byte*, kOperandsAtOnce> here;
  const std::size_t first = std::min(operands.size(), kOperandsAtOnce);
  for (std::size_t i = 0; i < first; ++i) here[i] = operands[i] + at;
  reducer.combine_all(std::span(here).first(first), accumulators, elements);
  for (const std::byte* operand : operands.subspan(first)) {
    reducer.combine(accumulators, operand + at, accumulators, elements);
  }
}

}  // namespace

// The general case, for reducers without a faster one.
void Reducer::combine_all(std::span<const std::byte* const> operands, std::byte* accumulators,
                          std::size_t n) const {
  widen(operands[0], accumulators, n);
  for (const std::byte* operand : operands.subspan(1)) {
    combine(accumulators, operand, accumulators, n);
  }
}

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes, Stores stores) {
  if (bytes == 0) return;  // then either place may be null, which memcpy does not allow
#if defined(__x86_64__)
  // Below four vectors the unaligned start and end would be most of the copy.
  if (stores == Stores::streaming && bytes >= 4 * kVector) {
    // Streaming stores need aligned targets: the unaligned start and the rest are copied normally.
    const std::size_t head = (kVector - reinterpret_cast<std::uintptr_t>(to) % kVector) % kVector;
    std::memcpy(to, from, head);
    std::size_t at = head;
    for (; at + kVector <= bytes; at += kVector) {
      const __m128i piece = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), piece);
    }
    std::memcpy(to + at, from + at, bytes - at);
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

void finish_streams() {
#if defined(__x86_64__)
  // Streaming stores are weakly ordered even on x86: without a fence they may become visible after
  // the release store that announces them.
  _mm_sfence();
#endif
}

// One run: all members fold into one accumulator, in group order.
FoldOrder flat_order(std::size_t members) { return {{members}}; }

// A host whose members are not adjacent in the group would change the order of operands, so such
// groups are folded flat.
FoldOrder order_by_hosts(const PodLayout& layout, const Group& group) {
  std::vector<HostId> seen;
  FoldOrder order;
  for (const Rank member : group.members) {
    const HostId host = layout.host_of.at(static_cast<std::size_t>(member.value));
    if (!seen.empty() && seen.back() == host) {
      ++order.runs.back();
      continue;
    }
    if (std::find(seen.begin(), seen.end(), host) != seen.end()) return flat_order(group.size());
    seen.push_back(host);
    order.runs.push_back(1);
  }
  return order;
}

void fold(const Reducer& reducer, const FoldOrder& order,
          std::span<const std::byte* const> operands, std::span<std::byte* const> results,
          std::size_t elements, Stores stores) {
  const std::size_t unit = reducer.element_bytes();
  // Accumulators may be wider than elements (bf16 sums in f32), so both bound the block.
  const std::size_t most = kBlockBytes / std::max(reducer.accumulator_bytes(), unit);
  // Block by block, so that the accumulators stay in the cache while all operands pass by. A run
  // after the first has its own accumulators, which are merged afterwards: float addition is not
  // associative, so the grouping is part of the result.
  Block block;
  for (std::size_t done = 0; done < elements; done += most) {
    const std::size_t count = std::min(most, elements - done), at = done * unit;
    std::size_t first = 0;
    for (const std::size_t length : order.runs) {
      std::byte* const to = first == 0 ? block.total.data() : block.run.data();
      fold_run(reducer, operands.subspan(first, length), at, count, to);
      if (first > 0) reducer.merge(block.total.data(), to, block.total.data(), count);
      first += length;
    }
    UNDERSTUDY_ASSERT(first == operands.size());
    // Rounded once per element, after all members are folded.
    reducer.narrow(block.total.data(), block.run.data(), count);
    for (std::byte* result : results) {
      copy_bytes(result + at, block.run.data(), count * unit, stores);
    }
  }
}

}  // namespace understudy::collectives
