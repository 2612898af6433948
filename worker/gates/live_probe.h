// SPDX-License-Identifier: Apache-2.0
// The live probe, on all ranks: what the chip was found to have and do (the bytes of its memory as
// they are mapped, a product by its matrix unit) and what this worker's plan takes it for (kind,
// place), compared with what the launch says of each rank. An emulated device has no kind of its
// own to read: what can differ is the documents. And the import guard: no second
// framework may have brought its own libtpu. Call from the executor thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/launch/inputs.h"
#include "configs/launch/run_plan.h"
#include "worker/chip/chip.h"
#include "worker/pod/control_channel.h"

namespace understudy::worker {

// What a worker tells of its device; `kind` empty: there is none.
struct DeviceReport {
  std::string kind;
  std::vector<std::int64_t> at;  // x, y, z
  std::uint64_t hbm_bytes = 0;
  double product = 0;  // of the program that was executed on it
};

inline constexpr double kProbeProduct = 8;

// Executes a product of matrices of ones on the chip, in the last bytes of its HBM, and tells.
DeviceReport probe_device(Chip& chip, std::span<std::byte> hbm, const configs::RunPlan& plan,
                          Rank rank);

// Compares everybody's report with the contract's. Collective. *Throws* Error{protocol} on every
// rank; `culprit` is then the first rank that is meant, where this one is not. Returns words for
// the record.
std::string compare_devices(ControlChannel& control_channel, const DeviceReport& own,
                            const configs::RunPlan& plan, const configs::LaunchInputs* inputs,
                            std::optional<Rank>& culprit);

// Libraries of other frameworks that are mapped into this process, by path.
std::vector<std::string> foreign_runtimes();
// *Throws* Error{protocol} where there is one.
void guard_imports(bool several_allowed);

}  // namespace understudy::worker
