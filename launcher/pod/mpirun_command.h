// SPDX-License-Identifier: Apache-2.0
// The argument vector that starts the workers. Pure: the same facts give the same words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/base/units.h"

namespace understudy::launcher {

// Of the folder that MPI keeps its shared memory in; twice what Open MPI was seen to take.
inline constexpr std::uint64_t kSharedMemoryPerRank = 8 * kMiB;

struct MpirunFacts {
  std::string mpirun;                     // path of mpirun
  std::string worker;                     // path of the worker binary on every machine
  std::vector<std::string> worker_words;  // after it
  std::string run_folder;                 // holds plan.json, records/ and Open MPI's session folder
  std::string backing_directory;          // where MPI keeps its shared memory
  std::int64_t ranks = 0;
  bool as_root = false;
  bool in_batch_job = false;           // the batch system names the machines
  std::string hostfile;                // empty: this machine only
  std::vector<std::string> forwarded;  // names of variables that other machines must get
  std::string launch_inputs;           // what workers make their environment of: one line
  std::vector<std::string> mpi_words;  // --mpi-arg, as they are
  std::vector<std::string> networks;   // the only ones to use between processes; empty: all
  std::string listen_address;          // of mpirun; empty: all that the machine has
  std::string listen_library;          // launcher/preload/listen_address.cc; empty: not there
  // What the shell has of variables that mpirun gets another value of.
  std::string shell_preload, shell_hwloc;
};

std::vector<std::string> mpirun_command(const MpirunFacts& facts);
// "NAME=value": what mpirun's environment has beside this process's.
std::vector<std::string> mpirun_variables(const MpirunFacts& facts);

// The words as one line for people, quoted as a shell wants them. Never executed.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace understudy::launcher
