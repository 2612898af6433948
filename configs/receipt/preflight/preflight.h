// SPDX-License-Identifier: Apache-2.0
// What the real TPU compiler said about a launch: `preflight --json` (understudy/preflight/1), and
// `preflight` of a receipt. Sizes are per chip, in bytes. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace understudy::configs {

// The library that was asked. Version: of its wheel, empty where it is in none.
struct PreflightLibrary {
  std::string path, version, build, build_id, api, found_by;
};

// One flag on its own. `words` are the compiler's, with its suggestion; empty if accepted.
struct PreflightFlag {
  std::string source;  // "LIBTPU_INIT_ARGS", "XLA_FLAGS" or "--compiler-option"
  std::string flag;
  std::string status;  // "accepted", "refused" or "not checked"
  std::string words;
};

// One property that the launch contract and the compiler see differently.
struct PreflightDifference {
  std::string what, contract, compiler;
  std::string why;  // empty: not explained
};

struct PreflightTopology {
  std::string name;  // "v6e:4x4"
  std::vector<std::int64_t> chips_per_host;
  std::int64_t slices = 1;
  std::string status;  // "agrees", "differs", "refused" or "not checked"
  std::string words;   // of the compiler
  std::string device_kind;
  std::int64_t devices = 0, processes = 0;
  std::optional<std::uint64_t> hbm_bytes;  // that a program may use
  std::vector<PreflightDifference> differences;
};

struct PreflightMemory {
  std::uint64_t arguments = 0, outputs = 0, aliases = 0, temporaries = 0, code = 0;
  std::uint64_t total = 0;                 // arguments + outputs - aliases + temporaries + code
  std::optional<std::uint64_t> hbm;        // that a program may use
  std::optional<std::uint64_t> predicted;  // by understudy
  std::optional<std::uint64_t> observed;   // by a run of understudy
  std::optional<double> ratio;             // total / predicted
};

// Collectives of the scheduled program that differ in nothing but their place in it.
struct PreflightCollective {
  std::string kind;  // "all-reduce"
  std::int64_t count = 0;
  std::uint64_t bytes = 0;  // of the operands of all of them
  std::string groups, algorithm, place;
  bool asynchronous = false, in_loop = false;
};

// One kind of collective: in our executable, in the partitioner's program, in the compiler's.
struct PreflightComparison {
  std::string kind;
  std::int64_t ours = 0, compiler = 0;
  std::uint64_t our_bytes = 0, compiler_bytes = 0;
  std::optional<std::int64_t> partitioner;  // null: the program needs none
  std::string verdict;                      // "same", "explained" or "differs"
  std::string why;
};

struct PreflightProgram {
  std::string name, path, digest;
  std::int64_t chips = 0;
  std::string topology;
  std::string status;  // "compiles", "refused", "failed" (no answer) or "not run"
  std::string words;   // of the compiler, or why it gave no answer
  std::optional<std::string> place, source_line;  // in the user's file, of a refusal
  bool cached = false;
  double seconds = 0;
  std::optional<std::int64_t> executable_bytes;
  std::optional<PreflightMemory> memory;
  std::vector<PreflightCollective> collectives;
  std::vector<PreflightComparison> comparison;
  std::optional<std::int64_t> instructions, estimated_cycles;  // of the scheduled program
  std::map<std::string, double> costs;                         // "flops", "bytes accessed"
  std::string fingerprint;
  std::vector<std::string> notes;
};

// Programs with one fingerprint are compiled once.
struct PreflightFingerprint {
  std::string fingerprint;
  std::vector<std::string> programs;
};

struct Preflight {
  std::string claim;  // "proven", "not shown" or "failed"
  std::string why;
  std::optional<PreflightLibrary> libtpu;
  std::string slice, chip, profile;
  std::vector<PreflightFlag> flags;
  std::optional<PreflightTopology> topology;
  std::vector<PreflightProgram> programs;
  std::vector<PreflightFingerprint> fingerprints;
  std::vector<std::string> notes;
  std::vector<std::string> log;  // the last lines that the library wrote
  double wall_seconds = 0;
  std::int64_t exit_code = 0;
};

std::string to_json(const Preflight& preflight);
// The JSON schema of to_json(): configs/schema/preflight.json.
std::string preflight_schema();
// Throws Error{config} with file, line, column and pointer.
Preflight read_preflight(const std::string& text, const std::string& path);
// Whether a JSON document says that it is one.
bool is_preflight(const std::string& text, const std::string& path);

// claim and why follow from the rest: proven if all flags are accepted, the topology agrees or is
// explained, and every program compiles and fits; failed if the compiler refused something.
void judge(Preflight& preflight);

// Two pre-flights of the same launch: what another libtpu, profile or program changed.
struct PreflightChange {
  std::string what;  // "program rung-3: memory total"
  std::string then, now;
  bool operator==(const PreflightChange&) const = default;
};
std::vector<PreflightChange> changes_between(const Preflight& then, const Preflight& now);

}  // namespace understudy::configs
