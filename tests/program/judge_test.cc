// SPDX-License-Identifier: Apache-2.0
// Our reader and verifier beside jaxlib's over the programs of the tests, in a Python that
// has JAX. judge/*.py take any other folder.
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

namespace understudy {
namespace {

const std::string kJudge = std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/program/judge/";
const std::string kPipe = std::string(UNDERSTUDY_BINARY_DIR) + "/bin/reader_pipe";

void run(const std::string& script, const std::string& words) {
  const char* python = std::getenv("UNDERSTUDY_TEST_PYTHON");
  if (python == nullptr) GTEST_SKIP() << "UNDERSTUDY_TEST_PYTHON names no Python with JAX";
  const std::string command =
      fmt::format("'{}' '{}{}' '{}' {}", python, kJudge, script, kPipe, words);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

// jaxlib refuses six programs of quantised types and one complex chlo.constant_like.
TEST(AgainstJaxlib, ReadsAndPrintsTheSameModules) {
  const std::string tests = std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/";
  run("compare_parsers.py",
      fmt::format("'{0}program/forms' '{0}programs' '{0}ops' --most-refused 7", tests));
}

TEST(AgainstJaxlib, GivesLiteralsTheSameBits) { run("literal_bits.py", ""); }

// All bases and all variants take minutes; by hand, over any programs, judge/compare_verifiers.py
// takes no --bases and no --every.
TEST(AgainstJaxlib, RefusesTheSameOperations) {
  const std::string tests = std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/";
  run("compare_verifiers.py",
      fmt::format("'{0}program/forms' '{0}programs' '{0}ops' --bases 2 --every 3", tests));
}

}  // namespace
}  // namespace understudy
