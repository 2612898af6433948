// SPDX-License-Identifier: Apache-2.0
#include "launcher/verbs/manual.h"

#include <fmt/format.h>

#include "configs/base/version.h"
#include "launcher/command_line.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

// Escapes what roff would interpret: "-" would become a typographic hyphen, "\\" starts an escape.
std::string roff(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '-' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

}  // namespace

// Made from the same tables as --help, so the manual page cannot differ from it. Format: man(7).
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

}  // namespace understudy::launcher
