// SPDX-License-Identifier: Apache-2.0
#include "cache/archive.h"

#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::cache {
namespace {

// The only work of that kind outside of loops and branches.
template <class Kind>
const Kind& only(const program::Executable& executable) {
  for (const program::Instruction& instruction : executable.code) {
    if (const auto* work = std::get_if<Kind>(&instruction.work)) return *work;
  }
  throw Error(ErrorKind::internal, "no such work");
}

TEST(Archive, SampleHoldsEveryKindOfWork) {
  const program::Executable executable = every_kind();
  ASSERT_EQ(executable.code.size(), std::variant_size_v<program::Work>);
  for (std::size_t i = 0; i < executable.code.size(); ++i) {
    EXPECT_EQ(executable.code[i].work.index(), i);
  }
}

TEST(Archive, RestoresEveryFieldOfEveryKindOfWork) {
  const std::string bytes = archive_executable(every_kind());
  const program::Executable back = restore_executable(bytes);
  EXPECT_EQ(archive_executable(back), bytes);

  EXPECT_EQ(back.arguments[1].element, program::ElementType::c128);
  EXPECT_EQ(back.numerics, program::Numerics::ieee);
  EXPECT_EQ(back.constants, every_kind().constants);
  EXPECT_EQ(back.op_names, every_kind().op_names);
  const auto& last = only<program::Collective>(back);
  EXPECT_EQ(last.groups, (std::vector<std::vector<std::int64_t>>{{0, 2}, {1, 3}}));
  EXPECT_EQ(last.body.code.at(0).op, 90U);
  EXPECT_FALSE(last.body.lanewise);
  EXPECT_EQ(last.ops, (std::vector<std::uint32_t>{4, 5}));
  EXPECT_EQ(last.lane, 2U);
  EXPECT_EQ(only<program::CollectiveDone>(back).lane, 2U);
  EXPECT_EQ(only<program::Expect>(back).most_ulps, 3);
  EXPECT_EQ(only<program::Assert>(back).message, "expected {0}");
  EXPECT_EQ(only<program::InfeedTurn>(back).fits, (std::vector<bool>{true, false}));
  const auto& loop = only<program::While>(back);
  const auto& branches = std::get<program::Case>(loop.body.at(0).work).branches;
  ASSERT_EQ(branches.size(), 2U);
  EXPECT_EQ(branches[0].at(0).op, 31U);
  EXPECT_TRUE(branches[1].empty());
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
      EXPECT_EQ(error.message().rfind("no archive of an executable: ", 0), 0U) << error.message();
    }
  }
}

}  // namespace
}  // namespace understudy::cache
