// SPDX-License-Identifier: Apache-2.0
#include "configs/claims.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace understudy::configs {
namespace {

std::int64_t chips_past(const Receipt& receipt, Phase gate) {
  return std::ranges::count_if(receipt.chips, [&](const ChipSeen& chip) {
    return std::ranges::any_of(
        chip.gates, [&](const GatePassed& passed) { return passed.gate == name_of(gate); });
  });
}

// That all chips came past a gate.
Claim reached(std::string_view name, const Receipt& receipt, Phase gate, std::string_view what) {
  const std::int64_t chips = chips_past(receipt, gate);
  const bool all = chips > 0 && chips == receipt.chip_count;
  const bool ended = receipt.failure.has_value();
  return {name,
          all     ? Standing::proven
          : ended ? Standing::failed
                  : Standing::not_shown,
          fmt::format("{} of {} chips {}", chips, receipt.chip_count, what)};
}

Claim model_of(const Receipt& receipt) {
  std::int64_t compared = 0, good = 0;
  for (const ResultReceipt& result : receipt.results) {
    if (!result.comparison) continue;
    ++compared;
    good += result.comparison->ok ? 1 : 0;
  }
  if (compared == 0) return {"model", Standing::not_shown, "no result was compared with anything"};
  return {"model", good == compared ? Standing::proven : Standing::failed,
          fmt::format("{} of {} results are as expected", good, compared)};
}

}  // namespace

std::string_view name_of(Standing standing) {
  static constexpr std::array<std::string_view, 3> kNames = {"proven", "not shown", "failed"};
  return kNames[static_cast<std::size_t>(standing)];
}

std::vector<Claim> claims_of(const Receipt& receipt) {
  std::vector<Claim> claims = {
      reached("installation", receipt, Phase::contract_checked,
              "started and computed the launch contract"),
      reached("runtime", receipt, Phase::tensors_allowed, "came up and hold a tensor"),
      reached("compile", receipt, Phase::programs_allowed, "have an executable"),
      model_of(receipt),
  };
  const auto failed = std::ranges::find(claims, Standing::failed, &Claim::standing);
  for (auto later = failed; later != claims.end(); ++later)
    if (later != failed) later->standing = Standing::not_shown;
  return claims;
}

}  // namespace understudy::configs
