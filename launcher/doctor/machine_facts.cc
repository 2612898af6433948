// SPDX-License-Identifier: Apache-2.0
#include "launcher/doctor/machine_facts.h"

#include <algorithm>
#include <charconv>
#include <dirent.h>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <thread>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file_system.h"
#include "configs/base/procfs.h"
#include "configs/base/units.h"
#include "launcher/preflight/preflight.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "program/kernels/kernels.h"

namespace understudy::launcher {
namespace {

rlimit limit_of(__rlimit_resource resource) {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  if (getrlimit(resource, &limit) != 0) throw Error(ErrorKind::system, "getrlimit failed");
  return limit;
}
std::uint64_t bytes_of(rlim_t value) { return value == RLIM_INFINITY ? kUnlimited : value; }

// A name in /etc/hosts resolves within a millisecond, so a second means waiting for a name server.
constexpr Seconds kLookupLimit{1};

// The first whole number in a line of a kernel file, nullopt for none ("max").
std::optional<std::uint64_t> number_in(const std::string& path, std::string_view key = {}) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t at = line.find_first_of("0123456789");
    if (at == std::string::npos) return std::nullopt;
    std::uint64_t value = 0;
    std::from_chars(line.data() + at, line.data() + line.size(), value);
    return value;
  }
  return std::nullopt;
}

// Available memory; a container may have less than its machine.
std::optional<std::uint64_t> available_memory() {
  std::optional<std::uint64_t> available = number_in("/proc/meminfo", "MemAvailable:");
  if (available) *available *= kKiB;
  // The group of a container is mounted as the root of its cgroup file system (cgroup v2).
  const auto most = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (most && used && (!available || *most - std::min(*most, *used) < *available))
    available = *most - std::min(*most, *used);
  return available;
}

// Workers open /proc/PID/fd of each other to map HBM; a child process shows whether that is
// allowed.
bool can_read_peers(const Environment& environment) {
  const std::string program = find_program(environment.search_path, "sleep");
  if (program.empty()) return true;  // unknown; a worker would report the failure itself
  const Subprocess child({program, "10"});
  const std::string path = fmt::format("/proc/{}/fd", child.pid());
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), &closedir);
  return folder != nullptr;
}

}  // namespace

// Collects everything first; the checks themselves are pure and tested with made-up machines.
MachineFacts machine_facts(const Environment& environment) {
  MachineFacts facts;
  facts.mpirun = find_program(environment.search_path, "mpirun");
  if (!facts.mpirun.empty()) {
    const std::string output = run_to_end({facts.mpirun, "--version"}, Seconds(10)).output;
    facts.mpi_version = output.substr(0, output.find('\n'));
  }
  facts.worker = find_program(environment.self, "understudy-worker");
  facts.isa = program::kernels::select(environment.isa).isa;
  facts.cores = std::max<std::int64_t>(1, std::thread::hardware_concurrency());
  facts.shared_memory_bytes = free_bytes("/dev/shm");
  const rlimit files = limit_of(RLIMIT_NOFILE);
  facts.file_descriptors = bytes_of(files.rlim_cur);
  facts.file_descriptors_most = bytes_of(files.rlim_max);
  // RLIMIT_NPROC does not apply to root.
  if (geteuid() != 0) facts.processes = bytes_of(limit_of(RLIMIT_NPROC).rlim_cur);
  if (const auto most = number_in("/sys/fs/cgroup/pids.max"))
    facts.processes = std::min(facts.processes, *most);
  facts.address_space = bytes_of(limit_of(RLIMIT_AS).rlim_cur);
  facts.overcommit =
      static_cast<std::int64_t>(number_in("/proc/sys/vm/overcommit_memory").value_or(0));
  facts.peers_readable = can_read_peers(environment);
  facts.memory_bytes = available_memory();
  facts.run_folder_base = environment.temporary;
  facts.run_folder_bytes = free_bytes(environment.temporary);
  for (const std::string& name : {machine_name(), std::string("localhost")})
    facts.names.push_back(look_up(name, kLookupLimit));
  facts.orphans = remove_orphans({environment.temporary, "/dev/shm"});
  facts.orphans.alive = orphan_pods();
  const CompilerFound compiler = find_compiler(environment);
  facts.tpu_compiler = compiler.text;
  facts.has_tpu_compiler = compiler.found;
  return facts;
}

}  // namespace understudy::launcher
