// SPDX-License-Identifier: Apache-2.0
// What is needed to reproduce a run on another machine, and how long each part remains valid: the
// part of a receipt (understudy/receipt/2) that does not describe the course of the run. Plain
// values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "configs/receipt/cache_stress.h"

namespace understudy::configs {

struct PackagePin {
  std::string name, version;
};
// What the environment is made of.
struct Pins {
  std::optional<std::string> setup_script;   // its path; null: only packages are known
  std::optional<std::string> script_sha256;  // of its bytes
  std::vector<PackagePin> packages;          // as the launcher and the workers found them
};

struct EnvRestore {
  std::string method;        // "setup script" or "pin set"
  std::string steps_sha256;  // of the script's bytes, or of the lines "name=version"
  std::string by;            // who wrote this down
};

// Of the program that was run.
struct CodeState {
  std::optional<std::string> commit;               // of the repository that holds it
  std::optional<bool> dirty;                       // its folder has changes that are not committed
  std::optional<bool> tree_sha256_per_rank_equal;  // every chip got the same bytes
};

// Where the settings of the run came from: "script" (a command line), "validation_log" (the
// catalogue of earlier launches) or "run_receipt" (rehearse --from).
struct RuntimeNote {
  std::string source = "script";
};

struct Hardware {
  std::string chip, topology;  // "v6e", "4x4"
  std::vector<bool> wrap;      // for each axis whether its ends are joined
  std::int64_t hosts = 0, processes = 0, chips_per_process = 0;
  std::string table;  // which numbers of the chip: "seed" or "public"
};

// Whether something was shown, and by what; null: nobody got so far as to see.
struct GateAnswer {
  std::optional<bool> holds;
  std::string evidence;
};
struct GateAnswers {
  GateAnswer env_before_import, spmd_before_tensors;
};

struct CacheUse {
  std::string policy;
  std::optional<std::string> lock;             // of a policy that takes one
  std::optional<Quantiles> lock_wait_seconds;  // of each time a process asked for a lock
  std::optional<std::string> path_class;       // "node-local" or "shared": of the mount
  // That wrote an entry; null until all chips told.
  std::optional<std::vector<std::int64_t>> writer_ranks;
  std::optional<std::string> lock_selftest;  // what was found to exclude; null: nobody needed it
};

// The three values together: a host has to have room for all of them.
struct HostMemoryUse {
  std::uint64_t premapped_bytes = 0;  // of each process
  std::uint64_t loader_resident_bytes = 0, os_headroom_bytes = 0;
};

// What only the launcher knows of all this.
struct Provenance {
  Pins pins;
  CodeState code_state;
  RuntimeNote runtime_note;
  Hardware hardware;
  CacheUse cache;
  HostMemoryUse mem;
};

// How long each kind of evidence may be believed: "keep" until code changes, or "recheck".
const std::map<std::string, std::string>& durability();
// Fields that differ between two runs of the same thing, as JSON pointers; "*" is any key.
const std::vector<std::string>& volatile_fields();

}  // namespace understudy::configs
