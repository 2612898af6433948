// SPDX-License-Identifier: Apache-2.0
// Runs program folders (manifest.json, program.mlir, arrays) in this process, a thread for each
// chip, and compares as the manifest says: what `understudy run` does without its processes, quick
// enough for thousands of programs. Thread-compatible.
#pragma once

#include <string>
#include <vector>

namespace understudy::judge {

struct Verdict {
  enum class Kind { agrees, differs, refused };
  Kind kind = Kind::agrees;
  std::string name;  // of the folder
  std::string why;   // empty where it agrees
};

// A folder that cannot be read or compiled differs; a program that is declined as unsupported is
// refused. Results with tolerances of 0 agree bit for bit, NaN with NaN.
Verdict run_in_process(const std::string& folder);

// The program folders inside of a folder, sorted.
std::vector<std::string> folders_in(const std::string& folder);

}  // namespace understudy::judge
