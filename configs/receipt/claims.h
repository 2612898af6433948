// SPDX-License-Identifier: Apache-2.0
// The claims that a receipt supports, instead of a single "works": four different things, each
// proven, not shown or failed. Values and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/receipt/receipt.h"

namespace understudy::configs {

enum class Standing : std::uint8_t { proven, not_shown, failed };
std::string_view name_of(Standing standing);  // "proven", "not shown", "failed"

struct Claim {
  std::string_view name;  // "installation", "runtime", "compile", "model"
  Standing standing = Standing::not_shown;
  std::string why;  // the observation, or what was not observed
};

// Of one run, in that order. Claims after a failed one are "not shown".
std::vector<Claim> claims_of(const Receipt& receipt);
// Of a ladder.
Claims claims_of(const LadderSeen& ladder, const std::optional<RestoreSeen>& restore);
// For the receipt: of its ladder, else of its run. Nothing if the run used no chips.
std::optional<Claims> claims_in(const Receipt& receipt);

}  // namespace understudy::configs
