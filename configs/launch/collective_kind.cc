// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/collective_kind.h"

#include <algorithm>

namespace understudy::configs {

std::optional<std::size_t> collective_kind_of(std::string_view name) {
  const auto found = std::ranges::find(kCollectiveKinds, name);
  if (found == kCollectiveKinds.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kCollectiveKinds.begin());
}

}  // namespace understudy::configs
