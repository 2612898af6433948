// SPDX-License-Identifier: Apache-2.0
// The page of a real receipt in a real browser, in light and dark. Skipped aloud without Chromium.
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/file.h"
#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

// A picture of the page; its bytes.
std::uintmax_t shot(const World& world, const std::string& page, int width,
                    const std::string& more = "") {
  const std::string picture = world.file("shot.png");
  std::filesystem::remove(picture);
  const std::string command = fmt::format(
      "HOME={} timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--hide-scrollbars --window-size={},1600 {} --screenshot={} file://{} >{} 2>&1",
      world.file("browser"), width, more, picture, page, world.file("browser.log"));
  if (std::system(command.c_str()) != 0 || !std::filesystem::exists(picture)) return 0;
  return std::filesystem::file_size(picture);
}

// Of a run, of one that failed at a gate, and of a rehearsal: wide, narrow, light and dark.
TEST(Page, IsDrawnByABrowser) {
  World world;
  const std::string ladder = world.file("ladder.json");
  const std::string text = R"({"schema": "understudy/ladder/1", "name": "short", "rungs": [
      {"name": "dense", "adds": "dense layers", "program": ")" +
                           program("dense_data_parallel") + R"(", "metrics": "off"}]})";
  write_file_atomically(ladder, std::string_view(text));
  struct Case {
    const char* name;
    std::vector<std::string> words;
    int code;
  };
  const Case cases[] = {
      {"run", {"run", program("dense_data_parallel")}, 0},
      {"failed",
       {"run", program("dense_data_parallel"), "--hosts", "2", "--fault", "missing-chip:rank=2"},
       3},
      {"rehearsal", {"rehearse", "--slice", "v6e-8", "--ladder", ladder}, 0}};
  const bool drawn = std::system("command -v chromium >/dev/null") == 0;
  for (const Case& one : cases) {
    std::vector<std::string> words = one.words;
    const std::string receipt = world.file(std::string(one.name) + ".json");
    words.insert(words.end(), {"--receipt", receipt});
    const Ran ran = world.run(words);
    ASSERT_EQ(ran.code, one.code) << ran.err;
    const Ran page = world.run({"receipt", "html", receipt});
    ASSERT_EQ(page.code, 0) << page.err;
    const std::string path = world.file(std::string(one.name) + ".html");
    EXPECT_EQ(page.out, path + "\n");
    ASSERT_TRUE(std::filesystem::exists(path));
    if (!drawn) continue;
    constexpr std::uintmax_t kDrawn = 20'000;  // an empty page of this size has some 6 kB
    EXPECT_GT(shot(world, path, 1280), kDrawn) << one.name;
    EXPECT_GT(shot(world, path, 400), kDrawn) << one.name;
    EXPECT_GT(shot(world, path, 1280, "--force-dark-mode --blink-settings=preferredColorScheme=0"),
              kDrawn)
        << one.name;
  }
  if (!drawn) GTEST_SKIP() << "no Chromium here";
}

}  // namespace
}  // namespace understudy::mpi_testing
