// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "launcher/command_json.h"
#include "launcher/command_line.h"
#include "launcher/process/console.h"

namespace understudy::launcher {
namespace {

// A name is a verb ("run"), a group ("cache") or a verb of a group ("cache ls").
class Help final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("VERB", words_, "verb to explain (default: list all verbs)")->type_name("");
    app.add_flag("--json", json_, "print JSON (understudy/help/1)");
  }

  int run(const Console& console, const Environment&) override {
    const std::string name = fmt::format("{}", fmt::join(words_, " "));
    if (name.empty()) {
      json_ ? console.document(to_json(help_document_of_all())) : console.result(help_text());
      return 0;
    }
    if (!verbs_of_group(name).empty()) {
      json_ ? console.document(to_json(help_document(verbs_of_group(name))))
            : console.result(group_text(name));
      return 0;
    }
    const Verb* verb = find_verb(name);
    if (verb == nullptr) {
      std::vector<std::string> names;
      for (const Verb& known : verbs()) names.emplace_back(known.name);
      throw Error(ErrorKind::usage,
                  fmt::format("unknown verb {}{}", name, did_you_mean(name, names)));
    }
    const Verb* const one[] = {verb};
    json_ ? console.document(to_json(help_document(one))) : console.result(help_text(*verb));
    return 0;
  }

 private:
  std::vector<std::string> words_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_help() { return std::make_unique<Help>(); }

}  // namespace understudy::launcher
