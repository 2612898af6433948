// SPDX-License-Identifier: Apache-2.0
// Restoring from a receipt alone, on a machine that has nothing else: profile, slice and pins are
// restored, and a changed flag is found.
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "configs/base/file.h"
#include "configs/receipt/rehearsal.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Another machine: a home that contains only a receipt.
class Elsewhere {
 public:
  explicit Elsewhere(const std::string& receipt) {
    world.write("receipt.json", receipt);
    fs::create_directory(world.file("home"));
    world.through({"/usr/bin/env", "-C", world.file("home"), "HOME=" + world.file("home")});
  }
  Ran from(std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"rehearse", "--from", world.file("receipt.json")});
    return world.run(words);
  }
  World world;
};

// The first rung of the shipped ladder, under its name.
std::string shortened(const World& world) {
  return world.write("ladder.json",
                     fmt::format(R"({{"schema": "understudy/ladder/1", "name": "default", "rungs": [
        {{"name": "dense", "program": "{}/configs/ladders/programs/dense/4", "metrics": "off"}}]}})",
                                 UNDERSTUDY_SOURCE_DIR));
}

std::string receipt_of(const World& world, const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  return configs::to_json(world.receipt(ran));
}

TEST(Restore, IsProvenFromTheReceiptAloneAndNotWithAnotherFlag) {
  std::string receipt;
  {
    World world;
    receipt = receipt_of(world, world.run({"rehearse", "--slice", "v6e-4", "--hosts", "2",
                                           "--ladder", shortened(world)}));
  }
  Elsewhere elsewhere(receipt);
  const Ran same = elsewhere.from();
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, AllOf(HasSubstr("2 compiled, 2 loaded"),  // nothing was in the cache
                              HasSubstr("restore proven"), Not(HasSubstr("not restored"))));
  const configs::Receipt restored = elsewhere.world.receipt(same);
  EXPECT_EQ(restored.host_count, 2);
  ASSERT_TRUE(restored.restore);
  for (const configs::PinSeen& pin : restored.restore->compared) EXPECT_TRUE(pin.same) << pin.name;

  const Ran other = elsewhere.from({"--set", "launch.log_level=2"});
  EXPECT_EQ(other.code, 1) << other.out;
  EXPECT_THAT(other.out, AllOf(HasSubstr("layer: contract (restored-another)"),
                               HasSubstr("not restored: launch.log_level is 2, was 1"),
                               HasSubstr("not restored: environment")));
  EXPECT_EQ(elsewhere.world.receipt(other).restore->verdict, "host_usable_only");
  const Ran reproducible = elsewhere.from({"--reproducible"});
  EXPECT_THAT(reproducible.out, HasSubstr("not restored: reproducible is true, was false"));
}

TEST(Restore, RestoresAMissingProfile) {
  std::string receipt;
  {
    World world;
    const std::string profile = world.write(
        "mine.json", R"({"schema": "understudy/profile/1", "name": "mine", "summary": "of a team",
                         "extends": "steady", "cache": {"policy": "shared", "lock": "directory"},
                         "launch": {"collectives": "ring", "variables": {"TEAM_SWITCH": "on"}}})");
    receipt =
        receipt_of(world, world.run({"rehearse", "--slice", "v6e-4", "--ladder", shortened(world),
                                     "--profile", profile, "--set", "launch.log_level=3"}));
  }
  Elsewhere elsewhere(receipt);
  const Ran ran = elsewhere.from();
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("restore proven"));
  const auto launch = elsewhere.world.receipt(ran).launch;
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->profile, "mine");
  EXPECT_EQ(launch->groups.launch.collectives, "ring");
  EXPECT_EQ(launch->groups.launch.log_level, 3);
  EXPECT_EQ(launch->groups.launch.variables.at("TEAM_SWITCH"), "on");
  const Ran other = elsewhere.from({"--profile", "steady"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, AllOf(HasSubstr("not restored: cache policy is per-host, was shared"),
                               HasSubstr("recheck: profile is steady, was mine")));
}

TEST(Restore, OfARunReportsWhatItCannotRestore) {
  World here;
  const Ran ran = here.run({"run", program("dense_data_parallel"), "--slice", "v6e-8"});
  const std::string receipt = receipt_of(here, ran);
  {
    Elsewhere elsewhere(receipt);
    const Ran again = elsewhere.from();
    EXPECT_EQ(again.code, 0) << again.out << again.err;
    EXPECT_THAT(again.out,
                AllOf(HasSubstr("cannot be restored: arguments, which receipts do not store"),
                      HasSubstr("restore proven")));
  }
  std::string gone = receipt;
  const std::string path = program("dense_data_parallel");
  gone.replace(gone.find(path), path.size(), "/nowhere");
  Elsewhere elsewhere(gone);
  const Ran lost = elsewhere.from();
  EXPECT_EQ(lost.code, 2) << lost.out;
  EXPECT_THAT(lost.err, AllOf(HasSubstr("the program of the receipt was not found: /nowhere"),
                              HasSubstr("--ladder FILE")));
}

}  // namespace
}  // namespace understudy::mpi_testing
