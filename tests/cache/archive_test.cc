// SPDX-License-Identifier: Apache-2.0
#include "cache/archive.h"

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
  const std::string bytes = archive_executable(every_kind());
  const program::Executable back = restore_executable(bytes);
  EXPECT_EQ(archive_executable(back), bytes);

  EXPECT_EQ(back.arguments[1].element, program::ElementType::c128);
  EXPECT_EQ(back.numerics, program::Numerics::ieee);
  EXPECT_EQ(back.constants, every_kind().constants);
  EXPECT_EQ(back.op_names, every_kind().op_names);
  const auto& last = std::get<program::Collective>(back.code.at(30).work);
  EXPECT_EQ(last.groups, (std::vector<std::vector<std::int64_t>>{{0, 2}, {1, 3}}));
  EXPECT_EQ(last.body.code.at(0).op, 90U);
  EXPECT_FALSE(last.body.lanewise);
  EXPECT_EQ(std::get<program::Expect>(back.code.at(32).work).most_ulps, 3);
  EXPECT_EQ(std::get<program::InfeedTurn>(back.code.at(34).work).fits,
            (std::vector<bool>{true, false}));
  const auto& loop = std::get<program::While>(back.code.at(28).work);
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
