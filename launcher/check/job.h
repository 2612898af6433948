// SPDX-License-Identifier: Apache-2.0
// The work of `understudy check`: files, each with one or more programs. Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/report/check_report.h"
#include "program/self_checking.h"

namespace understudy::launcher {

struct CheckVerdict {
  configs::Verdict verdict = configs::Verdict::passed;
  std::string reason;  // for messages; empty if it passed
  std::int64_t checks = 0;
};

// One program of a file.
struct CheckJob {
  std::size_t file = 0;
  program::SelfCheckingProgram program;
  std::optional<CheckVerdict> verdict;  // nullopt until known
};

struct CheckFile {
  std::string path;
  std::optional<CheckVerdict> verdict;  // set before its programs run, if it cannot be read
};

struct CheckWork {
  std::vector<CheckFile> files;  // in the order of the report
  std::vector<CheckJob> jobs;
};

// Expands PATH...: a folder stands for all .mlir and .mlirbc files in it, recursively, sorted by
// name. *Throws* Error{usage} for a path that does not exist or contains no such file.
std::vector<std::string> check_files(const std::vector<std::string>& paths);

// Reads every file and splits it into programs. A file that cannot be read, and a program that
// needs more than `most_chips`, get their verdict here.
CheckWork check_work(const std::vector<std::string>& files, std::int64_t most_chips);

// One row per file. Its verdict is the worst of its programs: failed, then unsupported, then
// passed.
configs::CheckReport report_of(const CheckWork& work);

}  // namespace understudy::launcher
