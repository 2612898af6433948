// SPDX-License-Identifier: Apache-2.0
// Collectives are entered where they stand and end where their result is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "two_chips.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;

// What the code does, in short: "enter 1", "done 1", "whole", "work".
std::vector<std::string> course_of(const Code& code) {
  std::vector<std::string> course;
  for (const Instruction& instruction : code) {
    if (const auto* collective = std::get_if<Collective>(&instruction.work)) {
      course.push_back(collective->lane == 0 ? "whole"
                                             : "enter " + std::to_string(collective->lane));
    } else if (const auto* done = std::get_if<CollectiveDone>(&instruction.work)) {
      course.push_back("done " + std::to_string(done->lane));
    } else {
      course.emplace_back("work");
    }
  }
  return course;
}

constexpr const char* kLarge = "5000xf32";  // larger than what is combined
const std::string kType = "tensor<5000xf32>";
const std::string kTwo = "(%a: " + kType + ", %b: " + kType + ") -> (" + kType + ", " + kType + ")";
const std::string kReturn = "return %0, %1 : " + kType + ", " + kType + "\n";

std::string add(const std::string& name, const std::string& a, const std::string& b) {
  return name + " = stablehlo.add " + a + ", " + b + " : " + kType + "\n";
}

TEST(OverlapTest, WorkThatDoesNotNeedTheResultGoesOnMeanwhile) {
  const Executable executable =
      two_chips(kTwo, all_reduce("%r", "%a", kLarge) + add("%1", "%b", "%b") +
                          add("%0", "%r", "%b") + kReturn);
  EXPECT_THAT(course_of(executable.code), ElementsAre("enter 1", "work", "done 1", "work"));
}

TEST(OverlapTest, WithNothingToDoMeanwhileItIsWhole) {
  EXPECT_THAT(course_of(two_chips(kTwo, all_reduce("%r", "%a", kLarge) + add("%0", "%r", "%b") +
                                            add("%1", "%b", "%b") + kReturn)
                            .code),
              ElementsAre("whole", "work", "work"));
}

TEST(OverlapTest, ResultsOfTheProgramEndAtItsEnd) {
  EXPECT_THAT(course_of(two_chips(kTwo, all_reduce("%0", "%a", kLarge) +
                                            all_reduce("%1", "%b", kLarge) + kReturn)
                            .code),
              ElementsAre("enter 1", "whole", "done 1"));
}

TEST(OverlapTest, AnOperandIsNotOverwrittenBeforeTheEnd) {
  const Executable executable = two_chips(
      kTwo, add("%x", "%a", "%b") + all_reduce("%r", "%x", kLarge) + add("%y", "%b", "%b") +
                add("%z", "%y", "%a") + add("%0", "%z", "%r") + add("%1", "%x", "%z") + kReturn);
  const Instruction* entered = nullptr;
  for (const Instruction& instruction : executable.code) {
    if (std::holds_alternative<Collective>(instruction.work)) entered = &instruction;
    if (std::holds_alternative<CollectiveDone>(instruction.work)) break;
    if (entered == nullptr || entered == &instruction) continue;
    for (const Operand& output : instruction.outputs) {
      for (const Operand& held : {entered->inputs[0], entered->outputs[0]}) {
        const bool same = output.at.space == held.at.space && output.at.index == held.at.index;
        const auto bytes = static_cast<std::uint64_t>(held.type.bytes());
        EXPECT_FALSE(same && output.at.offset < held.at.offset + bytes &&
                     held.at.offset < output.at.offset + bytes);
      }
    }
  }
  ASSERT_NE(entered, nullptr);
}

TEST(OverlapTest, MoreThanThreeAtOnceAreWhole) {
  std::string body;
  for (int i = 0; i < 5; ++i)
    body += all_reduce("%r" + std::to_string(i), i % 2 == 0 ? "%a" : "%b", kLarge);
  body += add("%x", "%r0", "%r1") + add("%y", "%r2", "%r3") + add("%0", "%x", "%r4") +
          add("%1", "%y", "%r4") + kReturn;
  EXPECT_THAT(course_of(two_chips(kTwo, body).code),
              ElementsAre("enter 1", "enter 2", "enter 3", "whole", "whole", "done 1", "done 2",
                          "work", "done 3", "work", "work", "work"));
}

TEST(OverlapTest, NothingIsUnderWayAcrossALoopThatHoldsCollectives) {
  const Executable executable =
      two_chips(kTwo,
                "%z = stablehlo.constant dense<0> : tensor<i32>\n"
                "%n = stablehlo.constant dense<3> : tensor<i32>\n"
                "%one = stablehlo.constant dense<1> : tensor<i32>\n" +
                    all_reduce("%0", "%a", kLarge) + add("%m", "%b", "%b") +
                    "%w:2 = stablehlo.while(%i = %z, %u = %m) : tensor<i32>, " + kType +
                    "\ncond {\n  %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> "
                    "tensor<i1>\n  stablehlo.return %c : tensor<i1>\n} do {\n" +
                    all_reduce("%s", "%u", kLarge) +
                    "  %j = stablehlo.add %i, %one : tensor<i32>\n"
                    "  stablehlo.return %j, %s : tensor<i32>, " +
                    kType + "\n}\n%1 = stablehlo.add %w#1, %b : " + kType + "\n" + kReturn);
  const std::vector<std::string> course = course_of(executable.code);
  const auto done = std::ranges::find(course, "done 1");
  ASSERT_NE(done, course.end());
  EXPECT_EQ(std::ranges::count(course, "enter 1"), 1);
  const auto loop = std::ranges::find_if(executable.code, [](const Instruction& instruction) {
    return std::holds_alternative<While>(instruction.work);
  });
  ASSERT_NE(loop, executable.code.end());
  EXPECT_LT(done - course.begin(), loop - executable.code.begin());
  const std::vector<std::string> inside = course_of(std::get<While>(loop->work).body);
  EXPECT_EQ(std::ranges::count(inside, "enter 1"), std::ranges::count(inside, "done 1"));
}

}  // namespace
}  // namespace understudy::program
