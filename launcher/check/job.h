// SPDX-License-Identifier: Apache-2.0
// What `understudy check` works through: files, each of one or more programs. Values.
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
  std::string reason;  // for people; empty where it passed
  std::int64_t checks = 0;
};

// One program of a file.
struct CheckJob {
  std::size_t file = 0;
  program::SelfCheckingProgram program;
  std::optional<CheckVerdict> verdict;  // once it is known
};

struct CheckFile {
  std::string path;
  std::optional<CheckVerdict> verdict;  // before its programs run: it cannot be read
};

struct CheckWork {
  std::vector<CheckFile> files;  // in the order of the report
  std::vector<CheckJob> jobs;
};

// The files that PATH... mean: a folder stands for the .mlir and .mlirbc files in it and below, in
// the order of their names. *Throws* Error{usage} for a path that is not there or holds none.
std::vector<std::string> check_files(const std::vector<std::string>& paths);

// Reads every file and takes it apart; a file that cannot be read has its verdict at once, as has a
// program for more than `most_chips`.
CheckWork check_work(const std::vector<std::string>& files, std::int64_t most_chips);

// What the report says of each file: failed before unsupported before passed.
configs::CheckReport report_of(const CheckWork& work);

}  // namespace understudy::launcher
