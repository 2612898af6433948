// SPDX-License-Identifier: Apache-2.0
// What the doctor looks at: facts of this machine, gathered once. A value, so that tests can make
// any machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launcher/pod/host_name.h"
#include "launcher/pod/orphans.h"

namespace understudy::launcher {

struct Environment;

inline constexpr std::uint64_t kUnlimited = UINT64_MAX;

struct MachineFacts {
  std::string mpirun;       // path, empty: none in PATH
  std::string mpi_version;  // its first line
  std::string worker;       // path of the worker binary, empty: not there
  std::string isa;          // kernel table of this CPU
  std::int64_t cores = 1;
  std::uint64_t shared_memory_bytes = 0;      // free in /dev/shm, 0: not there
  std::uint64_t file_descriptors = 0;         // soft limit
  std::uint64_t file_descriptors_most = 0;    // hard limit
  std::uint64_t processes = kUnlimited;       // RLIMIT_NPROC or the control group's pids.max
  std::uint64_t address_space = kUnlimited;   // RLIMIT_AS of one process
  std::int64_t overcommit = 0;                // vm.overcommit_memory
  bool peers_readable = true;                 // /proc/PID/fd of another process of ours
  std::optional<std::uint64_t> memory_bytes;  // available, the control group's limit counted in
  std::string run_folder_base;                // where run folders are made
  std::uint64_t run_folder_bytes = 0;         // free there
  std::vector<NameLookup> names;              // its own and "localhost", as they resolve
  Orphans orphans;                            // what killed runs left; removed where it was folders
};

MachineFacts machine_facts(const Environment& environment);

}  // namespace understudy::launcher
