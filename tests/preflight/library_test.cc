// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/library.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "tests/preflight/preflight_testing.h"

namespace understudy::launcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

bool never(const std::string& /*path*/) { return false; }

// An environment in which only this test's folders have anything.
Environment empty_environment(const World& world) {
  Environment environment;
  environment.self = world.folder() + "/tree/release/bin";
  environment.variables = {"HOME=" + world.folder(), "XDG_DATA_HOME=" + world.folder() + "/data"};
  return environment;
}

std::string make_wheel(const World& world, const std::string& root) {
  const std::string packages = world.folder() + root + "/lib/python3.11/site-packages";
  std::filesystem::create_directories(packages + "/libtpu");
  std::filesystem::create_directories(packages + "/libtpu-0.0.42.1.dist-info");
  std::filesystem::copy_file(kFake, packages + "/libtpu/libtpu.so");
  return packages + "/libtpu/libtpu.so";
}

TEST(FindLibrary, TakesTheFileThatWasAskedForOrSaysThatThereIsNone) {
  const World world;
  const LibrarySearch search = find_library(kFake, empty_environment(world), never);
  ASSERT_TRUE(search.found);
  EXPECT_EQ(search.found->found_by, "--libtpu");
  EXPECT_EQ(search.found->identity, build_id_of(kFake));
  EXPECT_THROW(find_library("/nowhere/libtpu.so", empty_environment(world), never), Error);
}

TEST(FindLibrary, FindsTheWheelOfTheInstallScriptWithItsVersion) {
  const World world;
  const std::string path = make_wheel(world, "/data/understudy/tpu-compiler");
  const LibrarySearch search = find_library("", empty_environment(world), never);
  ASSERT_TRUE(search.found);
  EXPECT_EQ(search.found->path, path);
  EXPECT_EQ(search.found->version, "0.0.42.1");
  EXPECT_THAT(search.found->found_by, HasSubstr("wheel in "));
}

TEST(FindLibrary, PrefersTheVariableAndSkipsThePluginOfUnderstudy) {
  const World world;
  make_wheel(world, "/data/understudy/tpu-compiler");
  Environment environment = empty_environment(world);
  environment.variables.push_back("TPU_LIBRARY_PATH=" + kFake);
  EXPECT_EQ(find_library("", environment, never).found->found_by, "TPU_LIBRARY_PATH");
  const LibrarySearch other =
      find_library("", environment, [](const std::string&) { return true; });
  ASSERT_TRUE(other.found);
  EXPECT_EQ(other.found->version, "0.0.42.1");
  EXPECT_THAT(other.skipped, ElementsAre(HasSubstr("is the plugin of understudy")));
}

TEST(FindLibrary, SaysAVariableThatNamesNoFile) {
  const World world;
  Environment environment = empty_environment(world);
  environment.variables.push_back("TPU_LIBRARY_PATH=/nowhere/libtpu.so");
  EXPECT_THAT(find_library("", environment, never).skipped,
              ElementsAre(HasSubstr("there is no file /nowhere/libtpu.so")));
}

TEST(BuildId, IsReadFromTheFileAndEmptyForAnotherFile) {
  const World world;
  EXPECT_EQ(build_id_of(kFake).size(), 40U);  // SHA-1, as ld makes it
  EXPECT_EQ(build_id_of(world.write("text", "no library")), "");
  EXPECT_EQ(build_id_of(world.write("cut", std::string("\x7f"
                                                       "ELF\x02",
                                                       5))),
            "");
}

}  // namespace
}  // namespace understudy::launcher
