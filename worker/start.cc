// SPDX-License-Identifier: Apache-2.0
#include "worker/start.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/launch/environment.h"
#include "configs/launch/shell_variables.h"
#include "configs/launch/start_words.h"
#include "worker/gates/early_faults.h"
#include "worker/gates/process_environment.h"

namespace understudy::worker {
namespace {

using configs::Variables;

// mpirun sets both. A direct PMIx launch (srun --mpi=pmix) sets only the second.
Rank rank_in(const Variables& found) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
    const auto entry = found.find(name);
    if (entry == found.end()) continue;
    std::int64_t rank = 0;
    const char* const end = entry->second.data() + entry->second.size();
    const auto [stop, code] = std::from_chars(entry->second.data(), end, rank);
    if (code == std::errc() && stop == end) return Rank(rank);
  }
  throw Error(ErrorKind::system,
              "the worker does not know its rank: OMPI_COMM_WORLD_RANK is not set")
      .note("workers are started by Open MPI's mpirun");
}

// A new execve() is the only way to change what /proc/self/environ shows, which is what the
// contract gate reads; setenv() changes only the copy in memory.
[[noreturn]] void execute(const std::string& program, const std::string& run_dir,
                          const Variables& variables) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
  std::vector<char*> environment;
  for (std::string& entry : entries) environment.push_back(entry.data());
  environment.push_back(nullptr);
  std::string name = "understudy-worker";
  std::string folder = run_dir;
  std::string done = configs::kInEnvironment;
  char* const words[] = {name.data(), folder.data(), done.data(), nullptr};
  ::execve(program.c_str(), words, environment.data());
  throw file_error("execute", program, errno);
}

}  // namespace

Rank rank_in_environment() { return rank_in(configs::variables_of(own_environment())); }

void start_in_host_environment(const std::string& run_dir) {
  // The environment at exec time, which is what mpirun passed on; nothing has changed it yet.
  const Variables found = configs::variables_of(own_environment());
  const auto inputs_text = found.find(std::string(configs::kLaunchVariable));
  if (inputs_text == found.end()) return;
  const configs::LaunchInputs inputs =
      configs::read_launch_inputs(inputs_text->second, std::string(configs::kLaunchVariable));
  const Rank rank = rank_in(found);
  const Variables launch = configs::variables_of(configs::chip_environment(inputs, rank));
  // The host's variables replace the shell's; Open MPI's and the system's are kept.
  Variables variables = configs::worker_environment(found, launch);
  // A fault may replace the binary by a copy with another build id.
  std::string program = "/proc/self/exe";
  apply_early_faults(inputs, rank, run_dir, variables, program);
  execute(program, run_dir, variables);
}

}  // namespace understudy::worker
