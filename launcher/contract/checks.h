// SPDX-License-Identifier: Apache-2.0
// The checks of a launch contract, made before anything is started. Each row checks the
// environments of all hosts, the profile or this machine, and names the failure that it prevents
// (configs/receipt/diagnosis.h). Pure functions of a LaunchCase.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/error.h"
#include "configs/launch/chip_spec.h"
#include "configs/launch/environment.h"
#include "configs/launch/run_plan.h"
#include "launcher/contract/host_limits.h"

namespace understudy::launcher {

// The state of the compile cache folder on this machine.
struct CacheFolder {
  std::int64_t entries = 0;  // existing entries
  bool writable = true;
  std::optional<std::uint64_t> free_bytes;
  std::string file_system;  // its file system, for messages
};

// The input of all checks.
struct LaunchCase {
  const configs::LaunchInputs& inputs;
  const configs::RunPlan& plan;
  // The environment of process 0 of each host, with injected faults applied.
  std::vector<configs::Variables> hosts;
  std::vector<configs::HostMemory> memory;  // the machine types that hold this chip
  CacheFolder cache;
  // The limits of each host, with injected faults applied. Limits of other machines are unknown.
  std::vector<HostLimits> limits;
};

struct Refusal {
  std::string_view diagnosis;  // of DiagnosisId
  std::string message;
  std::optional<std::int64_t> host;      // the host with the problem; nullopt: no single host
  ErrorKind kind = ErrorKind::protocol;  // system: this machine lacks a resource
};

struct ContractCheck {
  std::string_view name;
  std::optional<Refusal> (*look)(const LaunchCase& launch);
};
// In the order of evaluation.
std::span<const ContractCheck> identity_checks();
std::span<const ContractCheck> runtime_checks();
std::span<const ContractCheck> limit_checks();

// The first failing check.
std::optional<Refusal> refusal_of(const LaunchCase& launch);

// Warnings: settings that would harm a real job but do not prevent this launch. A warning that
// applies to all hosts has no host.
std::vector<Refusal> remarks_of(const LaunchCase& launch);

// Gathers the input of the checks. `here`: the limits of this machine, which runs all hosts.
LaunchCase launch_case(const configs::LaunchInputs& inputs, const configs::RunPlan& plan,
                       const HostLimits& here = {});

}  // namespace understudy::launcher
