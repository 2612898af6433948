// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/archive.h"
#include "program/read.h"
#include "tests/cache/sample.h"

namespace understudy::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kAdd = R"(func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
})";
constexpr const char* kRenamed = R"(func.func @main(%other: tensor<2xf32>) -> tensor<2xf32> {
  %sum = stablehlo.add %other, %other : tensor<2xf32> loc("x.py":1:2)
  return %sum : tensor<2xf32>
})";
constexpr const char* kMultiply = R"(func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
})";

struct Program {
  explicit Program(const std::string& text)
      : module(program::parse(std::make_shared<program::Source>("p.mlir", text))) {
    program::verify(*module);
    parts = {program::canonical_digest(*module), "tpu", 1, "v6e", "spec"};
  }
  cache::EntrySeen entry() const {
    cache::EntrySeen seen;
    seen.key = cache::key_of(parts);
    seen.parts = cache::named_parts(parts);
    seen.contents =
        cache::seal(seen.parts, cache::archive_executable(program::compile(*module, {})));
    return seen;
  }
  std::unique_ptr<program::Module> module;
  cache::KeyParts parts;
};

std::vector<std::string> parts_of(const configs::CacheExplanation& explanation) {
  std::vector<std::string> names;
  for (const auto& one : explanation.differences) names.push_back(one.part);
  return names;
}

TEST(Explain, LocationsAndNamesAreNoPartOfTheKey) {
  const Program here(kRenamed), there(kAdd);
  const auto seen = explain(*here.module, here.parts, there.entry());
  EXPECT_TRUE(seen.hit);
  EXPECT_THAT(seen.differences, IsEmpty());
  EXPECT_THAT(explanation_text(seen), HasSubstr("this entry would be used"));
}

TEST(Explain, AnotherOperationIsNamed) {
  const Program here(kMultiply), there(kAdd);
  const auto seen = explain(*here.module, here.parts, there.entry());
  EXPECT_FALSE(seen.hit);
  EXPECT_THAT(parts_of(seen), ElementsAre("program"));
  EXPECT_THAT(
      seen.details,
      ElementsAre("operation 0 is stablehlo.multiply in the program, stablehlo.add in the entry"));
  EXPECT_THAT(explanation_text(seen), HasSubstr("a miss: the keys differ in program"));
}

TEST(Explain, OptionsChipAndBuildAreToldApart) {
  const Program there(kAdd);
  Program here(kAdd);
  here.parts.numerics = "ieee";
  here.parts.chip = "v5e";
  cache::EntrySeen entry = there.entry();
  entry.parts.back().second = "other sources";
  EXPECT_THAT(parts_of(explain(*here.module, here.parts, entry)),
              ElementsAre("numerics", "chip", "sources"));
}

TEST(Explain, TheNearestEntryHasTheFewestOtherParts) {
  const Program add(kAdd), multiply(kMultiply);
  Program ieee(kAdd);
  ieee.parts.numerics = "ieee";
  Program far(kMultiply);
  far.parts.chip = "v5e";
  const std::vector<cache::EntrySeen> all = {far.entry(), ieee.entry()};
  EXPECT_EQ(nearest_entry(add.parts, all), &all[1]);
  EXPECT_EQ(nearest_entry(add.parts, {}), nullptr);
}

}  // namespace
}  // namespace understudy::launcher
