// SPDX-License-Identifier: Apache-2.0
// The verbs of `understudy`: one table, from which dispatch, help, completion and the man page
// come. A verb is one file in verbs/ and one row in verbs.cc. Call from the main thread.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace understudy::launcher {

struct Console;
struct Environment;

// One use of a verb: declares its options, then runs with the values they got.
class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(CLI::App& app) = 0;
  // Returns the exit code. *Throws* Error.
  virtual int run(const Console& console, const Environment& environment) = 0;
};

struct Verb {
  std::string_view name;
  std::string_view summary;
  std::string_view example;  // one command line
  std::unique_ptr<Command> (*make)();
};

std::span<const Verb> verbs();
// nullptr where there is no such verb.
const Verb* find_verb(std::string_view name);

std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_check();
std::unique_ptr<Command> make_describe();
std::unique_ptr<Command> make_metrics();
std::unique_ptr<Command> make_doctor();
std::unique_ptr<Command> make_completion();
std::unique_ptr<Command> make_help();

}  // namespace understudy::launcher
