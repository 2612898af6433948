// SPDX-License-Identifier: Apache-2.0
#include "configs/report/diff_report.h"

#include "configs/json/fields.h"

namespace understudy::configs {

template <class F, FieldsOf<DiffFact> T>
void fields(F& field, T& fact) {
  field("name", fact.name);
  field("a", fact.a);
  field("b", fact.b);
}

template <class F, FieldsOf<DiffPlace> T>
void fields(F& field, T& place) {
  field("op", place.op);
  field("types", place.types);
  field("path", place.path);
  field("line", place.line);
  field("column", place.column);
}

template <class F, FieldsOf<DiffOperation> T>
void fields(F& field, T& operation) {
  field("kind", operation.kind);
  field("what", operation.what);
  field("attributes_a", operation.attributes_a);
  field("attributes_b", operation.attributes_b);
  field("a", operation.a);
  field("b", operation.b);
}

template <class F, FieldsOf<DiffCollective> T>
void fields(F& field, T& collective) {
  field("kind", collective.kind);
  field("what", collective.what);
  field("number_a", collective.number_a);
  field("number_b", collective.number_b);
  field("a", collective.a);
  field("b", collective.b);
}

template <class F, FieldsOf<DiffModule> T>
void fields(F& field, T& module) {
  field("name", module.name);
  field("stage", module.stage);
  field("facts", module.facts);
  field("operations", module.operations);
  field("changed", module.changed);
  field("types_only", module.types_only);
  field("only_in_a", module.only_in_a);
  field("only_in_b", module.only_in_b);
  field("collectives", module.collectives);
  field("later_stages", module.later_stages);
}

template <class F, FieldsOf<DiffComparison> T>
void fields(F& field, T& comparison) {
  field("a", comparison.a);
  field("b", comparison.b);
  field("summary", comparison.summary);
  field("flags", comparison.flags);
  field("modules", comparison.modules);
  field("only_in_a", comparison.only_in_a);
  field("only_in_b", comparison.only_in_b);
  field("literals_left_out", comparison.literals_left_out);
}

template <class F, FieldsOf<DiffGroup> T>
void fields(F& field, T& group) {
  field("paths", group.paths);
}

template <class F, FieldsOf<DiffReport> T>
void fields(F& field, T& report) {
  field("groups", report.groups);
  field("majority", report.majority);
  field("comparisons", report.comparisons);
  field("exit_code", report.exit_code);
}

std::string to_json(const DiffReport& report) {
  return document_of(report, "understudy/diff/1", JsonWriter::Layout::readable);
}

}  // namespace understudy::configs
