// SPDX-License-Identifier: Apache-2.0
// The memory that the compiler predicts, against the pages that real workers populate.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/mpi/mpi_testing.h"
#include "tests/outside_folder.h"

namespace understudy::mpi_testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// predicted <= observed < predicted + one page for each separately allocated region.
void expect_as_planned(const configs::Receipt& receipt) {
  ASSERT_FALSE(receipt.ranks.empty());
  for (const configs::RankSeen& chip : receipt.ranks) {
    ASSERT_TRUE(chip.memory) << "rank " << chip.rank;
    const configs::MemorySeen& seen = *chip.memory;
    ASSERT_TRUE(seen.page_bytes && seen.hbm_regions);
    EXPECT_LE(seen.hbm_predicted, seen.hbm_observed) << "rank " << chip.rank;
    EXPECT_LT(seen.hbm_observed, seen.hbm_predicted + *seen.hbm_regions * *seen.page_bytes)
        << "rank " << chip.rank;
  }
  EXPECT_EQ(receipt.hbm_peak_bytes.not_as_planned, std::nullopt);
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "manifest.json")) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The results may differ from the expected ones (programs for ieee numerics): here only memory
// counts.
void run_all(const std::vector<std::string>& folders) {
  ASSERT_FALSE(folders.empty());
  for (const std::string& folder : folders) {
    SCOPED_TRACE(folder);
    World world;
    const Ran ran = world.run({"run", folder});
    ASSERT_LE(ran.code, 1) << ran.err;
    expect_as_planned(world.receipt(ran));
  }
}

TEST(Memory, IsWhatTheCompilerPredicted) {
  run_all(folders_in(fs::path(program("adamw_step")).parent_path()));
}

TEST(Memory, IsWhatTheCompilerPredictedForSharedPrograms) {
  if (const std::string absent = why_outside_is_absent("programs"); !absent.empty())
    GTEST_SKIP() << absent;
  run_all(folders_in(outside_folder() / "programs"));
}

// Buffers of a step find the places of the step before.
TEST(Memory, DoesNotGrowWithTheSteps) {
  World world;
  const Ran ran = world.run({"run", program("adamw_step"), "--steps", "7"});
  ASSERT_LE(ran.code, 1) << ran.err;
  expect_as_planned(world.receipt(ran));
}

TEST(Memory, IsPredictedWithoutAPod) {
  World world;
  const Ran dry = world.run({"run", program("adamw_step"), "--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_THAT(dry.err, HasSubstr("HBM of each chip: "));
  const Ran ran = world.run({"run", program("adamw_step")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto predicted = world.receipt(ran).hbm_peak_bytes.predicted;
  ASSERT_TRUE(predicted);
  EXPECT_THAT(dry.out, HasSubstr(fmt::format("\"hbm_peak_bytes\": {}", *predicted)));
}

}  // namespace
}  // namespace understudy::mpi_testing
