// SPDX-License-Identifier: Apache-2.0
// The rehearsal with real workers: a ladder that passes, a frontier, the restore proof, the shape
// guard.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "configs/json/reader.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using configs::JsonReader;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string shipped(const std::string& program) {
  return std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/ladders/programs/" + program;
}

std::vector<std::string> names_of(const JsonReader& rungs) {
  std::vector<std::string> names;
  for (const JsonReader& rung : rungs.items()) names.push_back(rung.at("name").text());
  return names;
}

// A ladder of rungs as JSON texts.
std::string ladder(const World& world, const std::string& rungs) {
  return world.write("ladder.json",
                     fmt::format(R"({{"schema": "understudy/ladder/1", "name": "mine",
                                     "rungs": [{}]}})",
                                 rungs));
}

std::string dense(const std::string& name, const std::string& more = "") {
  return fmt::format(R"({{"name": "{}", "program": "{}", "metrics": "static"{}}})", name,
                     shipped("dense/4"), more);
}

TEST(Rehearsal, PassesTheShippedLadderOnFourChips) {
  World world;
  const Ran ran = world.run({"rehearse", "--slice", "v5p-8", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const JsonReader said = JsonReader::parse(ran.out, "stdout");
  EXPECT_EQ(said.at("verdict").text(), "passed");
  EXPECT_THAT(names_of(said.at("rungs")),
              ElementsAre("dense", "communication", "attention", "recurrent", "expert", "adamw",
                          "hybrid", "restore"));
  EXPECT_EQ(said.at("first_passing_rung").text(), "dense");
  EXPECT_TRUE(said.at("next_failing_rung").is_null());
  EXPECT_EQ(said.at("restore").at("verdict").text(), "proven");
  // Each algorithm was really run: only direct sends nothing between chips of one machine.
  for (const JsonReader& check : said.at("rungs").items().at(1).at("checks").items())
    if (check.at("name").text() == "algorithms agree") {
      EXPECT_THAT(check.at("seen").text(), HasSubstr(" 0 messages; ring "));
      EXPECT_THAT(check.at("seen").text(), testing::Not(HasSubstr("ms, 0 messages; torus")));
    }
  for (const char* claim : {"installation", "runtime", "compile", "model"})
    EXPECT_EQ(said.at("claims").at(claim).text(), "proven");
  for (const JsonReader& rung : said.at("rungs").items()) {
    EXPECT_TRUE(rung.at("passed").boolean());
    EXPECT_EQ(rung.at("late_programs").integer(), 0);
    EXPECT_EQ(rung.at("fallbacks").integer(), 0);
  }
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.verdict, "passed");
  ASSERT_TRUE(receipt.ladder);
  EXPECT_EQ(receipt.ladder->rungs.size(), 8u);
  ASSERT_TRUE(receipt.metrics_declared);
  EXPECT_GT(receipt.metrics_declared->size(), 10u);
}

// Other chips and meshes: the whole ladder takes longer than a test may.
class Slices : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Slices, PassAShortenedLadder) {
  World world;
  const auto rung = [](const std::string& name, const std::string& more) {
    return fmt::format(R"({{"name": "{}", "program": "{}", "metrics": "off"{}}})", name,
                       shipped(name + "/8"), more);
  };
  std::vector<std::string> words = {
      "rehearse", "--json", "--ladder",
      ladder(world, rung("dense", "") + "," +
                        rung("communication", R"(, "algorithms": ["direct", "torus"])") + "," +
                        rung("hybrid", ""))};
  words.insert(words.end(), GetParam().begin(), GetParam().end());
  const Ran ran = world.run(words);
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const JsonReader said = JsonReader::parse(ran.out, "stdout");
  EXPECT_EQ(said.at("verdict").text(), "passed");
  EXPECT_EQ(said.at("chips").integer(), 8);
  EXPECT_THAT(names_of(said.at("rungs")),
              ElementsAre("dense", "communication", "hybrid", "restore"));
  EXPECT_EQ(said.at("restore").at("verdict").text(), "proven");
}

INSTANTIATE_TEST_SUITE_P(Eight, Slices,
                         testing::Values(std::vector<std::string>{"--slice", "v5e-8"},
                                         std::vector<std::string>{"--chip", "v5p", "--topology",
                                                                  "2x2x2"}));

TEST(Rehearsal, MarksTheFrontierAndStops) {
  World world;
  const std::string file = ladder(
      world, dense("good") + "," + dense("bad", R"(, "faults": ["kill:rank=2,at=all_reduce#3"])") +
                 "," + dense("never"));
  const Ran ran = world.run({"rehearse", "--slice", "v6e-4", "--hosts", "2", "--ladder", file});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("frontier: bad is the first rung that fails (first that passes: good)"));
  EXPECT_THAT(ran.out, HasSubstr("layer: collective (F36 rank-died), host 1"));
  EXPECT_THAT(ran.out, HasSubstr("rank 2 (host 1) was killed"));
  EXPECT_EQ(world.leftovers(ran), "");
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.verdict, "failed");
  EXPECT_EQ(receipt.exit_code, 1);
  ASSERT_TRUE(receipt.failure());
  EXPECT_EQ(receipt.failure()->layer, "collective");
  ASSERT_TRUE(receipt.ladder);
  EXPECT_EQ(receipt.ladder->first_passing, "good");
  EXPECT_EQ(receipt.ladder->next_failing, "bad");
  EXPECT_EQ(receipt.ladder->rungs.at(2).status, "not-run");
  EXPECT_EQ(receipt.ladder->rungs.at(3).status, "not-run");  // the restore proof
  ASSERT_TRUE(receipt.claims);
  EXPECT_EQ(receipt.claims->compile, "proven");
  EXPECT_EQ(receipt.claims->runtime, "failed");
  EXPECT_EQ(receipt.claims->model, "not shown");
}

TEST(Rehearsal, NamesTheLineOfAMissingProgram) {
  World world;
  const std::string rungs = dense("good") + ",\n" + R"({"name": "bad", "program": "nowhere"})";
  const Ran ran = world.run({"rehearse", "--slice", "v6e-4", "--ladder", ladder(world, rungs)});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err,
              HasSubstr("ladder.json:3:28: error: the program of rung \"bad\" was not found"));
  EXPECT_EQ(ran.out, "");  // before anything runs
}

TEST(Rehearsal, ReportsThatNothingCanBeRestoredWithoutACache) {
  World world;
  const Ran ran = world.run({"rehearse", "--slice", "v6e-4", "--cache-policy", "off", "--ladder",
                             ladder(world, dense("only"))});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("restore vacuous"));
}

TEST(Rehearsal, RunsOnTheFirstChipsOfASliceThatIsTooLargeForItsPrograms) {
  World world;
  const std::string rung =
      fmt::format(R"({{"name": "small", "program": "{}", "chips": [2, 4], "metrics": "off"}})",
                  shipped("dense/{chips}"));
  const Ran ran = world.run({"rehearse", "--slice", "v6e-8", "--ladder", ladder(world, rung)});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("small runs on the first 4 of 8 chips"));
}

TEST(ShapeGuard, RefusesAStepWithADifferentProgram) {
  World world;
  const Ran ran =
      world.run({"run", shipped("dense/4"), "--step-program", "2=" + shipped("dense_short/4")});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("step 2 runs a different program than the first step: argument 3 "
                                 "is f32[4x16], expected f32[8x16]: dimension 0 is 4, expected 8"));
  EXPECT_EQ(world.receipt(ran).failure()->diagnosis, "recompiles");
}

TEST(ShapeGuard, CountsRecompilesWhenLenient) {
  World world;
  const Ran ran = world.run({"run", shipped("dense/4"), "--shape-guard", "lenient",
                             "--step-program", "2=" + shipped("dense_short/4")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.ranks.at(0).late_programs, 1);
  EXPECT_EQ(receipt.ranks.at(0).late_compiles, 1);
  EXPECT_EQ(receipt.counters->at("UncachedCompile"), 2);
}

// The canary pair: whether AdamW's scalars are tensors or constants decides how often it compiles.
TEST(AdamwCanary, CompilesOnceWithTensorsAndEveryStepWithConstants) {
  World world;
  const Ran tensors = world.run({"run", shipped("adamw/4")});
  ASSERT_EQ(tensors.code, 0) << tensors.err;
  EXPECT_EQ(world.receipt(tensors).counters->at("UncachedCompile"), 1);
  EXPECT_EQ(world.receipt(tensors).steps.size(), 20u);
  const Ran baked = world.run({"run", shipped("adamw_baked/4"), "--shape-guard", "lenient"});
  ASSERT_EQ(baked.code, 0) << baked.err;
  EXPECT_EQ(world.receipt(baked).counters->at("UncachedCompile"), 20);
  const Ran refused = world.run({"run", shipped("adamw_baked/4")});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("stablehlo.constant attributes"));
}

}  // namespace
}  // namespace understudy::mpi_testing
