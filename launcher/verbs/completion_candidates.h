// SPDX-License-Identifier: Apache-2.0
// The words that may follow on a command line of understudy, for the completion of shells.
// Generated from the verb table and the declared options, so that it cannot become stale.
#pragma once

#include <string>
#include <vector>

namespace understudy::launcher {

struct Environment;

struct Candidates {
  std::vector<std::string> words;  // that begin with the last word of the line
  bool files = false;              // names of files may follow too
};

// `line`: the words after the program's name; the last one is being typed and may be empty.
Candidates candidates_for(const std::vector<std::string>& line, const Environment& environment);

}  // namespace understudy::launcher
