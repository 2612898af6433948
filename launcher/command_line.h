// SPDX-License-Identifier: Apache-2.0
// Parses the command line and runs a verb; prints help and suggestions. Call from the main thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "launcher/verbs.h"

namespace understudy::launcher {

// Runs the command line `words` (without the program name). Returns the exit code. *Throws* Error.
int run_command_line(const std::vector<std::string>& words, Console console,
                     const Environment& environment);

// The text of `understudy --help` and of `understudy VERB --help`.
std::string help_text();
std::string help_text(const Verb& verb);
// The help of a group of two-word verbs, by its first word.
std::string group_text(const std::string& word);
// The text of `understudy --version`.
std::string version_text(const Environment& environment);

// The options of a verb with their meaning, for completion and the man page.
struct OptionText {
  std::string name;   // "--slice", or the word of a positional
  std::string value;  // "SLICE", empty for a flag
  std::string description;
  bool positional = false;
};
// Declares the options of the verb in a parser of its own; nothing is parsed.
std::vector<OptionText> options_of(const Verb& verb);

}  // namespace understudy::launcher
