// SPDX-License-Identifier: Apache-2.0
// Windows that are several dense runs of their array (x[i, :, j], crops of images).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "worker/ops/indexing/index_offsets.h"
#include "worker/ops/indexing/single_elements.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

struct WindowRuns {
  std::int64_t run = 1;               // elements of each
  std::vector<std::int64_t> offsets;  // in elements from the window's first one, in order

  // The offset of each run of windows at these offsets; -1 for those of a window at -1. `out`: as
  // many as there are.
  void expand(std::span<const std::int64_t> windows, std::span<std::int64_t> out) const;
};

// Of a window with these extents in an array of that shape; nullopt where the runs are too many for
// a list, or there is none.
std::optional<WindowRuns> window_runs(const Shape& shape, const Shape& extents);

// Offsets of an array's elements as index vectors; -1 is outside. They have to outlive the result.
ElementIndices indices_of(std::span<const std::int64_t> offsets, const Shape& shape,
                          std::int64_t run);

// Calls `use` with (first run, offsets) for all runs of all windows. False where `use` is, which
// shows at the first call.
template <class Use>
bool for_each_run(IndexOffsets& windows, const WindowRuns& runs, const Use& use) {
  constexpr std::size_t kAtOnce = 1024;
  const std::size_t each = runs.offsets.size();
  const std::size_t at_once = std::max<std::size_t>(1, kAtOnce / each);
  std::vector<std::int64_t> offsets(at_once), expanded(at_once * each);
  for (std::int64_t first = 0; first < windows.count();) {
    const auto count =
        std::min<std::size_t>(at_once, static_cast<std::size_t>(windows.count() - first));
    const std::span some(offsets.data(), count), all(expanded.data(), count * each);
    windows.next(some);
    runs.expand(some, all);
    if (!use(static_cast<std::size_t>(first) * each, std::span<const std::int64_t>(all)))
      return false;
    first += static_cast<std::int64_t>(count);
  }
  return true;
}

}  // namespace understudy::worker::ops
