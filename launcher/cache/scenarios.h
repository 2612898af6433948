// SPDX-License-Identifier: Apache-2.0
// The contention scenarios C1 to C25 (docs/caches.md): each is re-enacted under a discipline that
// suffers from it, where the symptom must show, and under one that does not. Each takes less than
// two seconds. Call from a process with one thread.
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
  std::string_view symptom;  // under the unsafe discipline
  std::string_view outcome;  // under the safe one
  configs::ScenarioSide (*unsafe)(ScenarioWorld& world);
  configs::ScenarioSide (*safe)(ScenarioWorld& world);
};

std::span<const Scenario> writer_scenarios();
std::span<const Scenario> lock_scenarios();
std::span<const Scenario> eviction_scenarios();
std::span<const Scenario> mount_scenarios();
std::span<const Scenario> key_scenarios();

// All, C1 first.
std::vector<const Scenario*> scenarios();
// "all", or ids in any case. *Throws* Error{usage} with the known ones.
std::vector<const Scenario*> scenarios_named(const std::vector<std::string>& words);

// `directory` is made; both sides have a folder of their own in it.
configs::ScenarioResult play(const Scenario& scenario, const std::string& directory);

std::string scenario_text(const configs::ScenarioResult& result);

}  // namespace understudy::launcher
