// SPDX-License-Identifier: Apache-2.0
// The page of a real receipt in a real browser, in light and dark. Skipped aloud without Chromium.
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

// A picture of the page; its bytes.
std::uintmax_t shot(const World& world, const std::string& page, const std::string& more) {
  const std::string picture = world.file("shot.png");
  std::filesystem::remove(picture);
  const std::string command = fmt::format(
      "HOME={} timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--hide-scrollbars --window-size=1100,1600 {} --screenshot={} file://{} >{} 2>&1",
      world.file("browser"), more, picture, page, world.file("browser.log"));
  if (std::system(command.c_str()) != 0 || !std::filesystem::exists(picture)) return 0;
  return std::filesystem::file_size(picture);
}

TEST(Page, IsDrawnByABrowser) {
  World world;
  const std::string receipt = world.file("r.json");
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--receipt", receipt});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Ran page = world.run({"receipt", "html", receipt});
  ASSERT_EQ(page.code, 0) << page.err;
  const std::string path = world.file("r.html");
  EXPECT_EQ(page.out, path + "\n");
  ASSERT_TRUE(std::filesystem::exists(path));
  if (std::system("command -v chromium >/dev/null") != 0) GTEST_SKIP() << "no Chromium here";
  constexpr std::uintmax_t kDrawn = 20'000;  // an empty page of this size has some 6 kB
  EXPECT_GT(shot(world, path, ""), kDrawn);
  EXPECT_GT(shot(world, path, "--force-dark-mode --blink-settings=preferredColorScheme=0"), kDrawn);
}

}  // namespace
}  // namespace understudy::mpi_testing
