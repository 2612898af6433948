// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/scenarios.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "launcher/cache/scenario_world.h"

namespace understudy::launcher {
namespace {

// "C10" sorts after "C9" by its number, not by its text.
int number_of(std::string_view id) {
  int number = 0;
  std::from_chars(id.data() + 1, id.data() + id.size(), number);
  return number;
}

configs::ScenarioSide play_side(configs::ScenarioSide (*side)(ScenarioWorld&),
                                const std::string& directory) {
  ScenarioWorld world(directory);
  return side(world);
}

std::string side_text(const char* name, const configs::ScenarioSide& side) {
  return fmt::format("  {:<7} {:<22} {}: {}\n", name, side.discipline,
                     side.as_expected ? "as expected" : "NOT AS EXPECTED", side.seen);
}

}  // namespace

// The tables are grouped by topic; users see them sorted by number.
std::vector<const Scenario*> scenarios() {
  std::vector<const Scenario*> all;
  for (const auto& group : {writer_scenarios(), lock_scenarios(), eviction_scenarios(),
                            mount_scenarios(), key_scenarios()})
    for (const Scenario& one : group) all.push_back(&one);
  std::ranges::sort(all, {}, [](const Scenario* one) { return number_of(one->id); });
  return all;
}

std::vector<const Scenario*> scenarios_named(const std::vector<std::string>& words) {
  const std::vector<const Scenario*> all = scenarios();
  std::vector<const Scenario*> chosen;
  for (std::string word : words) {
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
    if (word == "ALL") return all;
    const auto found = std::ranges::find(all, word, &Scenario::id);
    if (found == all.end())
      throw Error(ErrorKind::usage, fmt::format("unknown scenario {}", word))
          .note(fmt::format("known: {} to {}, all", all.front()->id, all.back()->id));
    chosen.push_back(*found);
  }
  return chosen;
}

configs::ScenarioResult play(const Scenario& scenario, const std::string& directory) {
  const Clock::time_point begin = Clock::now();
  configs::ScenarioResult result;
  result.id = scenario.id;
  result.title = scenario.title;
  result.symptom = scenario.symptom;
  result.outcome = scenario.outcome;
  // Separate folders: nothing that one side leaves behind can help or harm the other.
  result.unsafe = play_side(scenario.unsafe, directory + "/unsafe");
  result.safe = play_side(scenario.safe, directory + "/safe");
  result.wall_seconds = seconds_since(begin);
  return result;
}

std::string scenario_text(const configs::ScenarioResult& result) {
  return fmt::format("{} {}\n  expected when unsafe: {}; when safe: {}\n{}{}", result.id,
                     result.title, result.symptom, result.outcome,
                     side_text("unsafe", result.unsafe), side_text("safe", result.safe));
}

}  // namespace understudy::launcher
