// SPDX-License-Identifier: Apache-2.0
// The live probe, on all ranks. It compares what the chip was found to have and do (the bytes of
// its mapped memory, a product by its matrix unit) and its kind and place in this worker's plan
// with what the launch says about each rank. An emulated device has no kind of its own to read:
// only the documents can differ. Also the import guard: no second framework may have loaded its own
// libtpu. Call from the executor thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/launch/inputs.h"
#include "configs/launch/run_plan.h"
#include "worker/chip/chip.h"
#include "worker/pod/control_channel.h"

namespace understudy::worker {

// What a worker reports about its device; an empty `kind` means no device.
struct DeviceReport {
  std::string kind;
  std::vector<std::int64_t> at;  // x, y, z
  std::uint64_t hbm_bytes = 0;
  double product = 0;  // of the program that was executed on it
};

inline constexpr double kProbeProduct = 8;

// Multiplies two matrices of ones on the chip, in the last bytes of its HBM, and reports.
DeviceReport probe_device(Chip& chip, std::span<std::byte> hbm, const configs::RunPlan& plan,
                          Rank rank);

// Compares the reports of all ranks with the contract. Collective. *Throws* Error{protocol} on
// every rank; `culprit` is then the first divergent rank, unless it is this one. Returns the text
// of the gate's record.
std::string compare_devices(ControlChannel& control_channel, const DeviceReport& own,
                            const configs::RunPlan& plan, const configs::LaunchInputs* inputs,
                            std::optional<Rank>& culprit);

// Paths of other frameworks' libraries that are mapped into this process.
std::vector<std::string> foreign_runtimes();
// *Throws* Error{protocol} where there is such a library.
void guard_imports(bool several_allowed);

}  // namespace understudy::worker
