// SPDX-License-Identifier: Apache-2.0
#include "cache/archive.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

TEST(Archive, SampleHoldsEveryKindOfWork) {
  const program::Executable executable = every_kind();
  ASSERT_EQ(executable.code.size(), std::variant_size_v<program::Work>);
  for (std::size_t i = 0; i < executable.code.size(); ++i) {
    EXPECT_EQ(executable.code[i].work.index(), i);
  }
}

TEST(Archive, RestoresEveryFieldOfEveryKindOfWork) {
  const program::Executable before = every_kind();
  const program::Executable back = restore_executable(archive_executable(before));
  ASSERT_EQ(back.code.size(), before.code.size());
  for (std::size_t i = 0; i < before.code.size(); ++i) {
    EXPECT_TRUE(back.code[i] == before.code[i]) << "kind of work " << i;
  }
  EXPECT_TRUE(back == before);
}

// What the test above rests on: equality sees a field deep in nested code.
TEST(Archive, ExecutablesThatDifferInNestedCodeAreNotEqual) {
  program::Executable other = every_kind();
  const auto loop = std::find_if(other.code.begin(), other.code.end(), [](const auto& one) {
    return std::holds_alternative<program::While>(one.work);
  });
  ASSERT_NE(loop, other.code.end());
  auto& branches = std::get<program::Case>(std::get<program::While>(loop->work).body.at(0).work);
  branches.branches.at(0).at(0).outputs.at(1).type.element = program::ElementType::f16;
  EXPECT_FALSE(other == every_kind());
}

TEST(Archive, SameExecutableGivesSameBytes) {
  EXPECT_EQ(archive_executable(every_kind()), archive_executable(every_kind()));
}

TEST(Archive, RefusesShortAndStrangeBytesWithAnError) {
  const std::string bytes = archive_executable(every_kind());
  for (const std::string& bad :
       {std::string(), std::string("hello"), bytes.substr(0, bytes.size() / 2), bytes.substr(3)}) {
    try {
      restore_executable(bad);
      FAIL() << "accepted " << bad.size() << " bytes";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::internal);
      EXPECT_EQ(error.message().rfind("invalid executable archive: ", 0), 0U) << error.message();
    }
  }
}

// Deeply nested loops: a valid digest says nothing about the depth of the code.
program::Executable loops_in_loops(int count) {
  program::Executable executable;
  program::Code code;
  for (int i = 0; i < count; ++i) {
    program::While loop;
    loop.body = std::move(code);
    code.clear();
    code.push_back({std::move(loop), {}, {}, 0});
  }
  executable.code = std::move(code);
  return executable;
}

TEST(Archive, RefusesCodeThatNestsTooDeep) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "takes more than 20 GB under the thread sanitizer; it uses one thread";
#endif
  EXPECT_TRUE(restore_executable(archive_executable(loops_in_loops(1024))) == loops_in_loops(1024));
  try {
    restore_executable(archive_executable(loops_in_loops(1025)));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "invalid executable archive: nested too deeply");
  }
}

}  // namespace
}  // namespace understudy::cache
