// SPDX-License-Identifier: Apache-2.0
// `understudy export`: hands its words to the Python package, which lowers the function with JAX.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

constexpr std::string_view kPython = "UNDERSTUDY_PYTHON";
constexpr Seconds kFindLimit(60);  // a cold start of Python on a slow disk
// A word of our own: Python itself prints errors and warnings.
constexpr std::string_view kThere = "package found";

// The interpreter: $UNDERSTUDY_PYTHON, else python3 on the search path.
std::string interpreter(const Environment& environment) {
  std::string named;
  // The last one wins, as later entries override earlier ones in most programs that read the
  // environment block.
  for (const std::string& variable : environment.variables)
    if (variable.starts_with(kPython) && variable.substr(kPython.size()).starts_with('='))
      named = variable.substr(kPython.size() + 1);
  const std::string name = named.empty() ? "python3" : named;
  const std::string path =
      name.find('/') == std::string::npos ? find_program(environment.search_path, name) : name;
  if (!path.empty() && ::access(path.c_str(), X_OK) == 0) return path;
  throw Error(ErrorKind::usage,
              named.empty() ? "no python3 is on the search path, and export needs it"
                            : fmt::format("{}={}: there is no such program", kPython, named))
      .note(
          fmt::format("set {} to an interpreter that has JAX and the package understudy", kPython));
}

// Finding the package is cheap; importing it would import JAX.
// Runs before execv(), because after it only Python's traceback would tell the user what is
// missing.
void require_package(const std::string& python) {
  const std::string code = fmt::format(
      "import importlib.util as u; missing = [n for n in ('understudy', 'jax') if u.find_spec(n) "
      "is "
      "None]; print('missing: ' + ' and '.join(missing) if missing else '{}')",
      kThere);
  const Finished found = run_to_end({python, "-c", code}, kFindLimit);
  if (found.output.find(kThere) != std::string::npos) return;
  const std::size_t at = found.output.find("missing: ");
  if (at == std::string::npos)
    throw Error(ErrorKind::system, fmt::format("{} does not work: {}", python, found.output));
  std::string names = found.output.substr(at + 9);
  while (names.ends_with('\n')) names.pop_back();
  throw Error(ErrorKind::usage, fmt::format("{} has no package {}", python, names))
      .note("install it there: pip install SOURCE_FOLDER/python")
      .note(fmt::format("or set {} to an interpreter that has it", kPython));
}

class Export final : public Command {
 public:
  // The same options as `python -m understudy export`, declared for help, completion and early
  // errors; the words themselves are passed on.
  void declare(CLI::App& app) override {
    const auto text = [&](const char* name, const char* what, const char* type, bool required) {
      app.add_option(name, ignored_, what)
          ->type_name(type)
          ->allow_extra_args(false)
          ->required(required);
    };
    text("FACTORY",
         "MODULE:NAME of a Python function that returns (function, arguments[, keyword arguments])",
         "", true);
    text("--out", "folder that is written", "DIR", true);
    text("--mesh", "one axis of the mesh; repeatable", "AXIS=SIZE", false);
    text("--steps", "steps of the expected results (1)", "N", false);
    text("--carry", "a path of results that are arguments of the next step; repeatable",
         "RESULT=ARGUMENT", false);
    text("--per-step", "an argument whose leading axis is the step; repeatable", "PATH", false);
    text("--platforms", "platforms of the lowering, separated by commas (tpu)", "LIST", false);
    text("--artifact", "write the portable artifact in addition to the text, or instead of it",
         "beside|only", false);
    app.add_flag("--no-expect", flag_, "compute no expected results");
    text("--numerics", "mode for which tolerances are chosen: tpu (default) or ieee", "MODE",
         false);
    text("--deadline", "wall time for the expected results (300)", "SECONDS", false);
    app.add_flag("--json", flag_, "print JSON (understudy/exported/1)");
  }

  // Replaces this process, so that output, signals and exit code are those of Python.
  int run(const Console& /*console*/, const Environment& environment) override {
    const std::string python = interpreter(environment);
    require_package(python);
    // Everything from the verb on is passed on unchanged; the Python side declares the same
    // options.
    const auto verb = std::ranges::find(environment.words, "export");
    std::vector<std::string> words{python, "-m", "understudy"};
    words.insert(words.end(), verb, environment.words.end());
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    ::execv(python.c_str(), raw.data());
    throw Error(ErrorKind::system,
                fmt::format("cannot start {}: {}", python, words_for_code(errno)));
  }

 private:
  std::vector<std::string> ignored_;
  bool flag_ = false;
};

}  // namespace

std::unique_ptr<Command> make_export() { return std::make_unique<Export>(); }

}  // namespace understudy::launcher
