// SPDX-License-Identifier: Apache-2.0
// The command line of mpirun that starts the workers. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/base/units.h"

namespace understudy::launcher {

// Space per rank in the folder of MPI's shared memory: twice the amount measured for Open MPI 4.1.
inline constexpr std::uint64_t kSharedMemoryPerRank = 8 * kMiB;

struct MpirunFacts {
  std::string mpirun;   // path of mpirun
  std::string worker;   // path of the worker binary on every machine
  std::string starter;  // of understudy-worker-start; empty: mpirun starts the worker
  std::vector<std::string> worker_words;  // its arguments
  std::string run_folder;                 // holds plan.json, records/ and Open MPI's session folder
  std::string backing_directory;          // where MPI keeps its shared memory
  std::int64_t ranks = 0;
  bool as_root = false;
  bool in_batch_job = false;           // the batch system names the machines
  std::string hostfile;                // empty: this machine only
  std::vector<std::string> forwarded;  // variables to pass to other machines
  std::string launch_inputs;           // the source of the workers' environment, one line of JSON
  std::vector<std::string> mpi_words;  // --mpi-arg, unchanged
  std::vector<std::string> networks;   // allowed networks between processes; empty: all
  std::string listen_address;          // on which mpirun listens; empty: all addresses
  std::string listen_library;          // launcher/preload, mpirun alone loads it; empty: none
  // Values of the shell for variables that are extended for mpirun.
  std::string shell_preload, shell_hwloc;
  bool shell_has_hwloc_plugins = false;  // HWLOC_PLUGINS_PATH is set
};

// The argument vector, for execve(): no shell reads it.
std::vector<std::string> mpirun_command(const MpirunFacts& facts);
// "NAME=value": variables of mpirun in addition to the environment of this process.
std::vector<std::string> mpirun_variables(const MpirunFacts& facts);

// The words as one shell-quoted line, for display only.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace understudy::launcher
