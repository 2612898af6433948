// SPDX-License-Identifier: Apache-2.0
// Each contention scenario of docs/caches.md: the symptom shows under the unsafe discipline, and
// does not under the safe one. A re-enactment that cannot fail would prove nothing.
#include "launcher/cache/scenarios.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "configs/base/error.h"
#include "tests/cache/sample.h"

namespace understudy::launcher {
namespace {

// The rows of the documented table, in its order.
std::vector<std::string> documented_rows() {
  std::istringstream page(cache::read_text(UNDERSTUDY_SOURCE_DIR "/docs/caches.md"));
  std::vector<std::string> rows;
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line ==
        "| id | scenario | symptom where it is unsafe | outcome where it is safe | unsafe | safe |")
      in_table = true;
    else if (line.empty())
      in_table = false;
    if (in_table) rows.push_back(line);
  }
  if (rows.size() > 1) rows.erase(rows.begin(), rows.begin() + 2);  // head and rule
  return rows;
}

std::string beginning_of_row(const Scenario& one) {
  return fmt::format("| {} | {} | {} | {} | ", one.id, one.title, one.symptom, one.outcome);
}

class Scenarios : public testing::TestWithParam<const Scenario*> {};

TEST_P(Scenarios, ShowsWhereItIsUnsafeAndNotWhereItIsSafe) {
  const cache::TemporaryFolder folder;
  const configs::ScenarioResult result = play(*GetParam(), folder.path() + "/stage");
  EXPECT_TRUE(result.unsafe.as_expected) << scenario_text(result);
  EXPECT_TRUE(result.safe.as_expected) << scenario_text(result);
  const std::string row = beginning_of_row(*GetParam()) + result.unsafe.discipline + " | " +
                          result.safe.discipline + " |";
  EXPECT_THAT(documented_rows(), testing::Contains(row));
}

INSTANTIATE_TEST_SUITE_P(All, Scenarios, testing::ValuesIn(scenarios()),
                         [](const auto& scenario) { return std::string(scenario.param->id); });

TEST(ScenarioList, HasAllTwentyFiveInOrder) {
  const auto all = scenarios();
  ASSERT_EQ(all.size(), 25U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i]->id, "C" + std::to_string(i + 1));
}

// The last two columns are what each scenario plays: see above.
TEST(ScenarioList, IsTheTableOfTheDocumentation) {
  const auto rows = documented_rows();
  const auto all = scenarios();
  ASSERT_EQ(rows.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_THAT(rows[i], testing::StartsWith(beginning_of_row(*all[i])));
  }
}

TEST(ScenarioList, FindsByNameInAnyCase) {
  EXPECT_EQ(scenarios_named({"c4"}).front()->id, "C4");
  EXPECT_EQ(scenarios_named({"all"}).size(), 25U);
  EXPECT_THROW(scenarios_named({"C26"}), Error);
}

}  // namespace
}  // namespace understudy::launcher
