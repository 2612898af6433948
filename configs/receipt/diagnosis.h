// SPDX-License-Identifier: Apache-2.0
// The names of everything that can be wrong with a launch or a run. One table of the failures that
// understudy distinguishes, each with its layer and with advice. The code that detects a failure
// names it with Error::diagnosed(); for other failures the launcher derives the name from the kind
// (launcher/diagnose/attribution.h). Values; pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace understudy::configs {

// The part of the system to look at.
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
  std::string_view id;    // of the catalogue of bring-up failures, "F36", or ""
  Layer layer;
  std::string_view advice;  // what to do, in a few sentences; ends with a full stop
};

// Grouped by layer.
std::span<const Diagnosis> diagnoses();

// nullptr if there is no such name.
const Diagnosis* find_diagnosis(std::string_view name);

}  // namespace understudy::configs
