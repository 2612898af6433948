// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/run_space.h"

#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>

#include "configs/base/units.h"
#include "launcher/pod/run_folder.h"

namespace understudy::launcher {
namespace {

constexpr const char* kTemporary = "/tmp";

configs::RunPlan plan() {
  configs::RunPlan plan;
  plan.chips = 8;
  plan.arguments.push_back({"f32", {1024}, {"arguments/0.0", "arguments/0.1"}, {0, 1}});
  plan.results.push_back({"f64", {10}, {"results/0.0"}, {0, 0}});
  return plan;
}

TEST(RunSpace, AddsWhatWorkersAndResultsTake) {
  const RunFolder folder(kTemporary);
  const std::vector<SpaceNeed> needs = space_needs(plan(), folder, "/tmp");
  ASSERT_EQ(needs.size(), 5u);
  EXPECT_GT(needs[0].bytes, 8 * kMiB);
  EXPECT_EQ(needs[2].purpose, "arguments");
  EXPECT_EQ(needs[2].bytes, 2 * (4096u + 4096u));
  EXPECT_EQ(needs[3].bytes, 80u + 4096u);
  EXPECT_EQ(needs[4].folder, "/tmp");
  EXPECT_NO_THROW(require_space(needs, kGiB));
  EXPECT_NO_THROW(prove_space(plan(), folder));
}

TEST(RunSpace, RefusesWithTheFileSystemAndTheSum) {
  constexpr std::uint64_t kPetabyte = 1'000'000'000'000'000;
  try {
    require_space({{"/tmp", "arguments", kPetabyte}, {"/tmp", "results", 1}}, kGiB);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_EQ(error.diagnosis(), "disk-full");
    const std::string text = error.text();
    for (const char* part :
         {"not enough space for the run in /tmp: file system ", " bytes free of ",
          "1000000000000001 bytes needed", "note: 1000000000000000 bytes for arguments in /tmp"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(RunSpace, AFileSystemThatDoesNotCountBytesIsNotFull) {
  EXPECT_NO_THROW(require_space({{"/proc/nowhere", "results", 1}}, 0));
}

TEST(RunSpace, RefusesALimitOfFileSizesBelowTheMemoryOfAChip) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit lower{10 * kMiB, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &lower), 0);
  std::string text;
  try {
    require_space({}, kGiB);
  } catch (const Error& error) {
    text = error.text();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(text,
            "error: the file size limit is 10485760 bytes, but the memory of a chip needs "
            "3222274048\nnote: raise it: ulimit -f unlimited");
}

TEST(SpaceWatch, TakesTheWordsOfAWorkerThatCouldNotBegin) {
  const RunFolder folder(kTemporary);
  SpaceWatch watch(folder);
  EXPECT_FALSE(watch.ran_out());
  EXPECT_FALSE(watch.error("mpirun noticed that a process exited\n"));
  const auto error = watch.error(
      "chip 3: error: error: cannot write /tmp/u/records/3: No space left on device (file system "
      "tmpfs at /tmp: 0 bytes free of 409600, 49152 bytes needed)\nmpirun noticed something\n");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::system);
  EXPECT_EQ(error->message(),
            "cannot write /tmp/u/records/3: No space left on device (file system tmpfs at /tmp: 0 "
            "bytes free of 409600, 49152 bytes needed)");
}

}  // namespace
}  // namespace understudy::launcher
