// SPDX-License-Identifier: Apache-2.0
// Pins of a receipt, settings in the order of the catalogue, the words for people, the table of
// drills.
#include "launcher/rehearse/rehearsal.h"

#include <gmock/gmock.h>
#include <set>

#include "configs/base/error.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/rehearse/calibrate.h"
#include "launcher/rehearse/display.h"
#include "launcher/rehearse/drill.h"
#include "launcher/rehearse/pins.h"

namespace understudy::launcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

configs::Receipt receipt() {
  configs::Receipt one;
  one.tool_version = "understudy 0.1.0 (abc)";
  one.versions.revision = "abc";
  one.versions.mpi = {"Open MPI v4.1.4"};
  one.slice = "v6e-4";
  one.chip_count = 4;
  one.host_count = 1;
  one.program = {"step.mlir", "feed", "ieee", "ring", 1, 4};
  one.compile = configs::CompileSeen{};
  one.cache = configs::CacheUse{};
  one.cache->policy = "shared";
  one.compile->keys = {"k1"};
  one.steps.resize(3);
  return one;
}

std::vector<std::string> others(const Pins& then, const Pins& now, bool must) {
  std::vector<std::string> names;
  for (const configs::PinSeen& pin : compared(then, now))
    if (!pin.same && pin.must == must) names.push_back(pin.name);
  return names;
}

TEST(Pins, AreTheSameOfTheSameRun) {
  EXPECT_THAT(others(pins_of(receipt()), pins_of(receipt()), true), IsEmpty());
}

TEST(Pins, NameWhatIsAnother) {
  configs::Receipt other = receipt();
  other.program.numerics = "tpu";
  other.compile->keys = {"k2"};
  other.versions.mpi = {"Open MPI v5"};
  EXPECT_THAT(others(pins_of(receipt()), pins_of(other), true),
              ElementsAre("numerics", "cache key"));
  EXPECT_THAT(others(pins_of(receipt()), pins_of(other), false), ElementsAre("MPI"));
}

TEST(Pins, OfARehearsalAreThoseOfItsCanary) {
  configs::Receipt rehearsal = receipt();
  rehearsal.ladder = configs::LadderSeen{"default", {}, "dense", std::nullopt, {}};
  EXPECT_THAT(origin_of(rehearsal).cannot, ElementsAre(HasSubstr("canary")));
  rehearsal.restore = configs::RestoreSeen{};
  rehearsal.restore->pins = pins_of(receipt());
  rehearsal.restore->pins["program"] = "canary";
  const Origin origin = origin_of(rehearsal);
  EXPECT_EQ(origin.pins.at("program"), "canary");
  EXPECT_EQ(origin.program, "");
  EXPECT_THAT(origin.cannot, IsEmpty());
}

TEST(Pins, MakeTheOptionsAgainButForWhatIsGiven) {
  configs::Receipt then = receipt();
  then.launch = configs::ReceiptLaunch{};
  then.launch->profile = "mine";
  then.launch->groups.launch.log_level = 3;
  then.launch->groups.launch.variables["TEAM_SWITCH"] = "on";
  RunOptions asked;
  asked.profile.set_words = {"launch.collectives=ring"};
  const RunOptions same = restored_options(origin_of(then), asked, {});
  EXPECT_EQ(same.slice.request.slice, "v6e-4");
  EXPECT_EQ(same.slice.hosts, 1);
  EXPECT_EQ(same.steps, 3);
  // No profile "mine" is anywhere; what is set is laid over its values.
  const configs::ResolvedProfile resolved = resolve_profile(same.profile, Environment{});
  EXPECT_EQ(resolved.name, "mine");
  EXPECT_EQ(resolved.values.launch.log_level, 3);
  EXPECT_EQ(resolved.values.launch.variables.at("TEAM_SWITCH"), "on");
  EXPECT_EQ(resolved.values.launch.collectives, "ring");
  const RunOptions other = restored_options(origin_of(then), asked, {"profile", "hosts"});
  EXPECT_EQ(other.profile.profile, configs::kDefaultProfile);
  EXPECT_FALSE(other.profile.of_receipt);
  EXPECT_EQ(other.slice.hosts, 0);
}

TEST(Pins, CountTheHostsOfEachJoinedSlice) {
  configs::Receipt then = receipt();
  then.slice = "2xv6e-8";
  then.host_count = 4;
  const RunOptions again = restored_options(origin_of(then), {}, {});
  EXPECT_EQ(again.slice.request.slice, "2xv6e-8");
  EXPECT_EQ(again.slice.hosts, 2);
}

TEST(Pins, NameTheValuesOfTheProfileThatChanged) {
  configs::Profile now;
  now.launch.log_level = 2;
  now.launch.numerics = "ieee";  // has a pin of its own
  const std::vector<configs::PinSeen> changed = changed_values({}, now);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].name, "launch.log_level");
  EXPECT_EQ(changed[0].then, "1");
  EXPECT_EQ(changed[0].now, "2");
  EXPECT_TRUE(changed[0].must);
}

TEST(Pins, ThatNobodyNotedThenAreNoDifference) {
  Pins then = pins_of(receipt());
  then.erase("environment");
  EXPECT_THAT(others(then, pins_of(receipt()), true), IsEmpty());
}

// A run's receipt did not say it, so `rehearse --from` folded in another order than the run had.
TEST(Pins, KeepTheReproducibleReductionsOfARun) {
  configs::Receipt then = receipt();
  EXPECT_FALSE(restored_options(origin_of(then), {}, {}).reproducible);
  then.program.reproducible = true;
  EXPECT_TRUE(restored_options(origin_of(then), {}, {}).reproducible);
  configs::Receipt now = receipt();
  now.program.reproducible = false;
  EXPECT_THAT(others(pins_of(then), pins_of(now), true), ElementsAre("reproducible"));
  // An older receipt does not say it.
  EXPECT_THAT(others(pins_of(receipt()), pins_of(now), true), IsEmpty());
}

TEST(Settings, ArePutIntoTheOptions) {
  const RunOptions options = with_setting({}, "collectives=ring,numerics=ieee");
  EXPECT_EQ(options.collectives, "ring");
  EXPECT_EQ(options.numerics, "ieee");
  try {
    with_setting({}, "colectives=ring");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.message(), HasSubstr("did you mean \"collectives\""));
  }
}

RehearsalEnd ended(const std::string& layer, const std::string& diagnosis) {
  RehearsalEnd end;
  end.receipt.started_at = "2026-01-01T00:00:00Z";
  configs::RungSeen seen;
  seen.rung = "dense";
  seen.status = layer.empty() ? "passed" : "failed";
  seen.layer_of_failure = layer;
  seen.diagnosis = diagnosis;
  seen.why = "so it is";
  end.document.ladder.rungs = {seen};
  end.receipt.ladder = end.document.ladder;
  return end;
}

class Attempts : public testing::Test {
 protected:
  RehearsalEnd play(const std::map<std::string, RehearsalEnd>& ends) {
    std::vector<configs::Candidate> candidates;
    for (const char* name : {"a", "b", "c"})
      candidates.push_back({name, {"r", "v6e", "s", "p", {{"x", name}}}, 100});
    return try_in_order(catalogue_, ordered(catalogue_, candidates),
                        [&](const configs::Candidate& candidate) {
                          played_.push_back(candidate.name);
                          return ends.at(candidate.name);
                        });
  }
  configs::Catalogue catalogue_;
  std::vector<std::string> played_;
};

TEST_F(Attempts, FallBackFromWhatFailedAtTheStartAndAreNoted) {
  const RehearsalEnd end =
      play({{"a", ended("memory", "hbm-exhausted")}, {"b", ended("", "")}, {"c", ended("", "")}});
  EXPECT_THAT(played_, ElementsAre("a", "b"));
  ASSERT_EQ(end.document.ladder.attempts.size(), 2u);
  EXPECT_EQ(end.document.ladder.attempts[0].outcome, "runtime_oom");
  EXPECT_EQ(end.document.ladder.attempts[0].launch_class, "unseen");
  EXPECT_EQ(end.document.ladder.attempts[1].outcome, "ok");
  EXPECT_EQ(end.receipt.ladder->attempts.size(), 2u);
  // The next time what was good comes first, and what was bad last.
  played_.clear();
  play({{"a", ended("", "")}, {"b", ended("memory", "hbm-exhausted")}, {"c", ended("", "")}});
  EXPECT_THAT(played_, ElementsAre("b", "c"));
}

TEST_F(Attempts, NeverFallBackFromGraphsAndPrograms) {
  for (const char* layer : {"graph/compile", "program", "collective", "contract"}) {
    played_.clear();
    catalogue_ = {};
    play({{"a", ended(layer, "x")}, {"b", ended("", "")}, {"c", ended("", "")}});
    EXPECT_THAT(played_, ElementsAre("a")) << layer;
  }
}

TEST(RehearsalText, TellsTheFrontierAndTheClaims) {
  configs::Rehearsal rehearsal;
  rehearsal.slice = "v6e-4";
  rehearsal.verdict = "failed";
  configs::RungSeen seen;
  seen.rung = "attention";
  seen.status = "failed";
  seen.layer_of_failure = "collective";
  seen.code = "F36";
  seen.diagnosis = "rank-died";
  seen.host = 1;
  seen.why = "rank 3 (host 1) was killed";
  seen.advice = "Look at its host.";
  rehearsal.ladder.rungs = {seen};
  rehearsal.ladder.first_passing = "dense";
  rehearsal.claims = {"proven", "failed", "proven", "not shown"};
  EXPECT_EQ(rehearsal_text(rehearsal, false, {false, false, 0}, {}),
            "frontier: attention is the first rung that fails (first that passes: dense)\n"
            "  layer: collective (F36 rank-died), host 1\n"
            "  why: rank 3 (host 1) was killed\n"
            "  advice: Look at its host.\n"
            "claims: installation proven, runtime failed, compile proven, model not shown");
}

// A row names a diagnosis of the table, and is found by its name.
TEST(Drills, AreNamedOnceAndExpectADiagnosis) {
  std::set<std::string_view> names;
  for (const Drill& drill : drills()) {
    EXPECT_TRUE(names.insert(drill.name).second) << drill.name;
    EXPECT_NE(configs::find_diagnosis(name_of(drill.diagnosis)), nullptr) << drill.name;
    EXPECT_GT(drill.bound_seconds, 0) << drill.name;
    EXPECT_FALSE(drill.words.empty()) << drill.name;
  }
  EXPECT_GE(names.size(), 30u);
}

}  // namespace
}  // namespace understudy::launcher
