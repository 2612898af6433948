// SPDX-License-Identifier: Apache-2.0
// Programs that tests/judge/draw.py draws by a fixed seed agree with what JAX computes; programs
// that once differed still agree.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "gtest/gtest.h"

#include "tests/judge/in_process.h"
#include "tests/worker/worker_testing.h"

namespace understudy::judge {
namespace {

constexpr const char* kHere = UNDERSTUDY_SOURCE_DIR "/tests/judge";

// At most `refused` of the programs of a folder may be ones that understudy declines.
void expect_agreement(const std::string& folder, std::size_t at_least, std::size_t refused) {
  std::size_t declined = 0;
  const std::vector<std::string> folders = folders_in(folder);
  EXPECT_GE(folders.size(), at_least);
  for (const std::string& one : folders) {
    const Verdict verdict = run_in_process(one);
    EXPECT_NE(verdict.kind, Verdict::Kind::differs) << verdict.name << ": " << verdict.why;
    if (verdict.kind != Verdict::Kind::refused) continue;
    ++declined;
    fmt::print("refused: {}: {}\n", verdict.name, verdict.why);
  }
  EXPECT_LE(declined, refused);
}

void draw_and_judge(int count, const std::string& options, std::size_t refused) {
  const char* const python = std::getenv("UNDERSTUDY_TEST_PYTHON");
  if (python == nullptr) GTEST_SKIP() << "UNDERSTUDY_TEST_PYTHON names no Python with JAX";
  const worker::TestFolder folder;
  const std::string command = fmt::format("{} {}/draw.py --out {}/programs --count {} {}", python,
                                          kHere, folder.path(), count, options);
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  // JAX itself takes all but a few of what is drawn.
  expect_agreement(folder.file("programs"), static_cast<std::size_t>(count * 9 / 10), refused);
}

TEST(Judge, DrawnProgramsAgreeWithJax) { draw_and_judge(160, "--seed 2026", 4); }

TEST(Judge, DrawnProgramsOfSeveralChipsAgreeWithJax) {
  draw_and_judge(40, "--seed 2026 --sharded", 0);
}

TEST(Judge, FoundProgramsHold) { expect_agreement(std::string(kHere) + "/found", 1, 0); }

TEST(Judge, NoticesAWrongBit) {
  const std::vector<std::string> found = folders_in(std::string(kHere) + "/found");
  ASSERT_FALSE(found.empty());
  const worker::TestFolder folder;
  const std::string copy = folder.file("wrong");
  std::filesystem::copy(found[0], copy, std::filesystem::copy_options::recursive);
  ASSERT_EQ(run_in_process(copy).kind, Verdict::Kind::agrees);
  std::fstream file(copy + "/out0.npy", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end);
  const auto at = file.tellp();
  file.seekg(at);
  const int last = file.get();
  file.seekp(at);
  file.put(static_cast<char>(last ^ 1));
  file.close();
  const Verdict verdict = run_in_process(copy);
  EXPECT_EQ(verdict.kind, Verdict::Kind::differs);
  EXPECT_NE(verdict.why.find("result 0"), std::string::npos) << verdict.why;
}

}  // namespace
}  // namespace understudy::judge
