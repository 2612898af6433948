// SPDX-License-Identifier: Apache-2.0
// What can be known to be wrong with a launch before anything is started: a table of checks of the
// environments of all hosts, the profile and this machine, each with the name of the failure that
// it prevents (configs/receipt/diagnosis.h). Pure functions of what was gathered before.
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

// What this machine says about the folder of the compile cache.
struct CacheFolder {
  std::int64_t entries = 0;  // that are in it already
  bool writable = true;
  std::optional<std::uint64_t> free_bytes;
  std::string file_system;  // that it is on, in words
};

// A launch, as it would begin.
struct LaunchCase {
  const configs::LaunchInputs& inputs;
  const configs::RunPlan& plan;
  // The environment of each host: of process 0, faults of the host included.
  std::vector<configs::Variables> hosts;
  std::vector<configs::HostMemory> memory;  // of the chip's machines
  CacheFolder cache;
  // Of each host, faults included: as far as they are known, which of other machines they are not.
  std::vector<HostLimits> limits;
};

struct Refusal {
  std::string diagnosis;
  std::string message;
  std::optional<std::int64_t> host;      // that it is about
  ErrorKind kind = ErrorKind::protocol;  // system: no host is wrong, this machine lacks something
};

struct ContractCheck {
  std::string_view name;
  std::optional<Refusal> (*look)(const LaunchCase& launch);
};
// In the order in which they are made.
std::span<const ContractCheck> identity_checks();
std::span<const ContractCheck> runtime_checks();
std::span<const ContractCheck> limit_checks();

// The first that fails.
std::optional<Refusal> refusal_of(const LaunchCase& launch);

// What is not as a host of a real job should have it, and does not keep this launch from starting;
// without a host where all of them have it alike.
std::vector<Refusal> remarks_of(const LaunchCase& launch);

// Gathers what the checks need. `here`: the limits of the machine that all hosts are on.
LaunchCase launch_case(const configs::LaunchInputs& inputs, const configs::RunPlan& plan,
                       const HostLimits& here = {});

}  // namespace understudy::launcher
