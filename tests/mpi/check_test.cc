// SPDX-License-Identifier: Apache-2.0
// `understudy check`: one pod for many files, verdicts with places, and programs that end their
// pod.
#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/mpi/mpi_testing.h"
#include "tests/outside_folder.h"

namespace understudy::mpi_testing {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const std::string kSource = UNDERSTUDY_SOURCE_DIR;
const std::string kGolden = kSource + "/tests/golden/check";

TEST(Check, OurOwnProgramsPass) {
  World world;
  const Ran ran = world.run({"check", kSource + "/tests/ops", kSource + "/tests/parallel"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, EndsWith(" passed, 0 failed, 0 unsupported\n"));
  EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1) << ran.out;
  EXPECT_EQ(world.leftovers(ran), "");
}

// At least 99 % of the 699 programs pass, and none fails.
TEST(Check, ConformanceProgramsPass) {
  const std::string absent = why_outside_is_absent("conformance/testdata");
  if (!absent.empty()) GTEST_SKIP() << absent;
  World world;
  const Ran ran = world.run({"check", (outside_folder() / "conformance/testdata").string()});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(" passed, 0 failed, "));
  const int passed = std::stoi(ran.out.substr(ran.out.rfind('\n', ran.out.size() - 2) + 1));
  EXPECT_GE(passed, 693);
}

TEST(Check, AFailureNamesItsPlaceAndBothValues) {
  World world;
  const Ran ran = world.run({"check", kSource + "/tests/golden/self_checking/wrong.mlir"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("wrong.mlir:10:3: error: check.expect_eq: tensor<2xi32> [1]: got "
                                 "3, expected 4"));
  EXPECT_THAT(ran.out, EndsWith("0 passed, 1 failed, 0 unsupported\n"));
}

TEST(Check, UnreadableFilesFailAndFilesWithoutChecksAreUnsupported) {
  World world;
  const Ran ran = world.run({"check", kGolden + "/broken.mlir", kGolden + "/nothing.mlir"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("broken.mlir:3:3: error: expected '>'"));
  EXPECT_THAT(ran.out,
              HasSubstr("nothing.mlir: error: no function without arguments contains a check"));
  EXPECT_THAT(ran.out, EndsWith("0 passed, 1 failed, 1 unsupported\n"));
}

TEST(Check, WithoutAPassedProgramItFails) {
  World world;
  EXPECT_EQ(world.run({"check", kGolden + "/nothing.mlir"}).code, 2);
}

// The loop never ends; a process waits for one that never comes; the third is in order.
TEST(Check, ProgramsThatEndTheirPodFailAndTheOthersGoOn) {
  World world;
  const Ran ran = world.run({"check", kGolden + "/endless.mlir", kGolden + "/lost.mlir",
                             kSource + "/tests/parallel/group_modes.mlir", "--timeout", "3"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("endless.mlir: @main did not end within 3 s"));
  EXPECT_THAT(ran.out, HasSubstr("lost.mlir: @main caused its pod to fail"));
  EXPECT_THAT(ran.out, HasSubstr("all_reduce i64[1] sum"));
  EXPECT_THAT(ran.out, EndsWith("1 passed, 2 failed, 0 unsupported\n"));
  EXPECT_EQ(world.leftovers(ran), "");
}

TEST(Check, JsonHasAReasonForEveryFile) {
  World world;
  const Ran ran = world.run(
      {"check", kGolden + "/nothing.mlir", kSource + "/tests/parallel/probes.mlir", "--json"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("\"schema\": \"understudy/check/1\""));
  EXPECT_THAT(ran.out, HasSubstr("\"passed\": 1,\n  \"failed\": 0,\n  \"unsupported\": 1,"));
  EXPECT_THAT(ran.out, HasSubstr("\"verdict\": \"passed\",\n      \"reason\": null,\n      "
                                 "\"programs\": 1,\n      \"checks\": 3"));
}

TEST(Check, ARunOfASelfCheckingProgramFailsAsTheCheckDoes) {
  World world;
  const Ran ran = world.run({"run", kSource + "/tests/golden/self_checking/wrong.mlir"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("got 3, expected 4"));
}

}  // namespace
}  // namespace understudy::mpi_testing
