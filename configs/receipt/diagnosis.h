// SPDX-License-Identifier: Apache-2.0
// What can be wrong with a launch or a run, by name: one table of the failures that are told
// apart, each with the layer that it belongs to and what to do about it. Who detects a failure
// names it with Error::diagnosed(); of others the launcher tells the name from the kind of the
// failure (launcher/diagnose/attribution.h). Values; pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace understudy::configs {

// Where somebody has to look.
enum class Layer : std::uint8_t {
  host_runtime,
  contract,
  cache,
  graph_compile,
  collective,
  memory,
  program,
  host_memory,
};
std::string_view name_of(Layer layer);  // "host/runtime", "contract", ...

struct Diagnosis {
  std::string_view name;  // "rank-died"
  std::string_view id;    // of the catalogue of bring-up failures (docs/faults.md), "F36", or ""
  Layer layer;
  std::string_view advice;  // one or two sentences
};

std::span<const Diagnosis> diagnoses();

// nullptr where there is none of this name.
const Diagnosis* find_diagnosis(std::string_view name);

}  // namespace understudy::configs
