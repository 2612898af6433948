// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/catalogue.h"

#include <algorithm>
#include <array>

#include "configs/base/digest.h"
#include "configs/json/fields.h"

namespace understudy::configs {

constexpr std::string_view kCatalogueSchema = "understudy/catalogue/1";
constexpr const char* kOk = "ok";

template <class F, FieldsOf<LaunchSignature> T>
void fields(F& field, T& signature) {
  field("code_state", signature.code_state);
  field("hardware", signature.hardware);
  field("model_shape", signature.model_shape);
  field("parallelism", signature.parallelism);
  field("feature_toggles", signature.feature_toggles);
}

template <class F, FieldsOf<Spread> T>
void fields(F& field, T& spread) {
  field("min", spread.min);
  field("median", spread.median);
  field("max", spread.max);
}
template <>
inline constexpr bool kIsOneLine<Spread> = true;

template <class F, FieldsOf<LaunchEnd> T>
void fields(F& field, T& end) {
  field("when", end.when);
  field("outcome", end.outcome);
  field("why", end.why);
}
template <>
inline constexpr bool kIsOneLine<LaunchEnd> = true;

template <class F, FieldsOf<LaunchRecord> T>
void fields(F& field, T& record) {
  field("id", record.id);
  field("signature", record.signature);
  field("predicted_hbm", record.predicted_hbm);
  field("observed_hbm", record.observed_hbm);
  field("error_rel", record.error_rel);
  field("samples", record.samples);
  field("first_seen", record.first_seen);
  field("last_seen", record.last_seen);
  field("ends", record.ends);
}

template <class F, FieldsOf<Catalogue> T>
void fields(F& field, T& catalogue) {
  field("records", catalogue.records);
}

namespace {

const LaunchRecord* find(const Catalogue& catalogue, const LaunchSignature& signature) {
  const auto found = std::ranges::find(catalogue.records, signature, &LaunchRecord::signature);
  return found == catalogue.records.end() ? nullptr : &*found;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

// Of the compact document, so the id does not depend on how the file is indented.
std::string id_of(const LaunchSignature& signature) {
  return digest_of(std::string_view(
      document_of(signature, "understudy/launch-signature/1", JsonWriter::Layout::compact)));
}

Spread spread_of(std::vector<std::uint64_t> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  return {values.front(), values[values.size() / 2], values.back()};
}

std::string_view name_of(LaunchClass launch) {
  constexpr std::array<std::string_view, 3> kNames = {"known-good", "unseen", "known-bad"};
  return kNames[static_cast<std::size_t>(launch)];
}

// The newest end decides: a failure that was repaired since must not keep a setting at the end of
// the list.
LaunchClass class_of(const Catalogue& catalogue, const LaunchSignature& signature) {
  const LaunchRecord* const record = find(catalogue, signature);
  if (record == nullptr || record->ends.empty()) return LaunchClass::unseen;
  return record->ends.back().outcome == kOk ? LaunchClass::known_good : LaunchClass::known_bad;
}

// Prediction times (1 + median relative error) of earlier launches, of the same hardware and grid
// if there are any, else of the same hardware.
std::uint64_t corrected(const Catalogue& catalogue, const LaunchSignature& signature,
                        std::uint64_t predicted) {
  std::vector<double> near, alike;
  for (const LaunchRecord& record : catalogue.records) {
    if (!record.error_rel || record.signature.hardware != signature.hardware) continue;
    alike.push_back(*record.error_rel);
    if (record.signature.parallelism == signature.parallelism) near.push_back(*record.error_rel);
  }
  const std::vector<double>& errors = near.empty() ? alike : near;
  if (errors.empty()) return predicted;
  // The median ignores single outliers, such as a run that ended before its peak.
  const double scaled = static_cast<double>(predicted) * (1 + median(errors));
  return static_cast<std::uint64_t>(std::max(scaled, 0.0));
}

// Stable: equal candidates keep the caller's order of preference.
std::vector<Candidate> ordered(const Catalogue& catalogue, std::vector<Candidate> candidates) {
  std::ranges::stable_sort(candidates, [&](const Candidate& a, const Candidate& b) {
    const LaunchClass of_a = class_of(catalogue, a.signature);
    const LaunchClass of_b = class_of(catalogue, b.signature);
    if (of_a != of_b) return of_a < of_b;
    return of_a == LaunchClass::unseen && corrected(catalogue, a.signature, a.predicted_hbm) <
                                              corrected(catalogue, b.signature, b.predicted_hbm);
  });
  return candidates;
}

void add(Catalogue& catalogue, const LaunchSignature& signature,
         std::optional<std::uint64_t> predicted, const std::vector<std::uint64_t>& observed,
         const LaunchEnd& end) {
  auto found = std::ranges::find(catalogue.records, signature, &LaunchRecord::signature);
  if (found == catalogue.records.end()) {
    LaunchRecord fresh;
    fresh.id = id_of(signature);
    fresh.signature = signature;
    fresh.first_seen = end.when;
    found = catalogue.records.insert(found, std::move(fresh));
  }
  LaunchRecord& record = *found;
  ++record.samples;
  record.last_seen = end.when;
  if (predicted) record.predicted_hbm = predicted;
  if (!observed.empty()) record.observed_hbm = spread_of(observed);
  if (record.predicted_hbm.value_or(0) > 0 && record.observed_hbm) {
    const auto wanted = static_cast<double>(*record.predicted_hbm);
    record.error_rel = (static_cast<double>(record.observed_hbm->max) - wanted) / wanted;
  }
  // Failures are kept as evidence; of successes only the newest matters.
  std::erase_if(record.ends, [&](const LaunchEnd& old) { return old.outcome == kOk; });
  record.ends.push_back(end);
}

std::string to_json(const Catalogue& catalogue) {
  return document_of(catalogue, kCatalogueSchema, JsonWriter::Layout::readable);
}

Catalogue read_catalogue(const std::string& text, const std::string& path) {
  return read_document<Catalogue>(JsonReader::parse(text, path), kCatalogueSchema);
}

}  // namespace understudy::configs
