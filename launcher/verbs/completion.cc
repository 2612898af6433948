// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <map>
#include <string>

#include "configs/base/error.h"
#include "configs/base/version.h"
#include "launcher/command_line.h"
#include "launcher/process/console.h"

namespace understudy::launcher {
namespace {

constexpr std::string_view kBashEnd = R"(  esac
  if [[ $COMP_CWORD == 1 ]]; then words=$verbs; fi
  if [[ ${COMP_WORDS[COMP_CWORD]} == -* || $COMP_CWORD == 1 || ${COMP_WORDS[1]} == help ||
        ($COMP_CWORD == 2 && $words == [a-z]*) ]]; then
    COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
  else
    COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
  fi
}
complete -o filenames -F _understudy understudy)";

// Generated from the verb table and the declared options, so it cannot become stale.
std::string bash_completion() {
  std::string names;
  struct Following {
    std::string second, options;  // words that may follow the first word of a verb
  };
  std::map<std::string, Following> words;
  for (const Verb& verb : verbs()) {
    const std::size_t blank = verb.name.find(' ');
    const std::string first(verb.name.substr(0, blank));
    if (!words.contains(first)) names += first + ' ';
    Following& following = words[first];
    if (blank != std::string_view::npos)
      following.second += fmt::format("{} ", verb.name.substr(blank + 1));
    for (const OptionText& option : options_of(verb))
      if (!option.positional && following.options.find(option.name + ' ') == std::string::npos)
        following.options += option.name + ' ';
  }
  std::string text = fmt::format(
      "# bash completion for understudy; use: source <(understudy completion bash)\n"
      "_understudy() {{\n  local verbs='{}--help --version' words=''\n"
      "  case ${{COMP_WORDS[1]}} in\n    help) words='{}' ;;\n",
      names, names);
  for (const auto& [first, following] : words)
    if (first != "help")
      text += fmt::format("    {}) words='{}' ;;\n", first, following.second + following.options);
  return text + std::string(kBashEnd);
}

// Escapes what roff would interpret: "-" would become a typographic hyphen, "\\" starts an escape.
std::string roff(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '-' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string manual() {
  std::string text = fmt::format(
      ".TH UNDERSTUDY 1 \"\" \"understudy {}\"\n.SH NAME\n"
      "understudy \\- rehearses programs for TPU pods on ordinary machines\n"
      ".SH SYNOPSIS\n.B understudy\n.I VERB\n[OPTION...]\n.SH VERBS\n",
      version());
  for (const Verb& verb : verbs()) {
    text += fmt::format(".SS understudy {}\n{}.\n.PP\nExample: {}\n", verb.name, roff(verb.summary),
                        roff(verb.example));
    for (const OptionText& option : options_of(verb))
      text += fmt::format(".TP\n\\fB{}\\fR \\fI{}\\fR\n{}\n", roff(option.name), option.value,
                          roff(option.description));
  }
  return text + ".SH SEE ALSO\nunderstudy \\-\\-help lists environment variables and exit codes.";
}

class Completion final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("WHAT", what_, "bash or man")->type_name("");
  }

  int run(const Console& console, const Environment&) override {
    if (what_ == "bash") {
      console.result(bash_completion());
    } else if (what_ == "man") {
      console.result(manual());
    } else {
      throw Error(ErrorKind::usage, "completion requires \"bash\" or \"man\"");
    }
    return 0;
  }

 private:
  std::string what_;
};

}  // namespace

std::unique_ptr<Command> make_completion() { return std::make_unique<Completion>(); }

}  // namespace understudy::launcher
