// SPDX-License-Identifier: Apache-2.0
// Each contention scenario of docs/caches.md: the symptom shows under the unsafe discipline, and
// does not under the safe one. A re-enactment that cannot fail would prove nothing.
#include "launcher/cache/scenarios.h"

#include <gtest/gtest.h>
#include <regex>

#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::launcher {
namespace {

class Scenarios : public testing::TestWithParam<const Scenario*> {};

TEST_P(Scenarios, ShowsWhereItIsUnsafeAndNotWhereItIsSafe) {
  const cache::TemporaryFolder folder;
  const configs::ScenarioResult result = play(*GetParam(), folder.path() + "/stage");
  EXPECT_TRUE(result.unsafe.as_expected) << scenario_text(result);
  EXPECT_TRUE(result.safe.as_expected) << scenario_text(result);
}

INSTANTIATE_TEST_SUITE_P(All, Scenarios, testing::ValuesIn(scenarios()),
                         [](const auto& scenario) { return std::string(scenario.param->id); });

TEST(ScenarioList, HasAllTwentyFiveInOrder) {
  const auto all = scenarios();
  ASSERT_EQ(all.size(), 25U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i]->id, "C" + std::to_string(i + 1));
}

TEST(ScenarioList, IsTheTableOfTheDocumentation) {
  const std::string page = cache::read_text(UNDERSTUDY_SOURCE_DIR "/docs/caches.md");
  for (const Scenario* one : scenarios()) {
    const std::string row = "| " + std::string(one->id) + " | " + std::string(one->title) + " | " +
                            std::string(one->symptom) + " | " + std::string(one->outcome) + " |";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

TEST(ScenarioList, FindsByNameInAnyCase) {
  EXPECT_EQ(scenarios_named({"c4"}).front()->id, "C4");
  EXPECT_EQ(scenarios_named({"all"}).size(), 25U);
  EXPECT_THROW(scenarios_named({"C26"}), Error);
}

}  // namespace
}  // namespace understudy::launcher
