// SPDX-License-Identifier: Apache-2.0
#include "configs/report/check_report.h"

#include <algorithm>
#include <array>

#include "configs/json/fields.h"

namespace understudy::configs {
namespace {

constexpr std::array<std::string_view, 3> kVerdicts = {"passed", "unsupported", "failed"};

void write(JsonWriter& out, const CheckedFile& file) {
  out.begin_object();
  out.key("path");
  out.text(file.path);
  out.key("verdict");
  out.text(name_of(file.verdict));
  out.key("reason");
  file.reason.empty() ? out.null() : out.text(file.reason);
  out.key("programs");
  out.integer(file.programs);
  out.key("checks");
  out.integer(file.checks);
  out.end_object();
}

}  // namespace

std::string_view name_of(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

std::int64_t CheckReport::count(Verdict verdict) const {
  return std::ranges::count(files, verdict, &CheckedFile::verdict);
}

std::string to_json(const CheckReport& report) {
  JsonWriter out(JsonWriter::Layout::readable);
  out.begin_object();
  out.key("schema");
  out.text("understudy/check/1");
  for (const Verdict verdict : {Verdict::passed, Verdict::failed, Verdict::unsupported}) {
    out.key(name_of(verdict));
    out.integer(report.count(verdict));
  }
  FieldWriter field(out);
  field("chips", report.chips);
  field("numerics", report.numerics);
  field("wall_seconds", report.wall_seconds);
  field("exit_code", std::int64_t{report.exit_code});
  out.key("files");
  out.begin_array(false);
  for (const CheckedFile& file : report.files) write(out, file);
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace understudy::configs
