// SPDX-License-Identifier: Apache-2.0
// What a receipt lets one claim, in place of the word "working", which mixes up four things. Values
// and pure functions.
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
  std::string why;  // what was observed, or was not
};

// Of one run, in that order. What comes after a claim that failed is not shown.
std::vector<Claim> claims_of(const Receipt& receipt);
// Of a ladder.
Claims claims_of(const LadderSeen& ladder, const std::optional<RestoreSeen>& restore);
// As the receipt has them: of its ladder, else of its run. Nothing where no chip was asked for.
std::optional<Claims> claims_in(const Receipt& receipt);

}  // namespace understudy::configs
