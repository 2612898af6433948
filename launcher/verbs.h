// SPDX-License-Identifier: Apache-2.0
// The verbs of `understudy`: one table, from which dispatch, help, completion and the man page
// come. A verb is one file in verbs/ and one row in verbs.cc. Call from the main thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace understudy::launcher {

struct Console;
struct Environment;

// One invocation of a verb: declares its options, then runs with the parsed values.
class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(CLI::App& app) = 0;
  // Takes the words after "--". False: the verb has no use for them, and they are arguments.
  virtual bool take_script(const std::vector<std::string>& /*words*/) { return false; }
  // Returns the exit code. *Throws* Error.
  virtual int run(const Console& console, const Environment& environment) = 0;
};

struct Verb {
  std::string_view name;  // one word or two
  std::string_view summary;
  std::string_view example;  // one command line
  std::unique_ptr<Command> (*make)();
};

// In the order of the help; verbs of a group stand together.
std::span<const Verb> verbs();
// nullptr if there is no such verb.
const Verb* find_verb(std::string_view name);
// The two-word verbs whose first word is `word`: "cache" gives "cache ls", "cache prune", ...
std::vector<const Verb*> verbs_of_group(std::string_view word);

std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_rehearse();
std::unique_ptr<Command> make_cache_stress();
std::unique_ptr<Command> make_cache_ls();
std::unique_ptr<Command> make_cache_explain();
std::unique_ptr<Command> make_cache_verify();
std::unique_ptr<Command> make_cache_prune();
std::unique_ptr<Command> make_check();
std::unique_ptr<Command> make_describe();
std::unique_ptr<Command> make_diff();
std::unique_ptr<Command> make_metrics();
std::unique_ptr<Command> make_doctor();
std::unique_ptr<Command> make_env();
std::unique_ptr<Command> make_export();
std::unique_ptr<Command> make_preflight();
std::unique_ptr<Command> make_receipt_diff();
std::unique_ptr<Command> make_receipt_html();
std::unique_ptr<Command> make_receipt_prune();
std::unique_ptr<Command> make_receipt_show();
std::unique_ptr<Command> make_completion();
std::unique_ptr<Command> make_help();

}  // namespace understudy::launcher
