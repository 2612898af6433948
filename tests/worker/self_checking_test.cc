// SPDX-License-Identifier: Apache-2.0
#include "tests/worker/self_checking.h"

#include <cstdio>
#include <fmt/format.h>

#include "gtest/gtest.h"

#include "program/passes/pass_list.h"
#include "tests/outside_folder.h"

namespace understudy::worker {
namespace {

// Every program of a folder passes; at most `refused` of them cannot run, and those are listed.
void expect_all_pass(const std::string& folder, std::size_t refused) {
  const std::vector<std::string> paths = programs_in(folder);
  ASSERT_FALSE(paths.empty()) << folder;
  std::size_t unsupported = 0;
  for (const std::string& path : paths) {
    const Verdict verdict = run_self_checking(path);
    if (verdict.kind == Verdict::Kind::unsupported) {
      ++unsupported;
      fmt::print("unsupported: {}\n", verdict.why);
    }
    EXPECT_NE(verdict.kind, Verdict::Kind::failed) << path << "\n" << verdict.why;
  }
  EXPECT_LE(unsupported, refused) << "of " << paths.size();
}

TEST(SelfChecking, OurOwnProgramsPass) { expect_all_pass(UNDERSTUDY_SOURCE_DIR "/tests/ops", 0); }

// At least 99 % of the 699 programs run.
TEST(SelfChecking, ConformanceProgramsPass) {
  const std::string absent = why_outside_is_absent("conformance/testdata");
  if (!absent.empty()) GTEST_SKIP() << absent;
  expect_all_pass(outside_folder() / "conformance/testdata", 6);
}

// A sanitizer makes these programs more than ten times slower. The optimised build runs each
// program without each pass; here each program runs without one pass, and each pass is switched off
// in turn.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kOnePassPerProgram = true;
#else
constexpr bool kOnePassPerProgram = false;
#endif

// A pass changes speed and memory only.
TEST(SelfChecking, OurOwnProgramsPassWithEachPassSwitchedOff) {
  const auto& passes = program::passes::pass_list();
  const std::vector<std::string> paths = programs_in(UNDERSTUDY_SOURCE_DIR "/tests/ops");
  ASSERT_GE(paths.size(), passes.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::vector<std::string> disabled;
    for (std::size_t p = 0; p < passes.size(); ++p)
      if (!kOnePassPerProgram || p == i % passes.size()) disabled.emplace_back(passes[p].name);
    const std::vector<Verdict> verdicts = run_without_each(paths[i], disabled);
    for (std::size_t p = 0; p < disabled.size(); ++p)
      EXPECT_EQ(verdicts[p].kind, Verdict::Kind::passed)
          << paths[i] << " without " << disabled[p] << "\n"
          << verdicts[p].why;
  }
}

TEST(SelfChecking, AWrongExpectationFails) {
  const Verdict verdict =
      run_self_checking(UNDERSTUDY_SOURCE_DIR "/tests/golden/self_checking/wrong.mlir");
  EXPECT_EQ(verdict.kind, Verdict::Kind::failed);
  EXPECT_NE(verdict.why.find("got 3, expected 4"), std::string::npos) << verdict.why;
}

TEST(SelfChecking, AFalseAssertionOfTheRunSaysItsMessage) {
  const Verdict verdict =
      run_self_checking(UNDERSTUDY_SOURCE_DIR "/tests/golden/self_checking/assertion.mlir");
  EXPECT_EQ(verdict.kind, Verdict::Kind::failed);
  EXPECT_NE(verdict.why.find("wanted 4, got 3"), std::string::npos) << verdict.why;
}

TEST(SelfChecking, ASliceThatLeavesItsOperandFails) {
  const Verdict verdict =
      run_self_checking(UNDERSTUDY_SOURCE_DIR "/tests/golden/self_checking/slice.mlir");
  EXPECT_EQ(verdict.kind, Verdict::Kind::failed);
  EXPECT_NE(verdict.why.find("dimension 0: the slice is out of bounds"), std::string::npos)
      << verdict.why;
}

}  // namespace
}  // namespace understudy::worker
