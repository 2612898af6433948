// SPDX-License-Identifier: Apache-2.0
// The facts of this machine that the doctor checks, gathered once. A value, so that tests can
// describe any machine.
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
  std::string worker;       // path of the worker binary, empty: not found
  std::string isa;          // kernel table of this CPU
  std::int64_t cores = 1;
  std::uint64_t shared_memory_bytes = 0;      // free in /dev/shm, 0: no /dev/shm
  std::uint64_t file_descriptors = 0;         // soft limit
  std::uint64_t file_descriptors_most = 0;    // hard limit
  std::uint64_t processes = kUnlimited;       // RLIMIT_NPROC or the control group's pids.max
  std::uint64_t address_space = kUnlimited;   // RLIMIT_AS of one process
  std::int64_t overcommit = 0;                // vm.overcommit_memory
  bool peers_readable = true;                 // /proc/PID/fd of another process of ours
  std::optional<std::uint64_t> memory_bytes;  // available, at most what the control group allows
  std::string run_folder_base;                // where run folders are made
  std::uint64_t run_folder_bytes = 0;         // free there
  std::vector<NameLookup> names;              // lookups of its own name and of "localhost"
  Orphans orphans;                            // leftovers of killed runs; folders were removed
  std::string tpu_compiler;                   // which libtpu `preflight` would ask, or that none
  bool has_tpu_compiler = false;
};

// Starts short child processes and looks up names, which may take seconds. Also removes the folders
// of killed runs.
MachineFacts machine_facts(const Environment& environment);

}  // namespace understudy::launcher
