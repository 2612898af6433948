// SPDX-License-Identifier: Apache-2.0
// The launcher's decisions about one run, passed to the workers as RUN_DIR/plan.json. Rank 0 reads
// it and all files that it names, and distributes both: other machines need no shared file system.
// Plain values; reading validates. All paths are absolute or relative to the run folder.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "configs/base/ids.h"
#include "configs/launch/topology.h"

namespace understudy::configs {

// One array of the program cut into tiles (program/compile.h, Sharding). `files` has one raw dense
// little-endian file per tile, in the run folder: read by rank 0 for an argument, written by rank 0
// for a result. tile_of[p] says which tile process p holds.
struct PlannedArray {
  std::string element;              // MLIR name, "f32"
  std::vector<std::int64_t> shape;  // of one tile
  std::vector<std::string> files;
  std::vector<std::int64_t> tile_of;
  bool declared_replicated = false;
  // More than 1: an argument with its own data in each of so many steps; `files` has all tiles of
  // step 0, then those of step 1.
  std::int64_t steps = 1;
  // The index in `files` of the first tile of a step. *Requires* steps >= 1.
  std::size_t files_of_step(std::int64_t step) const {
    return files.size() / static_cast<std::size_t>(steps) * static_cast<std::size_t>(step);
  }
  bool operator==(const PlannedArray&) const = default;
};

// A collective with its place in the program's text; the executable has only its ordinal.
struct PlannedSite {
  std::int64_t op = -1;             // ordinal among the program's operations
  std::string place;                // "path:line:column"
  bool layout_constrained = false;  // PyTorch/XLA's pin_layout, HLO's constrain_layout
  bool operator==(const PlannedSite&) const = default;
};

// What the compiler predicts for the memory of one chip, in bytes.
struct PlannedMemory {
  std::uint64_t hbm_peak_bytes = 0;  // the sum of the next five, less `donated_bytes`
  std::uint64_t arguments_bytes = 0, results_bytes = 0, temporaries_bytes = 0;
  std::uint64_t constants_bytes = 0, instructions_bytes = 0;
  std::uint64_t donated_bytes = 0;  // of results in the memory of donated arguments
  std::uint64_t host_bytes = 0;     // of values that the program places in host memory
  bool operator==(const PlannedMemory&) const = default;
};

// A program that runs instead of the plan's: on some ranks in all steps, or on all ranks in some
// steps.
struct PlannedProgram {
  std::vector<std::int64_t> ranks;
  std::vector<std::int64_t> steps;  // empty: all
  std::string path, file, digest;   // as program_path, program_file, program_digest
  std::vector<PlannedSite> sites;
  std::string difference;               // from the plan's program, if it is for some steps
  std::vector<PlannedArray> arguments;  // the same; files only if the shape differs
  bool operator==(const PlannedProgram&) const = default;
};

struct RunPlan {
  std::string run_id;
  std::string contract_digest;  // of the launch contract, which every worker recomputes
  // The digest of each section that is equal on all hosts, and of each rank's own section.
  std::vector<std::pair<std::string, std::string>> contract_sections;
  std::vector<std::string> identity_digests;
  std::string slice;                                   // "v6e-8", "2xv6e-8"
  std::int64_t slices = 1;                             // joined by DCN
  std::string chip;                                    // "v6e"
  std::int64_t chips = 0;                              // workers = replicas * partitions
  std::vector<HostId> host_of;                         // emulated host of each rank
  std::vector<std::int64_t> slice_shape;               // x, y, z of the slice
  std::vector<std::int64_t> slice_wraps;               // 1 for an axis whose ends are joined
  std::vector<std::vector<std::int64_t>> coordinates;  // x, y, z of each rank
  std::uint64_t hbm_bytes = 0;                         // per chip
  std::uint64_t vmem_bytes = 0;
  std::uint64_t host_bytes = 0;              // a chip's share of the memory of its host; 0: unknown
  std::uint64_t premapped_bytes = 0;         // the buffer of transfers between host and chip
  std::optional<PlannedMemory> memory = {};  // of a plan that is shown; workers compile themselves
  std::string program_path;                  // as the user wrote it, for messages
  std::string program_file;                  // the copy in the run folder
  std::string program_digest;                // canonical
  std::string program_source_digest;         // of the bytes, before canonicalisation
  std::vector<PlannedSite> sites;            // of the program
  std::vector<PlannedProgram> other_programs;  // of ranks that run another one
  // The socket, a file in the run folder, at which a host process waits for the workers. It sends
  // commands, and this plan then names no program. Empty: the plan says everything.
  std::string command_socket;
  // Chips take programs and launches from the host process of their host, which connects to the
  // chip's own socket (chip_socket_of()); `command_socket` then only ends the run.
  bool host_processes = false;
  // How long a host may leave out a launch that other hosts have made.
  double launch_timeout_seconds = 300;
  std::string numerics;       // "tpu" or "ieee"
  std::string collectives;    // algorithm: "auto", "ring"
  bool reproducible = false;  // reductions give the same bits as a fold in group order
  std::vector<std::string> disabled_passes;  // of the compiler
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::vector<std::int64_t> device_order;  // rank of each process; empty: process i is on rank i
  std::int64_t steps = 1;
  std::vector<std::pair<std::int64_t, std::int64_t>> carry;  // result, argument
  // The treatment of programs that appear after the first step: "strict" or "lenient".
  std::string shape_guard = "strict";
  std::vector<PlannedArray> arguments;
  std::vector<PlannedArray> results;  // without files if they are not requested
  std::string cache_dir;
  std::string cache_policy;
  std::string cache_lock;                // of policy shared
  std::uint64_t cache_max_bytes = 0;     // 0: no bound
  std::vector<std::string> cache_trust;  // more trusted users, by name or number
  double timeout_seconds = 60;
  bool poison = false;                // overwrite every buffer at the end of its life
  bool looks_for_non_finite = false;  // record the operations that make NaN or infinities
  std::vector<std::string> faults;    // to inject, as configs/launch/fault.h reads them
  bool operator==(const RunPlan&) const = default;
};

// The other program that this rank runs in all steps; nullptr if it runs the plan's.
const PlannedProgram* other_program_of(const RunPlan& plan, Rank rank);
// The other program that all ranks run in a step; nullptr if there is none.
const PlannedProgram* step_program_of(const RunPlan& plan, std::int64_t step);

// The slice of an emulated host, if several are joined; nullopt in a pod of one slice.
std::optional<std::int64_t> slice_of_host(const RunPlan& plan, HostId host);

// The socket at which a chip waits for its host process: a file in the run folder of its machine.
std::string chip_socket_of(Rank rank);

// Sets the coordinates and hosts of the plan's first `chips` ranks in the slice.
void place_ranks(RunPlan& plan, const Slice& slice);

// Schema understudy/run-plan/1 (configs/schema/run-plan.json).
std::string to_json(const RunPlan& plan);
// Throws Error{config} with file, line, column and pointer.
RunPlan read_run_plan(const std::string& text, const std::string& path);

}  // namespace understudy::configs
