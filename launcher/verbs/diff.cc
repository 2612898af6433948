// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "configs/base/error.h"
#include "launcher/diff/compare_sides.h"
#include "launcher/diff/diff_words.h"
#include "launcher/options/ranges.h"
#include "launcher/process/console.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

// Reads programs as they are written; nothing is compiled, because a pass of ours could hide or add
// a difference.
class Diff final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("PROGRAM", paths_,
                   "two or more programs (StableHLO or HLO, text or binary), or folders that XLA "
                   "dumped into (--xla_dump_to), one for each host")
        ->type_name("");
    app.add_option("--most", most_, "list at most N operations and N collectives of a module")
        ->type_name("N")
        ->check(at_least(1))
        ->default_str("20");
    app.add_flag("--json", json_, "print JSON (understudy/diff/1)");
  }

  int run(const Console& console, const Environment&) override {
    if (paths_.size() < 2)
      throw Error(ErrorKind::usage, "diff requires two or more programs or dump folders")
          .note("understudy diff --help shows an example");
    std::vector<Side> sides;
    for (const std::string& path : paths_) sides.push_back(read_side(path));
    const configs::DiffReport report = Comparer(most_).compare(sides);
    std::string text = json_ ? to_json(report) : text_of(report);
    while (text.ends_with('\n')) text.pop_back();
    console.result(text);
    // Like diff(1): 1 if there are differences.
    return static_cast<int>(report.exit_code);
  }

 private:
  std::vector<std::string> paths_;
  std::size_t most_ = 20;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_diff() { return std::make_unique<Diff>(); }

}  // namespace understudy::launcher
