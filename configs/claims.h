// SPDX-License-Identifier: Apache-2.0
// What a receipt lets one claim, in place of the word "working", which mixes up four things. Values
// and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "configs/receipt.h"

namespace understudy::configs {

enum class Standing : std::uint8_t { proven, not_shown, failed };
std::string_view name_of(Standing standing);  // "proven", "not shown", "failed"

struct Claim {
  std::string_view name;  // "installation", "runtime", "compile", "model"
  Standing standing = Standing::not_shown;
  std::string why;  // what was observed, or was not
};

// In that order. What comes after a claim that failed is not shown.
std::vector<Claim> claims_of(const Receipt& receipt);

}  // namespace understudy::configs
