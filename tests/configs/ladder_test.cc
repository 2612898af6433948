// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/ladder.h"

#include <filesystem>
#include <gmock/gmock.h>

#include "configs/base/file.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kShipped = std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/ladders/default.json";

Ladder read(const TemporaryFolder& folder, const std::string& rungs) {
  write_file_atomically(
      folder.file("l.json"),
      std::string_view(fmt::format(
          R"({{"schema": "understudy/ladder/1", "name": "l", "rungs": [{}]}})", rungs)));
  return read_ladder(folder.file("l.json"));
}

TEST(Ladder, OfTheInstallationGoesFromDenseToHybrid) {
  const Ladder ladder = read_ladder(kShipped);
  std::vector<std::string> names;
  for (const Rung& rung : ladder.rungs) names.push_back(rung.name);
  EXPECT_THAT(names, ElementsAre("dense", "communication", "attention", "recurrent", "expert",
                                 "adamw", "hybrid"));
  EXPECT_THAT(ladder.rungs[1].algorithms, ElementsAre("direct", "ring", "torus"));
}

// A program for each number of chips that a rung names, with all files of its manifest.
TEST(Ladder, OfTheInstallationIsComplete) {
  for (const Rung& rung : read_ladder(kShipped).rungs)
    for (const std::int64_t chips : rung.chips) {
      const fs::path folder = program_of(rung, chips);
      EXPECT_TRUE(fs::exists(folder / "program.mlir")) << folder;
      EXPECT_TRUE(fs::exists(folder / "manifest.json")) << folder;
    }
}

TEST(Ladder, KnowsAllThatARungMaySay) {
  const TemporaryFolder folder;
  const Ladder ladder = read(folder, R"({"name": "a", "adds": "b", "program": "p.mlir",
      "steps": 4, "carry": [[0, 1]], "args": "in", "expect": "out", "fill": "ones", "rtol": 0.1,
      "atol": 0, "numerics": "ieee", "algorithms": ["ring"], "metrics": "off",
      "faults": ["kill:rank=1"]})");
  const Rung& rung = ladder.rungs.at(0);
  EXPECT_EQ(rung.program, folder.file("p.mlir"));
  EXPECT_EQ(rung.args, folder.file("in"));
  EXPECT_EQ(rung.expect, folder.file("out"));
  EXPECT_EQ(rung.steps, 4);
  EXPECT_EQ(rung.rtol, 0.1);
  EXPECT_EQ(rung.metrics, "off");
  EXPECT_THAT(rung.faults, ElementsAre("kill:rank=1"));
  EXPECT_EQ(chips_of(rung, 12), 12);
  EXPECT_EQ(program_of(rung, 12), folder.file("p.mlir"));
}

TEST(Ladder, TakesTheProgramForAsManyChipsAsTheSliceHolds) {
  const TemporaryFolder folder;
  const Ladder ladder =
      read(folder, R"({"name": "a", "program": "p/{chips}/x", "chips": [16, 4]})");
  const Rung& rung = ladder.rungs.at(0);
  EXPECT_EQ(chips_of(rung, 16), 16);
  EXPECT_EQ(chips_of(rung, 8), 4);
  EXPECT_EQ(chips_of(rung, 2), std::nullopt);
  EXPECT_EQ(program_of(rung, 4), folder.file("p/4/x"));
}

TEST(Ladder, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& rungs) {
    return error_of([&] { read(folder, rungs); });
  };
  EXPECT_THAT(complaint(""), HasSubstr("/rungs: expected at least one rung"));
  EXPECT_THAT(complaint(R"({"name": "a"})"), HasSubstr("program"));
  EXPECT_THAT(complaint(R"({"name": "a", "program": "p", "stepps": 1})"), HasSubstr("\"steps\""));
  EXPECT_THAT(complaint(R"({"name": "a", "program": "{chips}"})"), HasSubstr("\"chips\""));
  EXPECT_THAT(complaint(R"({"name": "a", "program": "p", "chips": [4]})"),
              HasSubstr("does not contain {chips}"));
  EXPECT_THAT(complaint(R"({"name": "a", "program": "p"}, {"name": "a", "program": "q"})"),
              HasSubstr("/rungs/1/name: duplicate rung name"));
  EXPECT_THAT(complaint(R"({"name": "a", "program": "p", "faults": ["kil:rank=1"]})"),
              AllOf(HasSubstr("l.json:1:"), HasSubstr("/rungs/0/faults/0"),
                    HasSubstr("unknown fault \"kil\"")));
}

}  // namespace
}  // namespace understudy::configs
