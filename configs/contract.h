// SPDX-License-Identifier: Apache-2.0
// The launch contract: everything that must be decided before the runtime initialises, as one
// canonical JSON document with a digest. The launcher and every worker compute it from what each
// reads itself; equal digests prove that they started from the same one. Plain values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "configs/run_plan.h"

namespace understudy::configs {

struct Contract {
  std::string slice, chip;
  std::vector<HostId> host_of;                     // emulated host of each rank
  std::uint64_t hbm_bytes = 0, vmem_bytes = 0;     // of one chip
  std::map<std::string, std::string> environment;  // what matters for a run
  std::string cache_policy;
  std::string program_digest;       // of the bytes that were read: see digest_of_programs()
  std::vector<std::string> faults;  // that the run injects
  std::string numerics, collectives;
  bool reproducible = false;
  std::int64_t replicas = 1, partitions = 1, steps = 1;
  double timeout_seconds = 60;
  std::string version, revision;  // of the program that computes the contract
};

// The variables of `environment` ("NAME=value") that matter for a run: UNDERSTUDY_*, and
// OMP_NUM_THREADS.
std::map<std::string, std::string> contract_environment(
    const std::vector<std::string>& environment);

// The digest of the bytes of the plan's program; of other programs of the plan, whose bytes
// `others` are in its order, "; rank 3: <digest>" follows.
std::string digest_of_programs(const RunPlan& plan, std::string_view program,
                               const std::vector<std::string>& others);

// `program_digest` is that of the bytes at hand, `environment` the process's own (the launcher
// gives the one that it hands to the workers). plan.contract_digest plays no part.
Contract contract_of(const RunPlan& plan, const std::string& program_digest,
                     const std::map<std::string, std::string>& environment);

// One line, schema understudy/contract/1: the same bytes for equal contracts.
std::string to_json(const Contract& contract);
std::string digest_of(const Contract& contract);

}  // namespace understudy::configs
