// SPDX-License-Identifier: Apache-2.0
// Windows of arrays that lie in one piece. Pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "program/ir/types.h"

namespace understudy::program {

// The elements of a window of a row-major array where it is one dense run; nullopt where it is not.
inline std::optional<std::int64_t> run_of(const Shape& shape, const Shape& extents) {
  std::int64_t run = 1;
  bool whole = true;  // all inner dimensions are taken as a whole
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (extents[d] != 1 && !whole) return std::nullopt;
    run *= extents[d];
    whole = whole && extents[d] == shape[d];
  }
  return run;
}

}  // namespace understudy::program
