// SPDX-License-Identifier: Apache-2.0
// The sections of a receipt (receipt.h): the program, hosts, ranks, steps, collectives, results,
// peaks of memory, failures. What nobody saw is null. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/launch/profile/profile.h"
#include "configs/receipt/record/record.h"

namespace understudy::configs {

// What failed a run, or what a rung of a ladder warned of.
struct ReceiptFailure {
  // Null: a warning, the run did not fail by it.
  std::optional<FailureKind> kind = FailureKind::internal;
  std::string id = {};                           // of the catalogue of failures, "F36", or ""
  std::optional<std::int64_t> rank, host, chip;  // of the message; chip is its id in the slice
  std::optional<std::string> phase, op;
  std::optional<std::string> place;  // "path:line:column" of the op
  std::string message;
  std::optional<std::int64_t> rank_first;    // the rank that was gone, stopped or stuck first
  std::vector<std::int64_t> missing_ranks;   // who was waited for
  std::optional<std::string> process;        // lost: "worker" or "mpirun"
  std::optional<std::string> signal;         // that ended or stopped it, "SIGKILL"
  std::optional<Evidence> evidence;          // of the report that is told
  std::optional<std::string> diagnosis;      // what is wrong: a name of configs/receipt/diagnosis.h
  std::optional<std::string> layer, advice;  // where it belongs and what to do, of the diagnosis
  std::optional<std::string> python = {};    // "path:line:column" of the Python behind `place`
  std::optional<std::int64_t> slice = {};    // of the host; null: the pod is one slice
};

struct ResultComparison {
  double max_abs_error = 0, max_rel_error = 0;
  double rtol = 0, atol = 0;
  bool ok = false;
};

struct ReceiptProgram {
  std::string path, digest, numerics, collectives;
  std::int64_t replicas = 0, partitions = 0;
  // The rank of each process, as the user chose it; null: process i is on rank i.
  std::optional<std::vector<std::int64_t>> device_order = {};
  // Reductions folded in group order (--reproducible); null: an older receipt.
  std::optional<bool> reproducible = {};
};

struct ReceiptVersions {
  std::string revision;              // of the launcher
  std::vector<std::string> workers;  // distinct "version (revision)" that workers told
  std::vector<std::string> mpi;      // distinct
};

// One emulated host.
struct HostSeen {
  std::int64_t host = 0;
  std::vector<std::int64_t> ranks;
  std::vector<std::string> machines;          // distinct, of the workers that started
  std::vector<std::string> contract_digests;  // distinct; one when all agree
  std::optional<std::int64_t> compiles;       // together; null until all its chips told
  std::optional<std::int64_t> slice;          // null: the pod is one slice
};

// One process and its chip, as its record tells.
struct RankSeen {
  std::int64_t rank = 0, host = 0;
  std::optional<std::int64_t> worker_id;           // TPU_WORKER_ID, as the process has it
  std::optional<std::vector<std::int64_t>> coord;  // x, y, z and kind, as the live probe found them
  std::optional<std::string> device_kind;
  std::optional<std::string> lib_version;
  std::optional<double> clock_skew_ms;    // against rank 0; null: not measured
  std::optional<std::string> last_stage;  // null: there is no record
  std::optional<std::uint64_t> instructions, dropped;
  std::optional<Started> started;
  std::vector<GateSeen> gates;       // one that was not passed is the last
  std::optional<Compiled> compiled;  // of the first program
  // Programs that were asked for when a step had been run, and those of them that were compiled:
  // null until the chip told its totals.
  std::optional<std::int64_t> late_programs, late_compiles;
  std::optional<MemorySeen> memory;
  std::optional<Totals> totals;
  // Null until the chip told its totals: it may have run some that it did not come to count.
  std::optional<std::vector<CollectiveCount>> collectives;
  std::vector<ResultSeen> results;   // of the last step that was asked for
  std::optional<SignalSeen> signal;  // that asked it to end, the first
  std::optional<Failed> failed;
  // Of a run that failed: the last collectives of the chip, oldest first; null of one that passed.
  std::optional<std::vector<FlightSeen>> flight;
};

// Who came last to one collective of the program, in all groups that ran it.
struct ArrivalsSeen {
  std::string kind;
  std::int64_t op_index = -1;
  std::optional<std::string> place;  // "path:line:column"
  std::int64_t members = 0;          // of the largest group
  std::int64_t compared = 0;         // of these, at least; less than members: see Stragglers::clock
  std::int64_t times = 0;            // in which a last one was found
  double spread_seconds = 0, spread_max_seconds = 0;  // first to last: all times; the longest
  std::vector<LateRank> last;                         // most often first
};

struct Stragglers {
  std::string clock;  // what the times mean
  std::vector<ArrivalsSeen> sites;
  std::vector<LateRank> ranks;  // all sites together, who cost most first
};

struct StepSeen {
  std::int64_t index = 0;
  double wall_seconds = 0;                 // from the last chip's start to the last chip's end
  std::optional<double> emulated_seconds;  // unknown
  std::vector<std::pair<std::int64_t, double>> scalars;  // result, value
};

// One kind of collective with one algorithm. Per chip: the largest over the chips.
struct CollectiveSeen {
  std::string kind, algorithm;
  std::int64_t count = 0;   // per chip
  std::int64_t calls = 0;   // per chip; fewer than count where small all_reduces were combined
  std::uint64_t bytes = 0;  // of the operands, per chip
  std::uint64_t messages_sent_per_chip = 0, bytes_sent_per_chip = 0;
  std::uint64_t messages_sent = 0, bytes_sent = 0;  // all chips together
};

struct CompileSeen {
  bool cached = false;            // no chip compiled
  double wall_seconds = 0;        // the slowest chip's wait for its executable
  double compile_seconds = 0;     // in compilers, all chips together
  std::vector<std::string> keys;  // distinct
  std::vector<std::string> warnings;
};

struct ResultReceipt {
  std::int64_t index = 0;
  std::string element;                // "f32"
  std::optional<std::string> dtype;   // NumPy's name
  std::vector<std::int64_t> shape;    // global where the launcher told it, else of a tile
  std::optional<std::string> digest;  // over all tiles in their order
  std::optional<std::int64_t>
      distinct_values;  // most different values among chips that should agree
  std::optional<ResultComparison> comparison;
  std::vector<std::int64_t> tile_of;  // which tile each chip holds: equal numbers, one value
  // The value goes on into a reduction between chips, but the result is what it was before; null:
  // not known.
  std::optional<bool> read_before_reduction;
  std::optional<std::string> metric;  // verdict of `metrics`: "globally_reduced", ...
  std::optional<std::string> name;    // by path; null: the program has none
  // Elements of all tiles; null: not all chips told.
  std::optional<std::int64_t> nans, infinities;
  // Of a second run under `--numerics ieee`, after the first comparison failed.
  std::optional<ResultComparison> comparison_ieee;
  // Of `metrics`: why, and the place that the verdict is about (in Python, if that is known).
  std::optional<std::string> metric_reason, metric_place;
};

// NaN or infinities in results that were not expected.
struct NonFinite {
  std::vector<std::int64_t> results;
  // The operation that made the first of them, as a second run found; null: nobody looked, or they
  // come from an argument.
  std::optional<std::string> op, place, python;
  std::optional<std::int64_t> rank, step;
  std::optional<std::int64_t> argument;  // that had them already
  std::string message;
};

struct HbmPeak {
  std::optional<std::uint64_t> predicted, observed, capacity;  // bytes of the fullest chip
  std::optional<std::string> not_as_planned = {};  // of a chip whose use contradicts its prediction
};

// Of values that programs place in host memory, in bytes for the chip that has most; null: none.
struct HostPeak {
  std::optional<std::uint64_t> predicted, observed, capacity;
};

// A value, or a variable of the shell, that the launch did not take as it was given.
struct LaunchOverride {
  std::string name;                        // "cache.policy", or "LIBTPU_INIT_ARGS"
  std::optional<std::string> given, used;  // null: nothing
  std::string source;                      // "--set", "shell"
  std::string how;                         // "set", "kept", "overridden" or "dropped"
};

// What a host should have for a real job, and did not keep this one from starting.
struct LaunchWarning {
  std::string diagnosis, layer;
  std::optional<std::int64_t> host;  // null: every host
  std::string message, advice;
};

// Under which profile the chips were started.
struct ReceiptLaunch {
  std::string profile;
  std::vector<std::string> lineage;  // the profiles that it extends, nearest first
  Profile groups;                    // all values, as they were used
  std::string env_sha256;  // of the variables that all hosts have alike, "NAME=value" lines
  // Every chip's process found those, and no others, in its own environment; null until all told.
  std::optional<bool> env_equal_across_ranks;
  std::vector<LaunchOverride> overrides;
  std::optional<std::vector<LaunchWarning>> remarks;  // null: nobody looked
};

// One host process: the user's script on one host.
struct HostProcessSeen {
  std::int64_t host = 0, pid = 0;
  std::optional<std::int64_t> exit_code;  // null: ended by a signal
  std::optional<std::string> signal;
  double wall_seconds = 0;
};
struct ScriptSeen {
  std::vector<std::string> command;
  // Of the first script that failed, or 0; of an end by a signal 128 + its number.
  std::int64_t script_exit_code = 0;
  std::vector<HostProcessSeen> hosts;
};

}  // namespace understudy::configs
