// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/preflight/preflight_diff.h"

#include "configs/json/fields.h"
#include "configs/json/schema.h"

namespace understudy::configs {

constexpr std::string_view kPreflightDiffSchema = "understudy/preflight-diff/1";

template <class F, FieldsOf<PreflightChange> T>
void fields(F& field, T& change) {
  field("what", change.what);
  field("then", change.then);
  field("now", change.now);
}

template <class F, FieldsOf<PreflightDiff> T>
void fields(F& field, T& diff) {
  field("changes", diff.changes);
}

std::string to_json(const PreflightDiff& diff) {
  return document_of(diff, kPreflightDiffSchema, JsonWriter::Layout::readable);
}

std::string preflight_diff_schema() {
  return schema_text<PreflightDiff>(kPreflightDiffSchema, "Differences between two pre-flights");
}

}  // namespace understudy::configs
