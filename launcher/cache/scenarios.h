// SPDX-License-Identifier: Apache-2.0
// The contention scenarios C1 to C25 (docs/caches.md). Each runs twice: under a discipline that is
// vulnerable, where the symptom must appear, and under one that is safe. Each takes less than two
// seconds. Call from a single-threaded process.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "configs/receipt/cache_stress.h"

namespace understudy::launcher {

class ScenarioWorld;

struct Scenario {
  std::string_view id;  // "C4"
  std::string_view title;
  std::string_view symptom;  // expected under the unsafe discipline
  std::string_view outcome;  // expected under the safe discipline
  configs::ScenarioSide (*unsafe)(ScenarioWorld& world);
  configs::ScenarioSide (*safe)(ScenarioWorld& world);
};

std::span<const Scenario> writer_scenarios();
std::span<const Scenario> lock_scenarios();
std::span<const Scenario> eviction_scenarios();
std::span<const Scenario> mount_scenarios();
std::span<const Scenario> key_scenarios();

// All scenarios, sorted by number.
std::vector<const Scenario*> scenarios();
// `words`: "all", or ids in any letter case. *Throws* Error{usage} that lists the known ids.
std::vector<const Scenario*> scenarios_named(const std::vector<std::string>& words);

// Creates `directory`; each side uses its own subfolder.
configs::ScenarioResult play(const Scenario& scenario, const std::string& directory);

std::string scenario_text(const configs::ScenarioResult& result);

}  // namespace understudy::launcher
