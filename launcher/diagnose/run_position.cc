// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/run_position.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace understudy::launcher {

std::string position_text(const RunPosition& standing, std::int64_t steps, const OpLocations& ops) {
  if (standing.rank < 0) return "no worker has started yet";
  const auto named = [&](std::uint32_t op) {
    const std::optional<OpLocations::Entry> entry = ops.find(standing.rank, std::int64_t{op} - 1);
    if (!entry) return std::string("between operations");
    return entry->place ? fmt::format("{} at {}", entry->name, *entry->place) : entry->name;
  };
  std::string text = fmt::format("rank {} is in step {} of {}, {}", standing.rank,
                                 std::min(static_cast<std::int64_t>(standing.step) + 1, steps),
                                 steps, named(standing.op));
  const auto& [outer, inner] = standing.loops;
  const auto add = [&](const configs::LoopSeen& loop) {
    text += fmt::format(", in iteration {} of {}", loop.iterations, named(loop.op));
  };
  // Innermost loop first; a single loop is in both places.
  if (inner.op != 0) add(inner);
  if (outer.op != 0 && outer.op != inner.op) add(outer);
  return text;
}

}  // namespace understudy::launcher
