// SPDX-License-Identifier: Apache-2.0
// The options of `understudy run`. Values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launcher/options/compiler_options.h"
#include "launcher/options/profile_options.h"
#include "launcher/options/run_deadline.h"
#include "launcher/options/slice_options.h"

namespace understudy::launcher {

class Partitioning;

struct RunOptions {
  std::string program;
  std::vector<std::string> script;  // the words after "--": runs on every host; empty: none
  double launch_timeout_seconds = 300;
  SliceOptions slice;
  ProfileOptions profile;
  std::optional<configs::ResolvedProfile> resolved = {};  // set by settle_profile()
  std::int64_t replicas = 0;             // 0: taken from the program or its manifest
  std::string device_order;              // "3,1,0,2": the rank of each process; empty: in order
  std::string args;                      // folder
  std::vector<std::string> arg_words;    // "I=FILE.npy"
  std::vector<std::string> shape_words;  // "I=8x128"
  std::string platforms;                 // "cpu,tpu": the order of the program's platform index
  bool per_replica = false;
  std::vector<std::int64_t> per_step;  // arguments whose files have one array for each step
  std::string fill, out, expect;
  std::optional<double> rtol, atol;
  std::int64_t steps = 0;                // 0: taken from the manifest, else 1
  std::vector<std::string> carry_words;  // "R:A"
  std::string cache_dir, cache_policy = "per-host";
  std::string cache_folder;  // subfolder of cache_dir
  std::string cache_lock;    // empty: chosen by a self-test of the mount
  std::uint64_t cache_max_bytes = 0;
  std::vector<std::string> cache_trust;  // users whose entries are also accepted
  std::string numerics = "tpu", collectives = "auto";
  bool reproducible = false;
  CompilerOptions compiler;
  double timeout_seconds = 60;
  std::optional<RunDeadline> deadline;
  std::vector<std::string> program_words;  // "RANKS=FILE"
  std::vector<std::string> step_words;     // "STEPS=FILE"
  std::string shape_guard = "strict";
  std::vector<std::string> fault_words;  // configs/launch/fault.h
  std::string receipt;
  bool no_receipt = false;
  std::string setup_script;              // script that set up the environment; empty: not given
  std::string settings_from = "script";  // configs::RuntimeNote
  std::string hostfile, worker;
  std::vector<std::string> mpi_words;
  std::string job_kind;               // value of --as; empty: print the local command
  bool nan_check = false;             // NaN or infinities in a result are an error
  bool looks_for_non_finite = false;  // set for the run that looks for their origin
  bool json = false, dry_run = false, metrics_report = false;
  // Shared by all runs of a command; set by settle_profile(). Empty: programs that need a
  // partitioner are refused.
  std::shared_ptr<Partitioning> partitioning = {};
};

// All options of `understudy run`. `options` must outlive the parse.
void declare_run(CLI::App& app, RunOptions& options);
// --deadline, for every verb that starts workers. The time counts from parsing on.
void declare_deadline(CLI::App& app, std::optional<RunDeadline>& deadline);
// --mpi-arg and --worker, for every verb that starts workers.
void declare_workers(CLI::App& app, std::vector<std::string>& mpi_words, std::string& worker);
void declare_hostfile(CLI::App& app, std::string& hostfile);
// --receipt and --no-receipt, which exclude each other.
void declare_receipt(CLI::App& app, std::string& receipt, bool& no_receipt);
// The options that apply to every run of a rehearsal.
void declare_rehearsal(CLI::App& app, RunOptions& options);
// The subset for verbs that run a program several times to examine it (`metrics`).
void declare_probe(CLI::App& app, RunOptions& options);

// Parses "3=x.npy" and "0:2". *Throws* Error{usage} naming the option.
std::pair<std::int64_t, std::string> parse_arg(const std::string& word);
// Parses "3=8x128" and "3=" (a scalar).
std::pair<std::int64_t, std::vector<std::int64_t>> parse_shape(const std::string& word);
// "R:A". *Throws* Error{usage}.
std::pair<std::int64_t, std::int64_t> parse_carry(const std::string& word);
// Parses "0,4-6=x.mlir" into sorted, distinct ranks (or steps) and the file. `option` is used in
// messages.
std::pair<std::vector<std::int64_t>, std::string> parse_program(const std::string& word,
                                                                const char* option = "--program");

}  // namespace understudy::launcher
