// SPDX-License-Identifier: Apache-2.0
// `cache ls`, `explain`, `verify` and `prune`: cache housekeeping. Safe while pods use the cache.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "cache/housekeeping.h"
#include "configs/base/error.h"
#include "configs/base/units.h"
#include "configs/report/cache_documents.h"
#include "launcher/cache/explain.h"
#include "launcher/options/ranges.h"
#include "launcher/options/run_options.h"
#include "launcher/options/settled_options.h"
#include "launcher/pod/orphans.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/plan_run.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

using cache::EntrySeen;

std::string cache_folder(const std::string& wanted, const Environment& environment) {
  const std::string folder = wanted.empty() ? environment.cache_home + "/understudy" : wanted;
  // Only a folder that the user named must exist; an unused default cache is simply empty.
  std::error_code code;
  if (!std::filesystem::is_directory(folder, code) && !wanted.empty())
    throw Error(ErrorKind::input, fmt::format("cache folder {} does not exist", folder));
  return folder;
}

// result() adds the newline itself.
void print_json(const Console& console, std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  console.result(text);
}

std::vector<configs::CacheLeftover> leftovers_of(const std::string& folder) {
  std::vector<configs::CacheLeftover> all;
  for (const cache::Leftover& left : leftovers_below(cache::machine_files(), folder))
    all.push_back({left.path, left.owner, left.is_dead});
  return all;
}

void print_leftovers(const Console& console, const std::vector<configs::CacheLeftover>& leftovers) {
  for (const configs::CacheLeftover& left : leftovers) {
    const std::string owner = left.owner.empty() ? "an unknown process" : left.owner;
    console.result(left.is_dead
                       ? fmt::format("left by {}, which has ended (cache prune removes it): {}",
                                     owner, left.path)
                       : fmt::format("held by {}: {}", owner, left.path));
  }
}

// The beginning of a key is enough for `cache explain --against`. -v adds all parts of the key.
constexpr std::size_t kKeyShown = 16;

// Same widths as entry_line().
std::string entry_head() {
  return fmt::format("{:<16}  {:>9}  {:<17}  {:<5}  {:<8}  {:<16}  {}", "KEY", "SIZE", "STATE",
                     "CHIP", "NUMERICS", "PROGRAM", "FOLDER");
}

std::string entry_line(const configs::CacheEntry& entry, const std::string& folder) {
  const auto part = [&](const char* name) {
    const auto found = entry.parts.find(name);
    return found == entry.parts.end() || found->second.empty() ? "-" : found->second;
  };
  const std::string at = std::filesystem::path(entry.path).parent_path().lexically_relative(folder);
  return fmt::format("{:<16}  {:>9}  {:<17}  {:<5}  {:<8}  {:<16}  {}",
                     entry.key.substr(0, kKeyShown), bytes_text(entry.bytes), entry.state,
                     part("chip"), part("numerics"), part("program").substr(0, kKeyShown), at);
}

// Options that all housekeeping verbs share.
class OverFolder : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("DIR", directory_,
                   "cache folder or one of its subfolders (default: the user's cache)")
        ->type_name("");
    app.add_option("--cache-dir", directory_, "same as DIR")->type_name("DIR");
    app.add_flag("--json", json_, "print JSON (docs/formats.md)");
  }

 protected:
  std::string directory_;
  bool json_ = false;
};

// Takes no lock: a pod that publishes at the same time is not delayed, and its new entry is listed
// or not.
class List final : public OverFolder {
 public:
  int run(const Console& console, const Environment& environment) override {
    const std::string folder = cache_folder(directory_, environment);
    std::vector<configs::CacheEntry> entries;
    for (const EntrySeen& seen : entries_below(cache::machine_files(), folder))
      entries.push_back(entry_document(seen));
    const std::vector<configs::CacheLeftover> leftovers = leftovers_of(folder);
    if (json_) {
      print_json(console, configs::cache_list_json(entries, leftovers));
      return 0;
    }
    std::uint64_t bytes = 0;
    if (!entries.empty()) console.result(entry_head());
    for (const configs::CacheEntry& entry : entries) {
      bytes += entry.bytes;
      console.result(entry_line(entry, folder));
      if (console.verbosity <= 0) continue;
      for (const auto& [name, value] : entry.parts)
        console.result(fmt::format("    {:<14} {}", name, value));
    }
    print_leftovers(console, leftovers);
    const char* const words = entries.size() == 1 ? "entry" : "entries";
    console.result(
        fmt::format("{} {}, {}, in {}", entries.size(), words, bytes_text(bytes), folder));
    return 0;
  }
};

// Checks digests only. An intact entry may still be refused by a pod that runs another build.
class Verify final : public OverFolder {
 public:
  int run(const Console& console, const Environment& environment) override {
    const std::string folder = cache_folder(directory_, environment);
    std::vector<configs::CacheEntry> entries;
    std::int64_t bad = 0;
    for (const EntrySeen& seen : entries_below(cache::machine_files(), folder)) {
      entries.push_back(entry_document(seen));
      // An entry of another build or format is a plain miss and not damaged.
      if (seen.refusal == cache::Refusal::none || is_miss(seen.refusal)) continue;
      ++bad;
      if (!json_) console.result(fmt::format("{} {}", entries.back().state, seen.path));
    }
    const std::vector<configs::CacheLeftover> leftovers = leftovers_of(folder);
    if (json_) {
      print_json(console, configs::cache_verify_json(entries, bad, leftovers));
    } else {
      print_leftovers(console, leftovers);
      console.result(fmt::format("{} entries, {} bad", entries.size(), bad));
    }
    return bad == 0 ? 0 : exit_code_of(ErrorKind::check);
  }
};

// Removes only what no living process can own. Without options all intact entries stay.
class Prune final : public OverFolder {
 public:
  void declare(CLI::App& app) override {
    OverFolder::declare(app);
    app.add_option("--max-bytes", rules_.max_bytes,
                   "evict the least recently used entries of each folder above N bytes")
        ->type_name("N")
        ->check(at_least(0));
    app.add_flag("--stale", rules_.stale, "also remove entries written by other builds");
  }

  int run(const Console& console, const Environment& environment) override {
    const std::string folder = cache_folder(directory_, environment);
    // A killed run also leaves its run folder and shared-memory files.
    for (const std::string& line :
         orphan_lines(remove_orphans({environment.temporary, "/dev/shm"})))
      console.remark(line);
    const cache::Pruned done = prune(cache::machine_files(), folder, rules_);
    if (json_) {
      print_json(console, to_json(configs::CachePrune{
                              done.temporaries, done.locks, done.quarantined, done.orphans,
                              done.stale, done.evicted, done.bytes, done.kept, done.refused}));
      return 0;
    }
    console.result(fmt::format(
        "removed {} temporary files and {} locks of dead processes, {} quarantined entries, {} "
        "orphans, {} entries of other builds; evicted {} entries",
        done.temporaries, done.locks, done.quarantined, done.orphans, done.stale, done.evicted));
    // Remarks and not results: scripts that read stdout see only what was removed.
    for (const std::string& kept : done.kept)
      console.remark(fmt::format("kept, because its process may be alive: {}", kept));
    for (const std::string& refused : done.refused) console.remark(refused);
    return 0;
  }

 private:
  cache::PruneRules rules_;
};

// Computes the key like a run does, so the options that are part of the key are the same.
class Explain final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("PROGRAM", options_.program,
                   "a StableHLO or HLO file, or a folder with manifest.json")
        ->type_name("");
    app.add_option("--against", against_,
                   "cache entry, by path or key prefix (default: the nearest entry)")
        ->type_name("ENTRY");
    declare_slice(app, options_.slice);
    app.add_option("--replicas", options_.replicas,
                   "number of replicas, if the program does not specify it")
        ->type_name("N")
        ->check(at_least(1));
    app.add_option("--numerics", options_.numerics,
                   "precision of f32 products: tpu (default) or ieee")
        ->type_name("MODE")
        ->check(CLI::IsMember({"tpu", "ieee"}));
    declare_profile(app, options_.profile);
    app.add_option("--cache-dir", options_.cache_dir, "folder of the compile cache")
        ->type_name("DIR");
    app.add_flag("--json", json_, "print JSON (understudy/cache-explain/1)");
  }

  int run(const Console& console, const Environment& environment) override {
    use_partitioner(options_, environment);
    const LoadedProgram program = load_program(options_);
    const configs::Slice slice = choose_slice(options_.slice, program);
    const cache::KeyParts parts = key_parts_of(
        program, slice, options_, resolve_profile(options_.profile, environment).values);
    const std::string folder = cache_folder(options_.cache_dir, environment);
    const std::string entry = against(parts, folder);
    configs::CacheExplanation explanation;
    explanation.key = key_of(parts);
    const cache::NamedParts named = named_parts(parts);
    explanation.parts = {named.begin(), named.end()};
    if (!entry.empty())
      explanation =
          explain(*program.module, parts, cache::read_entry(cache::machine_files(), entry));
    explanation.program = program.path;
    print_json(console, json_ ? to_json(explanation) : explanation_text(explanation));
    return 0;
  }

 private:
  // Without --against, the entry with the fewest differing key parts is the most likely one that
  // the user expected to hit.
  std::string against(const cache::KeyParts& parts, const std::string& folder) const {
    if (!against_.empty()) return find_entry(cache::machine_files(), folder, against_);
    const std::vector<EntrySeen> entries = entries_below(cache::machine_files(), folder);
    const EntrySeen* const nearest = nearest_entry(parts, entries);
    return nearest == nullptr ? "" : nearest->path;
  }

  RunOptions options_;
  std::string against_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_cache_ls() { return std::make_unique<List>(); }
std::unique_ptr<Command> make_cache_verify() { return std::make_unique<Verify>(); }
std::unique_ptr<Command> make_cache_prune() { return std::make_unique<Prune>(); }
std::unique_ptr<Command> make_cache_explain() { return std::make_unique<Explain>(); }

}  // namespace understudy::launcher
