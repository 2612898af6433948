// SPDX-License-Identifier: Apache-2.0
#include "launcher/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/base/log.h"
#include "configs/base/suggest.h"
#include "launcher/command_json.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

constexpr std::size_t kOptionColumn = 34;
constexpr std::size_t kTerminalColumns = 100;

struct Verbosity {
  int verbose = 0;
  bool quiet = false;
};

// CLI11 indents the lines of a description but does not break long ones.
std::string wrapped(std::string text, std::size_t width) {
  for (std::size_t begin = 0; text.size() - begin > width;) {
    const std::size_t blank = text.rfind(' ', begin + width);
    if (blank == std::string::npos || blank <= begin) break;  // one long word
    text[blank] = '\n';
    begin = blank + 1;
  }
  return text;
}

// One verb with its options, ready to parse.
struct Parser {
  explicit Parser(const Verb& verb) : command(verb.make()) {
    app.name(fmt::format("understudy {}", verb.name));
    app.description(fmt::format("understudy {}: {}", verb.name, verb.summary));
    app.set_help_flag("-h,--help", "print this help and exit");
    app.get_formatter()->column_width(kOptionColumn);
    app.get_formatter()->label("OPTIONS", "OPTION...");
    app.option_defaults()->always_capture_default(false);
    command->declare(app);
    app.add_flag("-v,--verbose", verbosity.verbose,
                 "print more messages; given twice: all messages");
    app.add_flag("-q,--quiet", verbosity.quiet, "print only errors and warnings");
    for (CLI::Option* option : app.get_options())
      option->description(wrapped(option->get_description(), kTerminalColumns - kOptionColumn));
    app.footer(fmt::format("Example:\n  {}", verb.example));
    app.allow_extras();
  }
  Verbosity verbosity;
  std::unique_ptr<Command> command;
  CLI::App app;
};

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// CLI11 collects words that it cannot assign (allow_extras), so that the error here can suggest a
// similar option name.
[[noreturn]] void refuse_extra(const Verb& verb, const CLI::App& app, const std::string& word) {
  Error error(ErrorKind::usage,
              word.starts_with('-')
                  ? fmt::format("unknown option {}{}", word.substr(0, word.find('=')),
                                did_you_mean(word.substr(0, word.find('=')), option_names(app)))
                  : fmt::format("unexpected argument '{}'", word));
  throw error.note(fmt::format("understudy {} --help lists the options", verb.name));
}

void parse(const Verb& verb, Parser& parser, std::vector<std::string> words) {
  if (const auto at = std::ranges::find(words, "--"); at != words.end())
    // Before CLI11 sees them: it would take the script's options for ours.
    if (parser.command->take_script({at + 1, words.end()})) words.erase(at, words.end());
  std::reverse(words.begin(), words.end());  // CLI11 takes the words in reverse order
  try {
    parser.app.parse(words);
  } catch (const CLI::CallForHelp&) {
    throw;
  } catch (const CLI::ParseError& error) {
    Error usage(ErrorKind::usage, error.what());
    throw usage.note(fmt::format("understudy {} --help lists the options", verb.name));
  }
  std::vector<std::string> extras = parser.app.remaining();
  // CLI11 lists the mark before the positionals among the words that it could not assign.
  std::erase(extras, "--");
  // Report an unknown option first: the words after it were often meant as its values.
  for (const std::string& word : extras)
    if (word.starts_with('-')) refuse_extra(verb, parser.app, word);
  if (!extras.empty()) refuse_extra(verb, parser.app, extras.front());
}

void apply(const Verbosity& verbosity, Console& console) {
  if (verbosity.quiet) console.verbosity = -1;
  if (verbosity.verbose > 0) console.verbosity = verbosity.verbose;
  log_setup("understudy", console.verbosity < 0   ? LogLevel::warning
                          : console.verbosity > 0 ? LogLevel::debug
                                                  : LogLevel::info);
}

int run_verb(const Verb& verb, const std::vector<std::string>& words, Console console,
             const Environment& environment) {
  Parser parser(verb);
  try {
    parse(verb, parser, words);
  } catch (const CLI::CallForHelp&) {
    const Verb* const one[] = {&verb};
    wants_json(words) ? console.document(to_json(help_document(one)))
                      : console.result(help_text(verb));
    return 0;
  }
  apply(parser.verbosity, console);
  return parser.command->run(console, environment);
}

[[noreturn]] void refuse_verb(const std::string& word) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    names.emplace_back(verb.name);
    names.emplace_back(verb.name.substr(0, verb.name.find(' ')));
  }
  // A group word such as "cache" occurs once per verb of the group; the table keeps groups
  // together, so duplicates are adjacent.
  names.erase(std::unique(names.begin(), names.end()), names.end());
  Error error(ErrorKind::usage,
              fmt::format("unknown {} {}{}", word.starts_with('-') ? "option" : "verb", word,
                          did_you_mean(word, names)));
  throw error.note("understudy --help lists the verbs");
}

// Runs the two-word verb that consists of `word` and the first of `rest`.
int run_group(const std::string& word, std::vector<std::string> before,
              const std::vector<std::string>& rest, const Console& console,
              const Environment& environment) {
  const bool json = wants_json(before) || wants_json(rest);
  if (rest.size() == 1 && rest.front() == "--json")
    throw Error(ErrorKind::usage, fmt::format("understudy {} requires a verb", word))
        .note(fmt::format("understudy {} --help lists the verbs", word));
  if (rest.empty() || rest.front() == "-h" || rest.front() == "--help") {
    // "understudy cache" alone is a usage error, so its help goes to stderr with exit code 2; with
    // --help it is a result.
    if (rest.empty()) {
      console.failure(group_text(word));
      return exit_code_of(ErrorKind::usage);
    }
    json ? console.document(to_json(help_document(verbs_of_group(word))))
         : console.result(group_text(word));
    return 0;
  }
  const Verb* const verb = find_verb(word + " " + rest.front());
  if (verb == nullptr) refuse_verb(word + " " + rest.front());
  before.insert(before.end(), rest.begin() + 1, rest.end());
  return run_verb(*verb, before, console, environment);
}

}  // namespace

int run_command_line(const std::vector<std::string>& words, Console console,
                     const Environment& environment) {
  const bool json = wants_json(words);
  std::vector<std::string> before;  // -v, -q and --json are also accepted before the verb
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-h" || word == "--help") {
      json ? console.document(to_json(help_document_of_all())) : console.result(help_text());
      return 0;
    }
    if (word == "--version") {
      json ? console.document(to_json(version_document(environment)))
           : console.result(version_text(environment));
      return 0;
    }
    if (word == "-v" || word == "-q" || word == "--verbose" || word == "--quiet" ||
        word == "--json") {
      before.push_back(word);
      continue;
    }
    // The first word that is no global option is the verb. All later words belong to it.
    const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                        words.end());
    if (!verbs_of_group(word).empty()) return run_group(word, before, rest, console, environment);
    const Verb* verb = find_verb(word);
    if (verb == nullptr) refuse_verb(word);
    before.insert(before.end(), rest.begin(), rest.end());
    return run_verb(*verb, before, console, environment);
  }
  if (json)
    throw Error(ErrorKind::usage, "no verb given").note("understudy --help lists the verbs");
  console.failure(help_text());
  return exit_code_of(ErrorKind::usage);
}

std::string group_text(const std::string& word) {
  std::string text = fmt::format("Usage: understudy {} VERB [OPTION...]\n\nVerbs:\n", word);
  for (const Verb* verb : verbs_of_group(word))
    text += fmt::format("  {:<14} {}\n", verb->name, verb->summary);
  return text + fmt::format("\nExample:\n  {}", verbs_of_group(word).front()->example);
}

std::string help_text(const Verb& verb) {
  Parser parser(verb);
  std::string text = parser.app.help();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::vector<OptionText> options_of(const Verb& verb) {
  Parser parser(verb);
  std::vector<OptionText> texts;
  for (const CLI::Option* option : parser.app.get_options()) {
    OptionText text;
    text.positional = option->get_positional();
    text.name = text.positional || option->get_lnames().empty()
                    ? option->get_name(true)
                    : "--" + option->get_lnames().front();
    text.value = option->get_type_name();
    text.description = option->get_description();
    std::ranges::replace(text.description, '\n', ' ');  // breaks of the terminal only
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace understudy::launcher
