// SPDX-License-Identifier: Apache-2.0
// A pre-flight: asks the real TPU compiler about a launch, without a TPU. Call from the main
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/receipt/preflight/preflight.h"
#include "configs/receipt/receipt.h"
#include "launcher/options/run_options.h"

namespace CLI {
class App;
}

namespace understudy::launcher {

struct Console;
struct Environment;
class SignalQueue;

// Beside those of a run. Also options of `rehearse --preflight`.
struct CompilerChoice {
  std::string libtpu;                 // file; empty: searched
  double compile_timeout = 600;       // seconds for one compile
  std::uint64_t memory_bytes = 0;     // of the compiler's process; 0: 3/4 of the machine's
  std::vector<std::string> settings;  // "NAME=VALUE"
  std::string dump;  // file for the scheduled program, or folder for those of several programs
  std::string log;   // file for what the library writes
};
// --libtpu, --compile-timeout, --compile-memory, --compiler-option, --dump-scheduled, --libtpu-log.
void declare_choice(CLI::App& app, CompilerChoice& choice, bool with_files);

struct PreflightOptions {
  RunOptions run;  // its program is not used
  CompilerChoice compiler;
  std::int64_t slices = 1;                                   // joined slices
  std::vector<std::pair<std::string, RunOptions>> programs;  // name and options
  std::vector<configs::Receipt> observed;  // of earlier runs, for memory that was observed
  // Gets each step instead of stderr, where set.
  std::function<void(const std::string& step)> on_step = {};
};

// Shows progress on stderr. What is finished when a signal arrives stays in the document, and in
// the cache. *Throws* errors of the command line, and of files that cannot be read or written.
configs::Preflight preflight(const PreflightOptions& options, const configs::Slice& slice,
                             const Environment& environment, const Console& console,
                             SignalQueue& signals);

// What runs observed about the memory of the programs.
void add_observed(configs::Preflight& preflight, const configs::Receipt& receipt);

// As text, at most 100 columns where paths and the compiler's words allow it.
std::string preflight_text(const configs::Preflight& preflight, const Console& console);
// "nothing changed", or a table of what, then, now.
std::string changes_text(const std::vector<configs::PreflightChange>& changes);

// The table of a scheduled program as JSON: understudy/schedule/1.
std::string schedule_json(const std::string& module_proto);

// "libtpu 0.0.42.1 at PATH (wheel in ...)", or why there is none: for `doctor`.
struct CompilerFound {
  bool found = false;
  std::string text;
};
// Looks only; loads no library except to recognise our own plugin.
CompilerFound find_compiler(const Environment& environment);

}  // namespace understudy::launcher
