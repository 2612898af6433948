// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/climb.h"

#include <gmock/gmock.h>
#include <map>

namespace understudy::launcher {
namespace {

using configs::RungSeen;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

configs::Ladder three() {
  configs::Ladder ladder;
  ladder.name = "three";
  for (const char* name : {"a", "b", "c"}) {
    configs::Rung rung;
    rung.name = name;
    rung.adds = "more";
    ladder.rungs.push_back(rung);
  }
  return ladder;
}

// Plays what a table says, the last word of a rung again and again.
class Play {
 public:
  std::map<std::string, std::vector<RungSeen>> table;
  std::vector<std::string> played;

  PlayRung function() {
    return [this](const configs::Rung& rung) {
      played.push_back(rung.name);
      std::vector<RungSeen>& words = table[rung.name];
      RungSeen seen = words.empty() ? passed() : words.front();
      if (words.size() > 1) words.erase(words.begin());
      seen.rung = rung.name;
      return seen;
    };
  }

  static RungSeen passed() {
    RungSeen seen;
    seen.status = "passed";
    return seen;
  }
  static RungSeen failed(const std::string& layer, const std::string& diagnosis) {
    RungSeen seen;
    seen.status = "failed";
    seen.layer_of_failure = layer;
    seen.diagnosis = diagnosis;
    seen.why = "because of " + diagnosis;
    return seen;
  }
};

TEST(Climb, PassesAllRungs) {
  Play play;
  const configs::LadderSeen seen = climb(three(), play.function(), 1, {});
  EXPECT_EQ(seen.first_passing, "a");
  EXPECT_FALSE(seen.next_failing);
  EXPECT_THAT(play.played, ElementsAre("a", "b", "c"));
  for (const RungSeen& rung : seen.rungs) EXPECT_EQ(rung.status, "passed");
}

TEST(Climb, StopsAtTheFirstFailureAndMarksTheFrontier) {
  Play play;
  play.table["b"] = {Play::failed("collective", "rank-died")};
  const configs::LadderSeen seen = climb(three(), play.function(), 1, {});
  EXPECT_EQ(seen.first_passing, "a");
  EXPECT_EQ(seen.next_failing, "b");
  EXPECT_THAT(play.played, ElementsAre("a", "b"));
  ASSERT_EQ(seen.rungs.size(), 3u);
  EXPECT_EQ(seen.rungs[2].status, "not-run");
  EXPECT_EQ(seen.rungs[2].rung, "c");
  EXPECT_EQ(seen.rungs[2].added_feature, "more");
}

TEST(Climb, HasNoFirstPassingRungWhereTheFirstFails) {
  Play play;
  play.table["a"] = {Play::failed("program", "results-differ")};
  const configs::LadderSeen seen = climb(three(), play.function(), 1, {});
  EXPECT_FALSE(seen.first_passing);
  EXPECT_EQ(seen.next_failing, "a");
}

TEST(Climb, StartsAgainWhatFailedAtTheStartAndSaysSo) {
  Play play;
  play.table["a"] = {Play::failed("host/runtime", "workers-did-not-start"), Play::passed()};
  const configs::LadderSeen seen = climb(three(), play.function(), 1, {});
  EXPECT_EQ(seen.rungs[0].status, "passed");
  EXPECT_THAT(seen.rungs[0].retries, ElementsAre("because of workers-did-not-start"));
  EXPECT_THAT(play.played, ElementsAre("a", "a", "b", "c"));
}

TEST(Climb, GivesUpAfterItsRetries) {
  Play play;
  play.table["a"] = {Play::failed("host/runtime", "machine-refused")};
  const configs::LadderSeen seen = climb(three(), play.function(), 2, {});
  EXPECT_EQ(seen.next_failing, "a");
  EXPECT_THAT(play.played, ElementsAre("a", "a", "a"));
  EXPECT_EQ(seen.rungs[0].retries.size(), 2u);
}

TEST(Climb, NeverStartsGraphsOrProgramsAgain) {
  for (const char* layer : {"graph/compile", "program", "collective", "memory", "cache"}) {
    Play play;
    play.table["a"] = {Play::failed(layer, "x"), Play::passed()};
    const configs::LadderSeen seen = climb(three(), play.function(), 5, {});
    EXPECT_THAT(play.played, ElementsAre("a")) << layer;
    EXPECT_THAT(seen.rungs[0].retries, IsEmpty());
  }
  EXPECT_FALSE(is_worth_a_retry(Play::failed("host/runtime", "broken-invariant")));
}

TEST(Climb, TellsWhoWatches) {
  Play play;
  play.table["b"] = {Play::failed("memory", "hbm-exhausted")};
  std::vector<std::string> heard;
  climb(three(), play.function(), 0,
        {[&](std::size_t rung) { heard.push_back("begin " + std::to_string(rung)); },
         [&](std::size_t rung, const RungSeen& seen) {
           heard.push_back(seen.status + " " + std::to_string(rung));
         }});
  EXPECT_THAT(heard, ElementsAre("begin 0", "passed 0", "begin 1", "failed 1"));
}

}  // namespace
}  // namespace understudy::launcher
