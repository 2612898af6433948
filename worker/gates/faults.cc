// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/faults.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "worker/gates/live_probe.h"

namespace understudy::worker {

using configs::Fault;
using configs::FaultKind;

GateFaults::GateFaults(const std::vector<std::string>& texts, Rank rank, HostId host) {
  for (const std::string& text : texts) {
    const Fault fault = configs::parse_fault(text);
    if (fault.stage == configs::FaultStage::gates && fault.hits(rank, host))
      faults_.push_back(fault);
  }
}

bool GateFaults::strikes(FaultKind kind) const {
  return std::ranges::find(faults_, kind, &Fault::kind) != faults_.end();
}

std::shared_ptr<const std::string> GateFaults::damaged(const std::string& program) {
  std::string other = program;
  // Flips one bit in the middle: the digest differs, the length does not.
  // Any bit would do; the middle is inside of the payload, not in a header that is checked apart.
  if (!other.empty()) other[other.size() / 2] ^= 1;
  return std::make_shared<const std::string>(std::move(other));
}

void GateFaults::change_environment() const {
  for (const Fault& fault : faults_) {
    // late_env changes the process after the contract was computed, which the next gate must
    // notice.
    if (fault.kind != FaultKind::late_env) continue;
    const int failed = fault.value ? ::setenv(fault.name.c_str(), fault.value->c_str(), 1)
                                   : ::unsetenv(fault.name.c_str());
    if (failed != 0)
      throw Error(ErrorKind::system, fmt::format("cannot set environment variable {}", fault.name));
  }
}

void GateFaults::load_second_framework(const std::string& folder) const {
  // One page of zeros is enough: the guard looks at names of mapped files, not at their contents.
  constexpr std::size_t kBytes = 4096;
  // The name is that of Google's library: guard_imports() looks for it.
  const std::string path = folder + "/libtpu.so";
  write_file_atomically(path, std::string(kBytes, '\0'));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw file_error("open", path, errno);
  // Stays mapped as long as the process lives, as a library does.
  void* const base = ::mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE, file, 0);
  const int code = errno;
  ::close(file);
  if (base == MAP_FAILED) throw file_error("map", path, code);
}

void GateFaults::change_report(DeviceReport& report) const {
  for (const Fault& fault : faults_) {
    if (fault.kind == FaultKind::wrong_device_kind) report.kind = "cpu";
    // An empty kind stands for "no device" in a report.
    if (fault.kind == FaultKind::missing_chip) report.kind.clear();
    if (fault.kind == FaultKind::wrong_coordinates) report.at.front() += 1;
    if (fault.kind == FaultKind::bad_chip) report.product -= 1;
  }
}

// Faults that act while the chip works; they are chosen at the gates, where the plan is known.
ChipFaults GateFaults::of_chip() const {
  ChipFaults chip;
  for (const Fault& fault : faults_) {
    if (fault.kind == FaultKind::host_fallback) chip.fallback_op = fault.op;
    if (fault.kind == FaultKind::hbm_limit) chip.hbm_limit = fault.bytes;
    if (fault.kind == FaultKind::vmem_limit) chip.vmem_limit = fault.bytes;
    if (fault.kind == FaultKind::hbm_held) chip.hbm_held = fault.bytes;
    if (fault.kind == FaultKind::hbm_leak) chip.hbm_leak = fault.bytes;
  }
  return chip;
}

double GateFaults::clock_offset() const {
  const auto found = std::ranges::find(faults_, FaultKind::clock_skew, &Fault::kind);
  return found == faults_.end() ? 0 : found->seconds;
}

}  // namespace understudy::worker
