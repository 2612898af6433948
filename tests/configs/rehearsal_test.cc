// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/rehearsal.h"

#include <gmock/gmock.h>

#include "configs/receipt/claims.h"
#include "tests/configs/schema_checker.h"

namespace understudy::configs {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

RungSeen rung(const std::string& name, const std::string& status, const std::string& layer = "") {
  RungSeen seen;
  seen.rung = name;
  seen.status = status;
  seen.checks = {{"runs", status == "passed", "3 steps"}};
  if (!layer.empty()) seen.layer_of_failure = layer;
  return seen;
}

LadderSeen ladder(std::vector<RungSeen> rungs) {
  LadderSeen seen{"l", std::move(rungs), std::nullopt, std::nullopt, {}};
  for (const RungSeen& one : seen.rungs) {
    if (one.status == "passed" && !seen.first_passing) seen.first_passing = one.rung;
    if (one.status == "failed") seen.next_failing = one.rung;
  }
  return seen;
}

std::string text(const Claims& claims) {
  return claims.installation + ", " + claims.runtime + ", " + claims.compile + ", " + claims.model;
}

TEST(Claims, AreProvenByAWholeLadder) {
  EXPECT_EQ(text(claims_of(ladder({rung("a", "passed"), rung("b", "passed")}), std::nullopt)),
            "proven, proven, proven, proven");
}

TEST(Claims, AFrontierLeavesTheModelOpenAndFailsWhatItsLayerSays) {
  const auto with = [](const std::string& layer) {
    return text(claims_of(ladder({rung("a", "passed"), rung("b", "failed", layer)}), std::nullopt));
  };
  EXPECT_EQ(with("program"), "proven, proven, proven, failed");
  EXPECT_EQ(with("graph/compile"), "proven, proven, failed, not shown");
  EXPECT_EQ(with("collective"), "proven, failed, proven, not shown");
  EXPECT_EQ(with("memory"), "proven, failed, proven, not shown");
}

TEST(Claims, NothingIsShownWhereNothingPassed) {
  EXPECT_EQ(
      text(claims_of(ladder({rung("a", "failed", "host/runtime"), rung("b", "not-run")}), {})),
      "failed, not shown, not shown, not shown");
}

TEST(Claims, ARestoreThatFailedTakesTheCompileBack) {
  RestoreSeen restore;
  restore.verdict = "host_usable_only";
  EXPECT_EQ(claims_of(ladder({rung("a", "passed")}), restore).compile, "not shown");
  restore.verdict = "vacuous";
  EXPECT_EQ(claims_of(ladder({rung("a", "passed")}), restore).compile, "proven");
}

TEST(Rehearsal, FitsItsSchema) {
  Rehearsal rehearsal;
  rehearsal.slice = "v6e-4";
  rehearsal.chips = rehearsal.hosts = 1;
  rehearsal.verdict = "failed";
  rehearsal.ladder =
      ladder({rung("a", "passed"), rung("b", "failed", "program"), rung("c", "not-run")});
  rehearsal.claims = claims_of(rehearsal.ladder, std::nullopt);
  rehearsal.restore =
      RestoreSeen{"proven", {}, {{"UncachedCompile", 1}}, {}, "a", "b", {{"slice", "v6e-4"}}, {}};
  const std::string json = to_json(rehearsal);
  EXPECT_THAT(schema_faults("rehearsal", json), IsEmpty());
  EXPECT_THAT(json, HasSubstr("\"first_passing_rung\": \"a\""));
  EXPECT_THAT(json, HasSubstr("\"next_failing_rung\": \"b\""));
  EXPECT_THAT(json, HasSubstr("\"not_run\": [\"c\"]"));
}

}  // namespace
}  // namespace understudy::configs
