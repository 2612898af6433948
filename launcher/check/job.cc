// SPDX-License-Identifier: Apache-2.0
#include "launcher/check/job.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using configs::Verdict;

bool is_program(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr std::string_view kEnds[] = {".mlir", ".mlirbc", ".hlo", ".hlo.txt", ".hlo.pb"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

std::vector<std::string> programs_below(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    if (entry->is_regular_file(code) && is_program(entry->path()))
      found.push_back(entry->path().string());
  if (code)
    throw Error(ErrorKind::usage, fmt::format("cannot read {}: {}", folder, code.message()));
  if (found.empty())
    throw Error(ErrorKind::usage,
                fmt::format("{} contains no .mlir, .mlirbc, .hlo.txt or .hlo.pb file", folder));
  // The order of a directory is that of its file system; reports must be comparable between
  // machines.
  std::ranges::sort(found);
  return found;
}

// Only an explicit Error{unsupported} is reported as unsupported; every other error is a failure.
CheckVerdict verdict_of(const Error& error) {
  return {error.kind() == ErrorKind::unsupported ? Verdict::unsupported : Verdict::failed,
          error.text(), 0};
}

void add_programs(CheckWork& work, std::size_t file, std::int64_t most_chips) {
  const auto source = program::Source::read(work.files[file].path);
  for (program::SelfCheckingProgram& program : program::self_checking_programs(*source)) {
    const std::int64_t needed = program.processes();
    CheckJob job{file, std::move(program), std::nullopt};
    if (needed > most_chips)
      job.verdict =
          CheckVerdict{Verdict::unsupported,
                       fmt::format("{}: @{} needs {} chips, but check supports at most {}",
                                   source->path(), job.program.entry, needed, most_chips),
                       0};
    work.jobs.push_back(std::move(job));
  }
}

}  // namespace

std::vector<std::string> check_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code code;
    if (!fs::exists(path, code))
      throw Error(ErrorKind::usage, fmt::format("no such file or folder: {}", path));
    if (!fs::is_directory(path, code)) {
      files.push_back(path);
      continue;
    }
    for (std::string& found : programs_below(path)) files.push_back(std::move(found));
  }
  return files;
}

// A file that cannot be read or split is a verdict of that file, so one broken file does not stop
// the others.
CheckWork check_work(const std::vector<std::string>& files, std::int64_t most_chips) {
  CheckWork work;
  for (const std::string& path : files) {
    work.files.push_back({path, std::nullopt});
    const std::size_t before = work.jobs.size();
    try {
      add_programs(work, work.files.size() - 1, most_chips);
    } catch (const Error& error) {
      work.jobs.resize(before);
      work.files.back().verdict = verdict_of(error);
    }
  }
  return work;
}

// Verdicts are ordered passed < unsupported < failed, so the larger one wins.
configs::CheckReport report_of(const CheckWork& work) {
  configs::CheckReport report;
  for (const CheckFile& file : work.files) {
    configs::CheckedFile checked;
    checked.path = file.path;
    if (file.verdict) {
      checked.verdict = file.verdict->verdict;
      checked.reason = file.verdict->reason;
    }
    report.files.push_back(std::move(checked));
  }
  for (const CheckJob& job : work.jobs) {
    configs::CheckedFile& file = report.files[job.file];
    UNDERSTUDY_ASSERT(job.verdict);
    ++file.programs;
    file.checks += job.verdict->checks;
    if (job.verdict->verdict <= file.verdict) continue;
    file.verdict = job.verdict->verdict;
    file.reason = job.verdict->reason;
  }
  return report;
}

}  // namespace understudy::launcher
