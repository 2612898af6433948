// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/memory_check.h"

#include <algorithm>
#include <fmt/format.h>

namespace understudy::configs {

std::optional<std::string> memory_complaint(const MemorySeen& seen) {
  constexpr std::uint64_t kAlignment = 64;  // of worker/hbm/hbm.h
  if (!seen.page_bytes || !seen.hbm_regions) return std::nullopt;
  const std::uint64_t regions = *seen.hbm_regions, page = *seen.page_bytes;
  const std::uint64_t conditional = std::min(seen.hbm_conditional.value_or(0), seen.hbm_predicted);
  // Branches that were not taken leave their buffers unwritten, so their pages hold no data.
  const std::uint64_t least = seen.hbm_predicted - conditional;
  if (seen.hbm_observed < least)
    return fmt::format(
        "the prediction of the HBM peak is too large: {} bytes predicted, {} of them written only "
        "by branches, but {} bytes of pages are populated",
        seen.hbm_predicted, conditional, seen.hbm_observed);
  // Pages are counted whole: each region may touch almost one page more than its bytes.
  if (seen.hbm_observed >= seen.hbm_predicted + regions * page)
    return fmt::format(
        "the prediction of the HBM peak is too small: {} bytes predicted for {} regions, but {} "
        "bytes of pages are populated, at least {} more than predicted",
        seen.hbm_predicted, regions, seen.hbm_observed,
        seen.hbm_observed - seen.hbm_predicted - regions * page);
  const std::uint64_t allocated = seen.hbm_allocated.value_or(0);
  // The allocator rounds each region up to kAlignment.
  if (allocated >= seen.hbm_predicted + (regions + 1) * kAlignment)
    return fmt::format(
        "more HBM was allocated than predicted: {} bytes in {} regions predicted, {} allocated",
        seen.hbm_predicted, regions, allocated);
  return std::nullopt;
}

}  // namespace understudy::configs
