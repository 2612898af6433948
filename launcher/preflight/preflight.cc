// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/preflight.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/host_memory.h"
#include "configs/launch/environment.h"
#include "configs/launch/inputs.h"
#include "launcher/diagnose/outcome.h"
#include "launcher/options/settled_options.h"
#include "launcher/preflight/checks.h"
#include "launcher/preflight/progress.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using configs::Preflight;

constexpr const char* kBinary = "understudy-tpu-compiler";
constexpr std::size_t kLogLines = 12;  // of the library's log that the document keeps

// Flags are separated by blanks, without quoting, as libtpu and XLA read these variables.
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// As the launch contract sets them.
CompilerFlags flags_of(const configs::Slice& slice, const configs::Profile& profile) {
  const auto variables = configs::variables_of(configs::launch_environment(
      configs::inputs_of(slice, profile, static_cast<std::int64_t>(slice.chips.size())), 0, 0));
  const auto value = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
  return {words_of(value("LIBTPU_INIT_ARGS")), words_of(value("XLA_FLAGS"))};
}

CompilerSettings settings_of(const std::vector<std::string>& words) {
  CompilerSettings settings;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(ErrorKind::usage,
                  fmt::format("--compiler-option {}: expected NAME=VALUE, such as "
                              "xla_tpu_scoped_vmem_limit_kib=16384",
                              word));
    settings.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return settings;
}

// TPU_LIBRARY_PATH may name our own plugin: `understudy run -- script` sets it for the script.
LibrarySearch search(const std::string& asked, const std::string& binary,
                     const Environment& environment) {
  return find_library(asked, environment, [&](const std::string& path) {
    try {
      return is_understudy(identify(binary, path));
    } catch (const Error&) {
      return false;  // it is asked again, and its failure told, when it is used
    }
  });
}

std::string binary_of(const Environment& environment) {
  std::string binary = find_program(environment.self, kBinary);
  if (binary.empty())
    throw Error(ErrorKind::system, fmt::format("{} was not found in {}", kBinary, environment.self))
        .note("build or install it into the folder of understudy");
  return binary;
}

// One program: `dump` is its file. Several: `dump` is a folder, and names may hold slashes.
std::string file_for(const std::string& dump, const std::string& name, bool several) {
  if (!several) return dump;
  std::string file = name;
  std::ranges::replace(file, '/', '_');
  return dump + "/" + file + ".hlo.pb";
}

void dump(const PreflightOptions& options, const std::string& name, const std::string& scheduled) {
  const bool several = options.programs.size() > 1;
  if (options.compiler.dump.empty() || scheduled.empty()) return;
  std::error_code code;
  if (several) fs::create_directories(options.compiler.dump, code);
  const std::string file = file_for(options.compiler.dump, name, several);
  write_file_atomically(file, std::string_view(scheduled));
  write_file_atomically(file + ".json", std::string_view(schedule_json(scheduled)));
}

// Programs with one fingerprint are the same executable to the compiler: rungs that should differ
// and do not are found by it.
void group_fingerprints(Preflight& document) {
  for (const configs::PreflightProgram& one : document.programs) {
    if (one.fingerprint.empty()) continue;
    const auto same = std::ranges::find(document.fingerprints, one.fingerprint,
                                        &configs::PreflightFingerprint::fingerprint);
    if (same == document.fingerprints.end())
      document.fingerprints.push_back({one.fingerprint, {one.name}});
    else
      same->programs.push_back(one.name);
  }
}

class Run {
 public:
  Run(const PreflightOptions& options, const configs::Slice& slice, const Environment& environment,
      const Console& console, SignalQueue& signals)
      : options_(options),
        slice_(slice),
        environment_(environment),
        progress_(console, signals, options.on_step) {}

  Preflight run() {
    const Clock::time_point begin = Clock::now();
    document_.slice =
        options_.slices > 1 ? fmt::format("{}x{}", options_.slices, slice_.name) : slice_.name;
    document_.chip = slice_.chip.name;
    RunOptions run = options_.run;
    profile_ = settle_profile(run, environment_).values;
    document_.profile = options_.run.profile.profile;
    const CacheChoice cache{cache_folder(run, environment_.cache_home), run.cache_policy,
                            run.cache_trust};
    // Without a library the document still has slice, profile and the reason.
    if (open(cache)) ask();
    group_fingerprints(document_);
    configs::judge(document_);
    document_.exit_code = exit_code();
    document_.wall_seconds = seconds_since(begin);
    return std::move(document_);
  }

 private:
  bool open(const CacheChoice& cache) {
    const std::string binary = binary_of(environment_);
    LibrarySearch found = search(options_.compiler.libtpu, binary, environment_);
    for (std::string& one : found.skipped) document_.notes.push_back(std::move(one));
    if (!found.found) {
      document_.notes.insert(document_.notes.begin(),
                             fmt::format("libtpu is not installed: {}", kLibraryRemedy));
      return false;
    }
    CompilerLimits limits;
    limits.answer = Seconds(options_.compiler.compile_timeout);
    // The library would take what it gets; past all memory, the kernel may choose the launcher.
    limits.memory_bytes = options_.compiler.memory_bytes != 0 ? options_.compiler.memory_bytes
                                                              : host_memory_bytes() / 4 * 3;
    compiler_.emplace(binary, *found.found, cache, limits,
                      [this](Seconds waited) { return progress_.goes_on(waited); });
    return identify_library();
  }

  // A file that is no library, or one that lacks what is needed, ends the pre-flight here.
  bool identify_library() {
    const LibraryFile& file = compiler_->library();
    configs::PreflightLibrary seen{file.path, file.version, "", file.identity, "", file.found_by};
    progress_.begins("loading " + file.path);
    try {
      seen.api = compiler_->api();
      document_.libtpu = seen;
      return true;
    } catch (const Error& error) {
      document_.notes.insert(document_.notes.begin(),
                             fmt::format("{} cannot be used: {}", file.path, error.message()));
      for (const std::string& note : error.notes()) document_.log.push_back(note);
      return false;
    }
  }

  // Flags first: settings that the library refused are not given to it again with each program.
  void ask() {
    progress_.begins("checking flags");
    const FlagCheck flags = check_flags(*compiler_, flags_of(slice_, profile_),
                                        settings_of(options_.compiler.settings));
    document_.flags = flags.flags;
    progress_.begins("checking the topology");
    document_.topology = check_topology(*compiler_, slice_, options_.slices);
    add_build();
    std::size_t number = 0;
    for (const auto& [name, run] : options_.programs) {
      progress_.begins(fmt::format("compiling {} ({} of {}) for {}", name, ++number,
                                   options_.programs.size(), document_.slice));
      // Each program has its row, so that a reader of the document sees what is missing.
      if (progress_.stopped()) {
        document_.programs.push_back(not_run(name, run));
        continue;
      }
      ProgramSeen seen =
          check_program(*compiler_, {name, run}, slice_, options_.slices, flags.accepted_settings);
      dump(options_, name, seen.scheduled);
      document_.programs.push_back(std::move(seen.program));
    }
    progress_.ends();
    const std::string log = compiler_->log();
    document_.log = end_of_log(log, kLogLines);
    if (!options_.compiler.log.empty())
      write_file_atomically(options_.compiler.log, std::string_view(log));
    for (const configs::Receipt& receipt : options_.observed) add_observed(document_, receipt);
  }

  // A program that is missing from the document could be taken for one that was not asked for.
  static configs::PreflightProgram not_run(const std::string& name, const RunOptions& run) {
    configs::PreflightProgram out;
    out.name = name;
    out.path = run.program;
    out.status = "not run";
    out.words = "interrupted";
    return out;
  }

  // "TFRT TPU v6 lite\nBuilt on Jun 17 2026 11:08:48 (1781719728) cl/933746096": the second line.
  void add_build() {
    try {
      std::string version = topology_of(*compiler_, slice_, 1).answer.version;
      if (const std::size_t end = version.find('\n'); end != std::string::npos)
        version = version.substr(end + 1);
      document_.libtpu->build = version;
    } catch (const Error&) {
      return;  // the check of the topology has told it
    }
  }

  std::int64_t exit_code() const {
    if (progress_.stopped()) return kSignalled + *progress_.stopped();
    if (document_.claim == "proven") return 0;
    // Without a library nothing was checked: the machine lacks something, the launch may be right.
    return exit_code_of(document_.libtpu ? ErrorKind::check : ErrorKind::system);
  }

  const PreflightOptions& options_;
  const configs::Slice& slice_;
  const Environment& environment_;
  PreflightProgress progress_;
  configs::Profile profile_;
  std::optional<TpuCompiler> compiler_;
  Preflight document_;
};

}  // namespace

Preflight preflight(const PreflightOptions& options, const configs::Slice& slice,
                    const Environment& environment, const Console& console, SignalQueue& signals) {
  return Run(options, slice, environment, console, signals).run();
}

// What a run measured stands beside what the compiler predicted. A receipt belongs to a program by
// the digest of its text; that of a rehearsal by the names of its rungs.
void add_observed(Preflight& document, const configs::Receipt& receipt) {
  for (configs::PreflightProgram& one : document.programs) {
    if (!one.memory) continue;
    if (one.digest == receipt.program.digest && !one.digest.empty() &&
        receipt.hbm_peak_bytes.observed)
      one.memory->observed = receipt.hbm_peak_bytes.observed;
    if (!receipt.ladder) continue;
    const auto& rungs = receipt.ladder->rungs;
    const auto rung = std::ranges::find(rungs, one.name, &configs::RungSeen::rung);
    if (rung != rungs.end() && rung->hbm_observed) one.memory->observed = rung->hbm_observed;
  }
}

CompilerFound find_compiler(const Environment& environment) {
  const std::string binary = find_program(environment.self, kBinary);
  const LibrarySearch found = search("", binary, environment);
  std::string text;
  for (const std::string& one : found.skipped) text += "; " + one;
  if (!found.found) return {false, "libtpu is not installed (optional)" + text};
  const LibraryFile& file = *found.found;
  return {true, fmt::format("libtpu {} at {} ({}){}",
                            file.version.empty() ? "of unknown version" : file.version, file.path,
                            file.found_by, text)};
}

}  // namespace understudy::launcher
