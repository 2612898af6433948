// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/claims.h"

#include <gtest/gtest.h>

namespace understudy::configs {
namespace {

// Two chips that passed all gates up to this one.
Receipt reached(Phase last) {
  Receipt receipt;
  receipt.chip_count = 2;
  receipt.ranks.resize(2);
  for (RankSeen& chip : receipt.ranks)
    for (const Phase gate :
         {Phase::contract_checked, Phase::environment_frozen, Phase::runtime_initialised,
          Phase::spmd_enabled, Phase::tensors_allowed, Phase::programs_allowed})
      if (gate <= last) chip.gates.push_back({std::string(name_of(gate)), 0, ""});
  return receipt;
}

std::string standings(const Receipt& receipt) {
  std::string text;
  for (const Claim& one : claims_of(receipt)) text += std::string(name_of(one.standing)) + ", ";
  return text;
}

TEST(Claims, AreKeptApart) {
  Receipt receipt = reached(Phase::programs_allowed);
  EXPECT_EQ(standings(receipt), "proven, proven, proven, not shown, ");
  receipt.results.resize(2);
  receipt.results[1].comparison = ResultComparison{};
  EXPECT_EQ(standings(receipt), "proven, proven, proven, failed, ");
  EXPECT_EQ(claims_of(receipt).back().why, "0 of 1 results are as expected");
  receipt.results[1].comparison->ok = true;
  EXPECT_EQ(standings(receipt), "proven, proven, proven, proven, ");
}

TEST(Claims, BehindTheFirstThatFailedNothingIsShown) {
  Receipt receipt = reached(Phase::contract_checked);
  EXPECT_EQ(standings(receipt), "proven, not shown, not shown, not shown, ");
  receipt.failures = {ReceiptFailure{}};
  EXPECT_EQ(standings(receipt), "proven, failed, not shown, not shown, ");
  receipt.ranks[1].gates.clear();
  EXPECT_EQ(standings(receipt), "failed, not shown, not shown, not shown, ");
  EXPECT_EQ(claims_of(receipt).front().why,
            "1 of 2 chips started and computed the launch contract");
}

}  // namespace
}  // namespace understudy::configs
