// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/job_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "configs/base/units.h"
#include "configs/launch/mpi_job.h"
#include "launcher/pod/mpirun_command.h"

namespace understudy::launcher {
namespace {

constexpr const char* kImage = "understudy:latest";  // the image that deploy/Containerfile builds
// Memory request per rank: the worker itself plus the part of HBM that is really touched, which no
// plan knows in advance.
constexpr std::uint64_t kBytesPerRank = 256 * kMiB;
constexpr std::int64_t kMinutes = 10;

struct Shape {
  std::int64_t hosts = 0, ranks_per_host = 0;
};

Shape shape_of(const configs::RunPlan& plan) {
  std::map<std::int64_t, std::int64_t> ranks;
  for (const HostId host : plan.host_of) ++ranks[host.value];
  const auto unlike = [&](const auto& one) { return one.second != ranks.begin()->second; };
  if (ranks.empty() || std::ranges::any_of(ranks, unlike))
    throw Error(ErrorKind::usage, "--as requires the same number of chips on each host");
  return {static_cast<std::int64_t>(ranks.size()), ranks.begin()->second};
}

// The command line without the options that request a job file.
std::vector<std::string> command_of(const std::vector<std::string>& words) {
  std::vector<std::string> command = {"understudy"};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--dry-run" || words[i].starts_with("--as=")) continue;
    if (words[i] == "--as") {
      ++i;
      continue;
    }
    command.push_back(words[i]);
  }
  return command;
}

// mpirun gets the hosts from the batch system; the launcher runs on the first of them.
// The script only repeats the command: inside the batch job mpirun gets the hosts from Slurm.
std::string slurm_script(const Shape& shape, const std::vector<std::string>& words) {
  return fmt::format(
      "#!/bin/bash\n"
      "#SBATCH --job-name=understudy\n"
      "#SBATCH --nodes={}\n"
      "#SBATCH --ntasks-per-node={}\n"
      "#SBATCH --cpus-per-task=1\n"
      "#SBATCH --time={}\n"
      "set -euo pipefail\n"
      "exec {}\n",
      shape.hosts, shape.ranks_per_host, kMinutes, shell_text(command_of(words)));
}

std::string manifest(const configs::RunPlan& plan, const Shape& shape,
                     const std::vector<configs::EnvironmentEntry>& environment,
                     const std::vector<std::string>& words) {
  configs::MpiJob job;
  job.name = "understudy-" + plan.slice;
  // Kubernetes names allow only lower-case letters, digits and dashes.
  std::ranges::replace_if(
      job.name, [](char letter) { return letter == ' ' || letter == '_' || letter == '.'; }, '-');
  job.image = kImage;
  job.hosts = shape.hosts;
  job.ranks_per_host = shape.ranks_per_host;
  job.command = command_of(words);
  if (job.hosts > 1) {
    job.command.emplace_back("--hostfile");
    // Where the MPI operator of Kubeflow mounts the list of its pods.
    job.command.emplace_back("/etc/mpi/hostfile");
  }
  for (const configs::EnvironmentEntry& one : environment)
    // Variables of a host differ between the pods of a job; each worker sets its own at its start.
    if (!one.of_host) job.environment.emplace_back(one.name, one.value);
  job.memory_bytes = static_cast<std::uint64_t>(shape.ranks_per_host) * kBytesPerRank;
  job.time_limit_seconds = kMinutes * 60;
  return to_json(job);
}

}  // namespace

std::string job_file(const std::string& kind, const configs::RunPlan& plan,
                     const std::vector<configs::EnvironmentEntry>& environment,
                     const std::vector<std::string>& words) {
  const std::vector<std::string> kinds = {"slurm", "mpijob"};
  if (kind == kinds[0]) return slurm_script(shape_of(plan), words);
  if (kind == kinds[1]) return manifest(plan, shape_of(plan), environment, words);
  throw Error(ErrorKind::usage,
              fmt::format("--as {}: unknown job kind{}", kind, did_you_mean(kind, kinds)))
      .note("known: " + join_words(kinds));
}

}  // namespace understudy::launcher
