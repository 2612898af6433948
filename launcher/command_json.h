// SPDX-License-Identifier: Apache-2.0
// What --json means for a whole command: one document on standard output, whatever the verb did.
// Help, version and failures have documents of their own. Call from the main thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "configs/report/command_documents.h"
#include "launcher/verbs.h"

namespace understudy::launcher {

struct Console;
struct Environment;

// Whether --json is among the words before "--".
bool wants_json(const std::vector<std::string>& words);

// For a command that ended without a document: prints one if it failed, made from its exit code and
// its last message.
void answer_in_json(int exit_code, const Console& console);

// What --help prints, from the same option tables.
configs::HelpDocument help_document(std::span<const Verb* const> verbs);
configs::HelpDocument help_document_of_all();
configs::VersionDocument version_document(const Environment& environment);

}  // namespace understudy::launcher
