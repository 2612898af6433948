// SPDX-License-Identifier: Apache-2.0
// A run as a Kubernetes MPIJob (kubeflow.org/v2beta1), in JSON, which is YAML too. The launcher pod
// is a worker as well (runLauncherAsWorker, mpi-operator 0.6): rank 0 must be where the launcher
// is. Values; pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace understudy::configs {

struct MpiJob {
  std::string name;   // of the job: lower-case letters, digits and dashes
  std::string image;  // of the container
  std::int64_t hosts = 1, ranks_per_host = 1;
  std::vector<std::string> command;  // of the launcher
  // Variables of all pods.
  std::vector<std::pair<std::string, std::string>> environment;
  std::uint64_t memory_bytes = 0;         // of a pod; also bounds its /dev/shm
  std::int64_t time_limit_seconds = 600;  // of the whole job
};

// configs/schema/mpi-job.json is the part of the operator's schema that is used here.
std::string to_json(const MpiJob& job);

}  // namespace understudy::configs
