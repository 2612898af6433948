// SPDX-License-Identifier: Apache-2.0
// The words of a stress run and its picture; the runs themselves are in tests/mpi.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/stress_faults.h"
#include "configs/base/error.h"
#include "launcher/cache/plot.h"
#include "launcher/cache/stress.h"
#include "tests/cache/sample.h"

namespace understudy::launcher {
namespace {

using testing::HasSubstr;

TEST(StressWords, UnknownOnesAreRefusedWithASuggestion) {
  EXPECT_THROW(parse_discipline("shared:nothing"), Error);
  cache::StressFaults faults;
  EXPECT_THROW(add_fault(faults, "kil"), Error);
  EXPECT_THROW(add_fault(faults, "kill=often"), Error);
  EXPECT_THROW(add_fault(faults, "permission=3"), Error) << "it takes no value";
  add_fault(faults, "kill=7");
  EXPECT_EQ(faults.kills_per_second, 7);
}

TEST(StressWords, TheDiskThatIsFullHasHalfOfWhatIsNeeded) {
  cache::StressFaults faults;
  add_fault(faults, "fill");
  EXPECT_EQ(faults.capacity_for(1000), 500U);
  add_fault(faults, "fill=100");
  EXPECT_EQ(faults.capacity_for(1000), 100U);
}

TEST(StressWords, SharedWithoutALockIsGivenTheOneThatExcludesThere) {
  const cache::TemporaryFolder folder;
  configs::StressDiscipline one = parse_discipline("shared");
  EXPECT_EQ(one.lock, "");
  complete(one, folder.path());
  EXPECT_EQ(one.lock, "exclusive-file");
  EXPECT_EQ(parse_discipline("shared:directory").lock, "directory");
}

TEST(StressPlot, HasABarForEachPolicy) {
  configs::CacheStress stress;
  stress.compile_seconds = 0.2;
  configs::PolicyStress one;
  one.policy = "shared";
  one.lock = "directory";
  one.startup_seconds = {1, 2, 2};
  one.lock_wait_fraction = 0.5;
  stress.policies = {one};
  const std::string svg = stress_svg(stress);
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0U);
  EXPECT_THAT(svg, HasSubstr("shared:directory"));
  EXPECT_THAT(svg, HasSubstr("width=\"280.0\" height=\"22.0\" fill=\"#c0392b\""));
}

}  // namespace
}  // namespace understudy::launcher
