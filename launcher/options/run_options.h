// SPDX-License-Identifier: Apache-2.0
// What `understudy run` is told. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launcher/options/profile_options.h"
#include "launcher/options/run_deadline.h"
#include "launcher/options/slice_options.h"

namespace understudy::launcher {

struct RunOptions {
  std::string program;
  SliceOptions slice;
  ProfileOptions profile;
  std::optional<configs::ResolvedProfile> resolved = {};  // settle_profile() made it
  std::int64_t replicas = 0;           // 0: what the program or its manifest says
  std::string args;                    // folder
  std::vector<std::string> arg_words;  // "I=FILE.npy"
  bool per_replica = false;
  std::string fill, out, expect;
  std::optional<double> rtol, atol;
  std::int64_t steps = 0;                // 0: what the manifest says, else 1
  std::vector<std::string> carry_words;  // "R:A"
  std::string cache_dir, cache_policy = "per-host";
  std::string cache_folder;  // below it
  std::string cache_lock;    // empty: what the mount's self-test finds safe
  std::uint64_t cache_max_bytes = 0;
  std::vector<std::string> cache_trust;  // users whose entries are used too
  std::string numerics = "tpu", collectives = "auto";
  bool reproducible = false;
  double timeout_seconds = 60;
  std::optional<RunDeadline> deadline;
  std::vector<std::string> program_words;  // "RANKS=FILE"
  std::vector<std::string> step_words;     // "STEPS=FILE"
  std::string shape_guard = "strict";
  std::vector<std::string> fault_words;  // configs/launch/fault.h
  std::string receipt;
  bool no_receipt = false;
  std::string setup_script;              // that made the environment; empty: nobody named it
  std::string settings_from = "script";  // configs::RuntimeNote
  std::string hostfile, worker;
  std::vector<std::string> mpi_words;
  std::string job_kind;  // of --as; empty: what would be started here
  bool json = false, dry_run = false, metrics_report = false;
};

void declare_run(CLI::App& app, RunOptions& options);
// --deadline of any verb that starts something: counts from here on.
void declare_deadline(CLI::App& app, std::optional<RunDeadline>& deadline);
// --receipt and --no-receipt, which exclude each other.
void declare_receipt(CLI::App& app, std::string& receipt, bool& no_receipt);
// What all runs of a rehearsal share.
void declare_rehearsal(CLI::App& app, RunOptions& options);
// Of these what a verb needs that runs a program several times for its own ends.
void declare_probe(CLI::App& app, RunOptions& options);

// "3=x.npy" and "0:2" taken apart. *Throws* Error{usage} naming the option.
std::pair<std::int64_t, std::string> parse_arg(const std::string& word);
std::pair<std::int64_t, std::int64_t> parse_carry(const std::string& word);
// "0,4-6=x.mlir" taken apart: ranks (or steps) in order, each once, and the file. `option` is
// for messages.
std::pair<std::vector<std::int64_t>, std::string> parse_program(const std::string& word,
                                                                const char* option = "--program");

}  // namespace understudy::launcher
