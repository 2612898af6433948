// SPDX-License-Identifier: Apache-2.0
// Files of self-checking programs, taken apart.
#include <gtest/gtest.h>

#include "program/self_checking.h"

namespace understudy::program {
namespace {

constexpr const char* kCheck =
    "    %c = stablehlo.constant dense<1> : tensor<i32>\n"
    "    check.expect_eq %c, %c : tensor<i32>\n";

std::vector<SelfCheckingProgram> programs(const std::string& text) {
  return self_checking_programs(Source("t.mlir", text));
}

TEST(SelfCheckingFiles, ModulesKeepTheirLines) {
  const auto parts = split_modules("a\nb\n// -----\nc\n// ----- tail\n\n// -----\nd");
  EXPECT_EQ(parts, (std::vector<std::string>{"a\nb\n", "\n\n\nc\n", "\n\n\n\n\n\n\nd"}));
  EXPECT_EQ(split_modules("x // -----\n").size(), 1U);
}

TEST(SelfCheckingFiles, RunsWhatNobodyCallsAndWhatTakesNothing) {
  const auto found = programs(
      std::string("func.func @a() {\n") + kCheck + "    return\n}\nfunc.func @helper() {\n" +
      kCheck + "    return\n}\nfunc.func @takes(%x: tensor<i32>) {\n" + kCheck +
      "    return\n}\nfunc.func @b() {\n    func.call @helper() : () -> ()\n" + kCheck +
      "    return\n}\nfunc.func @idle() {\n    return\n}\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].entry, "a");
  EXPECT_EQ(found[1].entry, "b");
}

TEST(SelfCheckingFiles, TheGridOfARunParallelSaysHowManyChips) {
  const auto found =
      programs(std::string("func.func @f() {\n    return\n}\nfunc.func @main() {\n") +
               "    \"interpreter.run_parallel\"() {programs = [[@f, @f, @f], [@f, "
               "@f, @f]]} : () -> ()\n" +
               kCheck + "    return\n}\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].replicas, 2);
  EXPECT_EQ(found[0].partitions, 3);
}

std::string refusal(const std::string& text) {
  try {
    (void)programs(text);
  } catch (const Error& error) {
    return std::string(name_of(error.kind())) + ": " + error.message();
  }
  return "";
}

TEST(SelfCheckingFiles, RefusesWhatCannotBeRun) {
  EXPECT_EQ(refusal("func.func @main() {\n  return\n}\n"),
            "unsupported: no function without arguments contains a check");
  EXPECT_EQ(
      refusal(std::string("func.func @f() {\n    return\n}\nfunc.func @main() {\n") +
              "    \"interpreter.run_parallel\"() {programs = [[@f, @f], [@f]]} : () -> ()\n" +
              kCheck + "    return\n}\n"),
      "input: interpreter.run_parallel: 'programs' must have equally many functions in every "
      "row");
}

}  // namespace
}  // namespace understudy::program
