// SPDX-License-Identifier: Apache-2.0
#include "launcher/command_json.h"

#include <algorithm>
#include <array>

#include "configs/base/error.h"
#include "launcher/command_line.h"
#include "launcher/process/console.h"

namespace understudy::launcher {
namespace {

// Several kinds share an exit code; the first of them names it.
std::string kind_of(int exit_code) {
  if (exit_code > kSignalled) return "interrupted";
  constexpr std::array kKinds = {ErrorKind::check,   ErrorKind::usage,    ErrorKind::protocol,
                                 ErrorKind::timeout, ErrorKind::capacity, ErrorKind::internal,
                                 ErrorKind::system};
  for (const ErrorKind kind : kKinds)
    if (exit_code_of(kind) == exit_code) return std::string(name_of(kind));
  return std::string(name_of(ErrorKind::internal));
}

std::string without_prefix(std::string text) {
  for (const std::string_view prefix : {"understudy: ", "error: "})
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  return text;
}

}  // namespace

// Decided from the words, because the option table may be what failed. Words after "--" belong to a
// script.
bool wants_json(const std::vector<std::string>& words) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, "--json") != end;
}

void answer_in_json(int exit_code, const Console& console) {
  if (exit_code == 0 || console.reader_left()) return;
  configs::ErrorDocument error;
  error.exit_code = exit_code;
  error.kind = kind_of(exit_code);
  error.message = without_prefix(console.lost->last_failure);
  console.document(to_json(error));
}

configs::HelpDocument help_document(std::span<const Verb* const> verbs) {
  configs::HelpDocument help;
  for (const Verb* const verb : verbs) {
    configs::VerbHelp one{
        std::string(verb->name), std::string(verb->summary), std::string(verb->example), {}};
    for (const OptionText& option : options_of(*verb))
      one.options.push_back({option.name, option.value, option.description, option.positional});
    help.verbs.push_back(std::move(one));
  }
  return help;
}

configs::HelpDocument help_document_of_all() {
  std::vector<const Verb*> all;
  for (const Verb& verb : verbs()) all.push_back(&verb);
  return help_document(all);
}

}  // namespace understudy::launcher
