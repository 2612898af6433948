// SPDX-License-Identifier: Apache-2.0
// The small documents of `--json`: errors, help, version, lists, and files that a verb wrote. A
// command with --json prints exactly one document on standard output, also when it fails. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"

namespace understudy::configs {

struct ErrorPlace {
  std::string path;
  std::optional<std::int64_t> line, column;  // from 1
  std::optional<std::int64_t> byte;          // from 0, of a binary file
};

// A command that failed before it had a document of its own.
struct ErrorDocument {
  std::int64_t exit_code = 0;
  std::string kind;  // name_of(ErrorKind), or "interrupted"
  std::string message;
  std::optional<ErrorPlace> place;
  std::optional<std::string> diagnosis;  // one of configs/receipt/diagnosis.h
  std::vector<std::string> notes;
};
// What --json prints if a command failed before it had a document of its own.
ErrorDocument document_of_error(const Error& error);
std::string to_json(const ErrorDocument& error);

struct OptionHelp {
  std::string name;   // "--slice"; of a positional argument "PROGRAM"
  std::string value;  // "NAME"; empty: a flag
  std::string description;
  bool positional = false;
};
struct VerbHelp {
  std::string name, summary, example;
  std::vector<OptionHelp> options;
};
// `understudy --help`, `help` and `VERB --help`: all verbs, or the verbs that were asked for.
struct HelpDocument {
  std::vector<VerbHelp> verbs;
};
std::string to_json(const HelpDocument& help);

struct VersionDocument {
  std::string version, revision, mpi, isa;
  std::vector<std::string> available_isas;
  std::string onednn;
};
std::string to_json(const VersionDocument& version);

// `describe --list`
struct SliceNames {
  std::vector<std::string> slices;
};
std::string to_json(const SliceNames& names);

struct ProfileName {
  std::string name, summary, from;  // "embedded", or its file
};
struct ProfileValue {
  std::string key, value, source;
};
// `env --list`
struct ProfileList {
  std::vector<ProfileName> profiles;
  std::string shown;
  std::vector<ProfileValue> values;  // of `shown`
};
std::string to_json(const ProfileList& list);

// `run --dry-run --as KIND`
struct JobDocument {
  std::string kind, text;
};
std::string to_json(const JobDocument& job);

struct PlannedRung {
  std::string name, program;
};
// `rehearse --dry-run`
struct RungList {
  std::vector<PlannedRung> rungs;
};
std::string to_json(const RungList& list);

// `receipt prune`
struct ReceiptPrune {
  std::string folder;
  std::vector<std::string> removed;
  std::uint64_t removed_bytes = 0, kept = 0;
  bool dry_run = false;
};
std::string to_json(const ReceiptPrune& pruned);

// `receipt html`
struct PageWritten {
  std::string path;
  std::uint64_t bytes = 0;
};
std::string to_json(const PageWritten& page);

// `completion`: a script, the man page, or candidates.
struct CompletionDocument {
  std::string what;
  std::optional<std::string> text;
  std::vector<std::string> candidates;
  bool files = false;  // names of files may follow too
};
std::string to_json(const CompletionDocument& completion);

struct CheckFound {
  std::string check, health, found;
  std::optional<std::string> remedy;
};
// `doctor`
struct DoctorReport {
  std::string slice;
  bool ready = false;
  std::vector<CheckFound> findings;
};
std::string to_json(const DoctorReport& report);

struct HostVariable {
  std::string name, value, group, source;
};
// `env`: the environment of one process of a host.
struct EnvironmentDocument {
  std::string slice;
  std::int64_t slices = 1;
  std::string profile;
  std::int64_t host = 0, process = 0;
  std::string digest;  // of the variables that all hosts share
  std::vector<HostVariable> variables;
};
std::string to_json(const EnvironmentDocument& document);

}  // namespace understudy::configs
