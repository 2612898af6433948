// SPDX-License-Identifier: Apache-2.0
#include "configs/report/command_documents.h"

#include "configs/json/schema.h"
#include "configs/report/schemas.h"

namespace understudy::configs {
namespace {

constexpr std::string_view kError = "understudy/error/1";
constexpr std::string_view kHelp = "understudy/help/1";
constexpr std::string_view kVersion = "understudy/version/1";
constexpr std::string_view kSlices = "understudy/slices/1";
constexpr std::string_view kProfiles = "understudy/profiles/1";
constexpr std::string_view kJob = "understudy/job/1";
constexpr std::string_view kRungs = "understudy/rungs/1";
constexpr std::string_view kReceiptPrune = "understudy/receipt-prune/1";
constexpr std::string_view kPage = "understudy/page/1";
constexpr std::string_view kCompletion = "understudy/completion/1";
constexpr std::string_view kDoctor = "understudy/doctor/1";
constexpr std::string_view kEnvironment = "understudy/environment/1";

// 0 means unknown in a SourcePlace.
std::optional<std::int64_t> known(std::uint32_t number) {
  return number == 0 ? std::nullopt : std::optional<std::int64_t>(number);
}

}  // namespace

template <class F, FieldsOf<ErrorPlace> T>
void fields(F& field, T& place) {
  field("path", place.path);
  field("line", place.line);
  field("column", place.column);
  field("byte", place.byte);
}

template <class F, FieldsOf<ErrorDocument> T>
void fields(F& field, T& error) {
  field("exit_code", error.exit_code);
  field("kind", error.kind);
  field("message", error.message);
  field("place", error.place);
  field("diagnosis", error.diagnosis);
  field("notes", error.notes);
}

template <class F, FieldsOf<OptionHelp> T>
void fields(F& field, T& option) {
  field("name", option.name);
  field("value", option.value);
  field("description", option.description);
  field("positional", option.positional);
}

template <class F, FieldsOf<VerbHelp> T>
void fields(F& field, T& verb) {
  field("name", verb.name);
  field("summary", verb.summary);
  field("example", verb.example);
  field("options", verb.options);
}

template <class F, FieldsOf<HelpDocument> T>
void fields(F& field, T& help) {
  field("verbs", help.verbs);
}

template <class F, FieldsOf<VersionDocument> T>
void fields(F& field, T& version) {
  field("version", version.version);
  field("revision", version.revision);
  field("mpi", version.mpi);
  field("isa", version.isa);
  field("available_isas", version.available_isas);
  field("onednn", version.onednn);
}

template <class F, FieldsOf<SliceNames> T>
void fields(F& field, T& names) {
  field("slices", names.slices);
}

template <class F, FieldsOf<ProfileName> T>
void fields(F& field, T& profile) {
  field("name", profile.name);
  field("summary", profile.summary);
  field("from", profile.from);
}

template <class F, FieldsOf<ProfileValue> T>
void fields(F& field, T& value) {
  field("key", value.key);
  field("value", value.value);
  field("source", value.source);
}

template <class F, FieldsOf<ProfileList> T>
void fields(F& field, T& list) {
  field("profiles", list.profiles);
  field("shown", list.shown);
  field("values", list.values);
}

template <class F, FieldsOf<JobDocument> T>
void fields(F& field, T& job) {
  field("kind", job.kind);
  field("text", job.text);
}

template <class F, FieldsOf<PlannedRung> T>
void fields(F& field, T& rung) {
  field("name", rung.name);
  field("program", rung.program);
}

template <class F, FieldsOf<RungList> T>
void fields(F& field, T& list) {
  field("rungs", list.rungs);
}

template <class F, FieldsOf<ReceiptPrune> T>
void fields(F& field, T& pruned) {
  field("folder", pruned.folder);
  field("removed", pruned.removed);
  field("removed_bytes", pruned.removed_bytes);
  field("kept", pruned.kept);
  field("dry_run", pruned.dry_run);
}

template <class F, FieldsOf<PageWritten> T>
void fields(F& field, T& page) {
  field("path", page.path);
  field("bytes", page.bytes);
}

template <class F, FieldsOf<CompletionDocument> T>
void fields(F& field, T& completion) {
  field("what", completion.what);
  field("text", completion.text);
  field("candidates", completion.candidates);
  field("files", completion.files);
}

template <class F, FieldsOf<CheckFound> T>
void fields(F& field, T& found) {
  field("check", found.check);
  field("health", found.health);
  field("found", found.found);
  field("remedy", found.remedy);
}

template <class F, FieldsOf<DoctorReport> T>
void fields(F& field, T& report) {
  field("slice", report.slice);
  field("ready", report.ready);
  field("findings", report.findings);
}

template <class F, FieldsOf<HostVariable> T>
void fields(F& field, T& variable) {
  field("name", variable.name);
  field("value", variable.value);
  field("group", variable.group);
  field("source", variable.source);
}
template <>
inline constexpr bool kIsOneLine<HostVariable> = true;

template <class F, FieldsOf<EnvironmentDocument> T>
void fields(F& field, T& document) {
  field("slice", document.slice);
  field("slices", document.slices);
  field("profile", document.profile);
  field("host", document.host);
  field("process", document.process);
  field("digest", document.digest);
  field("variables", document.variables);
}

ErrorDocument document_of_error(const Error& error) {
  ErrorDocument document;
  document.exit_code = exit_code_of(error.kind());
  document.kind = name_of(error.kind());
  document.message = error.message();
  if (const std::optional<SourcePlace>& at = error.place()) {
    document.place = ErrorPlace{at->path, known(at->line), known(at->column), std::nullopt};
    if (at->byte) document.place->byte = static_cast<std::int64_t>(*at->byte);
  }
  if (!error.diagnosis().empty()) document.diagnosis = error.diagnosis();
  document.notes = error.notes();
  return document;
}

constexpr JsonWriter::Layout kCommandLayout = JsonWriter::Layout::readable;

std::string to_json(const ErrorDocument& error) {
  return document_of(error, kError, kCommandLayout);
}
std::string to_json(const HelpDocument& help) { return document_of(help, kHelp, kCommandLayout); }
std::string to_json(const VersionDocument& version) {
  return document_of(version, kVersion, kCommandLayout);
}
std::string to_json(const SliceNames& names) { return document_of(names, kSlices, kCommandLayout); }
std::string to_json(const ProfileList& list) {
  return document_of(list, kProfiles, kCommandLayout);
}
std::string to_json(const JobDocument& job) { return document_of(job, kJob, kCommandLayout); }
std::string to_json(const RungList& list) { return document_of(list, kRungs, kCommandLayout); }
std::string to_json(const ReceiptPrune& pruned) {
  return document_of(pruned, kReceiptPrune, kCommandLayout);
}
std::string to_json(const PageWritten& page) { return document_of(page, kPage, kCommandLayout); }
std::string to_json(const CompletionDocument& completion) {
  return document_of(completion, kCompletion, kCommandLayout);
}
std::string to_json(const DoctorReport& report) {
  return document_of(report, kDoctor, kCommandLayout);
}

std::string to_json(const EnvironmentDocument& document) {
  return document_of(document, kEnvironment, kCommandLayout);
}

std::vector<NamedSchema> command_schemas() {
  return {
      {"error", schema_text<ErrorDocument>(kError, "A command that failed without a document")},
      {"help", schema_text<HelpDocument>(kHelp, "Verbs with their options")},
      {"version", schema_text<VersionDocument>(kVersion, "Version and libraries")},
      {"slices", schema_text<SliceNames>(kSlices, "Names of all slices")},
      {"profiles", schema_text<ProfileList>(kProfiles, "Profiles, and the values of one")},
      {"job", schema_text<JobDocument>(kJob, "A batch job as text")},
      {"rungs", schema_text<RungList>(kRungs, "The rungs of a ladder with their programs")},
      {"receipt-prune", schema_text<ReceiptPrune>(kReceiptPrune, "Receipts that were removed")},
      {"page", schema_text<PageWritten>(kPage, "A page that was written")},
      {"completion", schema_text<CompletionDocument>(kCompletion, "Completion of a shell")},
      {"environment", schema_text<EnvironmentDocument>(kEnvironment, "Environment of one process")},
      {"doctor", schema_text<DoctorReport>(kDoctor, "Whether this machine is ready")},
  };
}

}  // namespace understudy::configs
