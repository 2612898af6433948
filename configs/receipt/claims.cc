// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/claims.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "configs/receipt/diagnosis.h"

namespace understudy::configs {
namespace {

// The number of chips that passed a gate.
std::int64_t chips_past(const Receipt& receipt, Phase gate) {
  return std::ranges::count_if(receipt.ranks, [&](const RankSeen& chip) {
    return std::ranges::any_of(chip.gates, [&](const GateSeen& seen) {
      return !seen.failed && seen.gate == name_of(gate);
    });
  });
}

// The claim that all chips passed a gate.
Claim reached(std::string_view name, const Receipt& receipt, Phase gate, std::string_view what) {
  const std::int64_t chips = chips_past(receipt, gate);
  const bool all = chips > 0 && chips == receipt.chip_count.value_or(0);
  const bool ended = receipt.failure() != nullptr;
  return {name,
          all     ? Standing::proven
          : ended ? Standing::failed
                  : Standing::not_shown,
          fmt::format("{} of {} chips {}", chips, receipt.chip_count.value_or(0), what)};
}

// A run without expected results says nothing about the model, even if it passed.
Claim model_of(const Receipt& receipt) {
  std::int64_t compared = 0, good = 0;
  for (const ResultReceipt& result : receipt.results) {
    if (!result.comparison) continue;
    ++compared;
    good += result.comparison->ok ? 1 : 0;
  }
  if (compared == 0)
    return {"model", Standing::not_shown, "no result was compared with an expected value"};
  return {"model", good == compared ? Standing::proven : Standing::failed,
          fmt::format("{} of {} results are as expected", good, compared)};
}

// A rung that starts nothing: what the TPU compiler says is a claim of its own.
constexpr std::string_view kPreflight = "preflight";

// The claim that a failure in a layer refutes. Earlier claims were shown by getting that far.
struct ClaimRow {
  Layer layer;
  std::string Claims::*claim;
};
constexpr std::array<ClaimRow, 7> kClaims = {{
    {Layer::host_runtime, &Claims::installation},
    {Layer::contract, &Claims::runtime},
    {Layer::cache, &Claims::compile},
    {Layer::graph_compile, &Claims::compile},
    {Layer::collective, &Claims::runtime},
    {Layer::memory, &Claims::runtime},
    {Layer::program, &Claims::model},
}};

}  // namespace

std::string_view name_of(Standing standing) {
  static constexpr std::array<std::string_view, 3> kNames = {"proven", "not shown", "failed"};
  return kNames[static_cast<std::size_t>(standing)];
}

std::vector<Claim> claims_of(const Receipt& receipt) {
  std::vector<Claim> claims = {
      reached("installation", receipt, Phase::contract_checked,
              "started and computed the launch contract"),
      reached("runtime", receipt, Phase::tensors_allowed,
              "initialised the runtime and hold a tensor"),
      reached("compile", receipt, Phase::programs_allowed, "have an executable"),
      model_of(receipt),
  };
  const auto failed = std::ranges::find(claims, Standing::failed, &Claim::standing);
  // Each claim needs the ones before it.
  for (auto later = failed; later != claims.end(); ++later)
    if (later != failed) later->standing = Standing::not_shown;
  return claims;
}

Claims claims_of(const LadderSeen& ladder, const std::optional<RestoreSeen>& restore) {
  const std::string kProven(name_of(Standing::proven)), kNotShown(name_of(Standing::not_shown)),
      kFailed(name_of(Standing::failed));
  Claims claims{kNotShown, kNotShown, kNotShown, kNotShown};
  const bool climbed = ladder.first_passing.has_value();
  if (climbed) claims = {kProven, kProven, kProven, kNotShown};
  // The model claim needs every rung: the last ones have the features of the real program.
  const bool whole = climbed && std::ranges::all_of(ladder.rungs, [](const RungSeen& seen) {
                       return seen.status == "passed" || seen.rung == kPreflight;
                     });
  if (whole) claims.model = kProven;
  for (const RungSeen& seen : ladder.rungs) {
    if (seen.status != "failed" || seen.rung == kPreflight) continue;
    for (const ClaimRow& row : kClaims)
      if (seen.layer_of_failure == name_of(row.layer)) claims.*row.claim = kFailed;
  }
  // A failed restore means that compiled programs do not survive a restart.
  if (restore && restore->verdict != "proven" && restore->verdict != "vacuous" &&
      claims.compile == kProven)
    claims.compile = kNotShown;
  return claims;
}

std::optional<Claims> claims_in(const Receipt& receipt) {
  if (receipt.ladder) {
    Claims claims = claims_of(*receipt.ladder, receipt.restore);
    if (receipt.preflight) claims.tpu_compiler = receipt.preflight->claim;
    return claims;
  }
  if (receipt.ranks.empty()) return std::nullopt;
  const std::vector<Claim> all = claims_of(receipt);
  const auto standing = [&](std::size_t i) { return std::string(name_of(all.at(i).standing)); };
  return Claims{standing(0), standing(1), standing(2), standing(3)};
}

}  // namespace understudy::configs
