// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/cache_stress.h"

#include <algorithm>

#include "configs/json/schema.h"
#include "configs/receipt/cache_stress_fields.h"
#include "configs/report/schemas.h"

namespace understudy::configs {
namespace {

constexpr std::string_view kCacheStressSchema = "understudy/cache-stress/1";
constexpr std::string_view kScenarios = "understudy/cache-scenarios/1";

struct ScenarioList {
  std::vector<ScenarioResult> scenarios;
};

// Nearest rank, without interpolation: every quantile is a value that was measured.
double at_share(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(share * last + 0.5)];
}

}  // namespace

Quantiles quantiles_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {at_share(values, 0.5), at_share(values, 0.99), values.back()};
}

template <class F, FieldsOf<CacheStress> T>
void fields(F& field, T& stress) {
  field("policies", stress.policies);
  field("faults", stress.faults);
  field("compile_seconds", stress.compile_seconds);
  field("file_system_delay_seconds", stress.file_system_delay_seconds);
  field("entry_bytes", stress.entry_bytes);
  field("wall_seconds", stress.wall_seconds);
  field("plot", stress.plot);
  field("receipt", stress.receipt);
}

template <class F, FieldsOf<ScenarioSide> T>
void fields(F& field, T& side) {
  field("discipline", side.discipline);
  field("as_expected", side.as_expected);
  field("seen", side.seen);
}

template <class F, FieldsOf<ScenarioResult> T>
void fields(F& field, T& result) {
  field("id", result.id);
  field("title", result.title);
  field("symptom", result.symptom);
  field("outcome", result.outcome);
  field("unsafe", result.unsafe);
  field("safe", result.safe);
  field("wall_seconds", result.wall_seconds);
}

template <class F, FieldsOf<ScenarioList> T>
void fields(F& field, T& list) {
  field("scenarios", list.scenarios);
}

std::string to_json(const CacheStress& stress) {
  return document_of(stress, kCacheStressSchema, JsonWriter::Layout::readable);
}

CacheStress read_cache_stress(const std::string& text, const std::string& path) {
  return read_document<CacheStress>(JsonReader::parse(text, path), kCacheStressSchema);
}

std::string to_json(const std::vector<ScenarioResult>& scenarios) {
  return document_of(ScenarioList{scenarios}, kScenarios, JsonWriter::Layout::readable);
}

std::vector<NamedSchema> stress_schemas() {
  return {{"cache-stress",
           schema_text<CacheStress>(kCacheStressSchema, "What a cache stress test measured")},
          {"cache-scenarios", schema_text<ScenarioList>(kScenarios, "Reproduced contention")}};
}

}  // namespace understudy::configs
