// SPDX-License-Identifier: Apache-2.0
// Injects the faults of a run at gates, and those that show while programs run. Call from the
// executor thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/ids.h"
#include "configs/launch/fault.h"

namespace understudy::worker {

struct DeviceReport;

// The injected defects of a chip while programs run.
struct ChipFaults {
  std::string fallback_op;  // of HostFallback; empty: none
  std::optional<std::uint64_t> hbm_limit, vmem_limit;
  std::uint64_t hbm_held = 0, hbm_leak = 0;  // bytes; held from the start, leaked by each step
};

class GateFaults {
 public:
  // Keeps those of `texts` that hit this chip. *Throws* Error{usage}.
  GateFaults(const std::vector<std::string>& texts, Rank rank, HostId host);

  bool strikes(configs::FaultKind kind) const;
  // The program with one byte in its middle changed.
  static std::shared_ptr<const std::string> damaged(const std::string& program);
  // late-env: sets variables of this process.
  void change_environment() const;
  // Maps a file named libtpu.so from `folder`, as a second framework would. *Throws* Error{system}.
  void load_second_framework(const std::string& folder) const;
  // Changes the device's report.
  void change_report(DeviceReport& report) const;
  ChipFaults of_chip() const;
  // Seconds by which the clock is fast.
  double clock_offset() const;

 private:
  std::vector<configs::Fault> faults_;
};

}  // namespace understudy::worker
