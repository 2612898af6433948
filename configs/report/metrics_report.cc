// SPDX-License-Identifier: Apache-2.0
#include "configs/report/metrics_report.h"

#include "configs/json/schema.h"
#include "configs/report/schemas.h"

namespace understudy::configs {

template <class F, FieldsOf<ReportPlace> T>
void fields(F& field, T& place) {
  field("op", place.op);
  field("path", place.path);
  field("line", place.line);
  field("column", place.column);
  field("python", place.python);
}

template <class F, FieldsOf<ReportExchange> T>
void fields(F& field, T& one) {
  field("exchange", one.exchange);
  field("axes", one.axes);
  field("partly", one.partly);
  field("place", one.place);
}

template <class F, FieldsOf<VerdictEvidence> T>
void fields(F& field, T& evidence) {
  field("kind", evidence.kind);
  field("done", evidence.done);
  field("seen", evidence.seen);
  field("speaks_for", evidence.speaks_for);
}

template <class F, FieldsOf<ResultVerdict> T>
void fields(F& field, T& result) {
  field("index", result.index);
  field("name", result.name);
  field("verdict", result.verdict);
  field("reason", result.reason);
  field("axes", result.axes);
  field("contributors", result.contributors);
  field("chain", result.chain);
  field("evidence", result.evidence);
  field("place", result.place);
}

template <class F, FieldsOf<MetricWarning> T>
void fields(F& field, T& warning) {
  field("result", warning.result);
  field("pattern", warning.pattern);
  field("text", warning.text);
  field("place", warning.place);
  field("error", warning.error);
  field("relative_error", warning.relative_error);
}

template <class F, FieldsOf<MetricsReport> T>
void fields(F& field, T& report) {
  field("program", report.program);
  field("slice", report.slice);
  field("chips", report.chips);
  field("numerics", report.numerics);
  field("results", report.results);
  field("warnings", report.warnings);
  field("analysis_seconds", report.analysis_seconds);
  field("wall_seconds", report.wall_seconds);
  field("exit_code", report.exit_code);
}

constexpr std::string_view kMetricsSchema = "understudy/metrics/1";

std::string to_json(const MetricsReport& report) {
  return document_of(report, kMetricsSchema, JsonWriter::Layout::readable);
}

NamedSchema metrics_schema() {
  return {"metrics",
          schema_text<MetricsReport>(kMetricsSchema, "Verdicts on the results of a program")};
}

}  // namespace understudy::configs
