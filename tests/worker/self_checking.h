// SPDX-License-Identifier: Apache-2.0
// Runs self-checking StableHLO programs in this process: a pod of threads, one for each process
// that the program wants.
#pragma once

#include <string>
#include <vector>

namespace understudy::worker {

struct Verdict {
  enum class Kind { passed, failed, unsupported };
  Kind kind = Kind::passed;
  std::string why;  // empty where it passed
};

// One file, which may hold several programs separated by lines of "// -----". A file without a
// single check has failed.
Verdict run_self_checking(const std::string& path);

// The same once for each pass, compiled without it. The file is read once. *Throws* Error where it
// cannot be read.
std::vector<Verdict> run_without_each(const std::string& path,
                                      const std::vector<std::string>& passes);

// The .mlir files of a folder, sorted; empty where there is no such folder.
std::vector<std::string> programs_in(const std::string& folder);

}  // namespace understudy::worker
