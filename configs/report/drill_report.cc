// SPDX-License-Identifier: Apache-2.0
#include "configs/report/drill_report.h"

#include "configs/json/fields.h"

namespace understudy::configs {

template <class F, FieldsOf<DrillFault> T>
void fields(F& field, T& fault) {
  field("name", fault.name);
  field("id", fault.id);
  field("about", fault.about);
  field("detected", fault.detected);
  field("layer", fault.layer);
  field("expected_layer", fault.expected_layer);
  field("diagnosis", fault.diagnosis);
  field("expected_diagnosis", fault.expected_diagnosis);
  field("host", fault.host);
  field("expected_host", fault.expected_host);
  field("seconds", fault.seconds);
  field("bound_seconds", fault.bound_seconds);
  field("message", fault.message);
  field("advice", fault.advice);
}

template <class F, FieldsOf<DrillLeftOut> T>
void fields(F& field, T& one) {
  field("name", one.name);
  field("why", one.why);
}

template <class F, FieldsOf<DrillReport> T>
void fields(F& field, T& report) {
  field("verdict", report.verdict);
  field("detected", report.detected);
  field("faults", report.faults);
  field("left_out", report.left_out);
  field("wall_seconds", report.wall_seconds);
}

std::string to_json(const DrillReport& report) {
  return document_of(report, "understudy/drill/1", JsonWriter::Layout::readable);
}

DrillReport read_drill_report(const std::string& text, const std::string& path) {
  return read_document<DrillReport>(JsonReader::parse(text, path), "understudy/drill/1");
}

}  // namespace understudy::configs
