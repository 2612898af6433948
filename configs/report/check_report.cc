// SPDX-License-Identifier: Apache-2.0
#include "configs/report/check_report.h"

#include <algorithm>
#include <array>
#include <optional>

#include "configs/json/schema.h"
#include "configs/report/schemas.h"

namespace understudy::configs {
namespace {

constexpr std::string_view kCheckSchema = "understudy/check/1";
constexpr std::array<std::string_view, 3> kVerdicts = {"passed", "unsupported", "failed"};

struct FileDocument {
  std::string path, verdict;
  std::optional<std::string> reason;
  std::int64_t programs = 0, checks = 0;
};

struct CheckDocument {
  std::int64_t passed = 0, failed = 0, unsupported = 0, chips = 0;
  std::string numerics;
  double wall_seconds = 0;
  std::int64_t exit_code = 0;
  std::vector<FileDocument> files;
};

}  // namespace

std::string_view name_of(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

std::int64_t CheckReport::count(Verdict verdict) const {
  return std::ranges::count(files, verdict, &CheckedFile::verdict);
}

template <class F, FieldsOf<FileDocument> T>
void fields(F& field, T& file) {
  field("path", file.path);
  field("verdict", file.verdict);
  field("reason", file.reason);
  field("programs", file.programs);
  field("checks", file.checks);
}

template <class F, FieldsOf<CheckDocument> T>
void fields(F& field, T& document) {
  field("passed", document.passed);
  field("failed", document.failed);
  field("unsupported", document.unsupported);
  field("chips", document.chips);
  field("numerics", document.numerics);
  field("wall_seconds", document.wall_seconds);
  field("exit_code", document.exit_code);
  field("files", document.files);
}

std::string to_json(const CheckReport& report) {
  CheckDocument document{report.count(Verdict::passed),
                         report.count(Verdict::failed),
                         report.count(Verdict::unsupported),
                         report.chips,
                         report.numerics,
                         report.wall_seconds,
                         report.exit_code,
                         {}};
  for (const CheckedFile& file : report.files)
    document.files.push_back({file.path, std::string(name_of(file.verdict)),
                              file.reason.empty() ? std::nullopt : std::optional(file.reason),
                              file.programs, file.checks});
  return document_of(document, kCheckSchema, JsonWriter::Layout::readable);
}

NamedSchema check_schema() {
  return {"check", schema_text<CheckDocument>(kCheckSchema, "Verdicts on self-checking programs")};
}

}  // namespace understudy::configs
