// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/early_faults.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/launch/fault.h"
#include "worker/chip/chip_lock.h"
#include "worker/gates/build_identity.h"

namespace understudy::worker {
namespace {

using configs::Fault;
using configs::FaultKind;

// What a fault may change in the process about to start, and which process it targets.
// Runs before exec of the worker proper, so that checks see a process that started wrong.
struct LaunchState {
  const std::string& run_dir;
  Rank rank;
  HostId host;
  configs::Variables& variables;
  std::string& program;
};

// A fault without a value removes the variable.
void change_variable(const Fault& fault, const LaunchState& begin) {
  if (fault.value) {
    begin.variables[fault.name] = *fault.value;
  } else {
    begin.variables.erase(fault.name);
  }
}

std::vector<std::byte> bytes_of_hex(const std::string& digits) {
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(at, 2), nullptr, 16)));
  return bytes;
}

// A copy of this binary with one bit of its build id flipped: to every check it is another build,
// and it still runs.
void skew_binary(const Fault&, const LaunchState& begin) {
  std::vector<std::byte> image = read_binary_file("/proc/self/exe");
  const std::vector<std::byte> id = bytes_of_hex(build_id());
  const auto found = std::ranges::search(image, id);
  if (id.empty() || found.empty())
    throw Error(ErrorKind::system, "this binary has no build id to change");
  std::byte& last = *(found.end() - 1);
  // Only the last byte changes, so the ELF structure stays valid.
  last ^= std::byte{1};
  const std::string copy = fmt::format("{}/worker-of-rank-{}", begin.run_dir, begin.rank.value);
  write_file_atomically(copy, image);
  // Private: the copy is removed with the run folder.
  if (::chmod(copy.c_str(), S_IRWXU) != 0) throw file_error("make executable", copy, errno);
  begin.program = copy;
}

// Runs `work` in a child process that dies with this one. A fork is safe: no thread and no MPI
// exist yet.
template <class Work>
void beside(const Work& work) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw Error(ErrorKind::system, "cannot fork a process for a fault");
  if (child > 0) return;
  // The child keeps no stream of its parent's, so that nobody waits for its output to end.
  static_cast<void>(::prctl(PR_SET_PDEATHSIG, SIGKILL));
  // Standard streams are pipes of mpirun, which waits until all writers have closed them.
  for (int stream = 0; stream < 3; ++stream) ::close(stream);
  try {
    // The parent may have died before prctl() took effect; then getppid() has changed.
    if (::getppid() == parent) work();
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

// Polls for a non-empty file that a child writes when it is ready.
void await(const std::string& path) {
  // 5 s: a fork and one small file; longer means that the machine is overloaded.
  const Deadline deadline = Deadline::after(Seconds(5));
  std::error_code missing;
  while (!deadline.passed()) {
    if (std::filesystem::exists(path, missing) && std::filesystem::file_size(path, missing) > 0)
      return;
    ::usleep(1000);
  }
  throw Error(ErrorKind::system, fmt::format("{} did not appear within 5 s", path));
}

ChipPlace first_chip(const LaunchState& begin) { return chip_place(begin.run_dir, begin.host, 0); }

// The child takes the chip as a real earlier process would, with its own pid in lock file and
// device, and keeps it until this process ends.
void hold_chip(const Fault&, const LaunchState& begin) {
  const ChipPlace place = first_chip(begin);
  const pid_t parent = ::getpid();
  beside([&] {
    const ChipLock held(place, begin.host, Seconds(0));
    // pause() returns after any signal; the loop then looks whether the parent still lives.
    while (::getppid() == parent) ::pause();
  });
  await(place.device);
}

void remove_lock(const Fault& fault, const LaunchState& begin) {
  hold_chip(fault, begin);
  // The lock file goes, the device stays held: the state after a careless clean-up script.
  std::filesystem::remove(first_chip(begin).lock);
}

void leave_stale_lock(const Fault&, const LaunchState& begin) {
  LockHolder dead = own_holder();
  dead.pid = 0x3ffffffe;  // above the kernel's limit of pids (2^22): never alive
  write_file_atomically(first_chip(begin).lock, text_of(dead));
}

void leave_foreign_lock(const Fault&, const LaunchState& begin) {
  LockHolder other = own_holder();
  // Any other user id: the check compares it with getuid().
  other.uid += 1;
  write_file_atomically(first_chip(begin).lock, text_of(other));
}

// The device stays locked by a process that it does not name, like a driver that is still cleaning
// up.
void keep_busy(const Fault& fault, const LaunchState& begin) {
  const ChipPlace place = first_chip(begin);
  const std::string ready = place.device + ".busy";
  beside([&] {
    if (try_lock(place.device) < 0) return;
    write_file_atomically(ready, std::string_view("1"));
    // useconds_t has 32 bits: 4000 s in microseconds is the round number below its limit.
    ::usleep(static_cast<useconds_t>(std::min(fault.seconds, 4000.0) * 1e6));
  });
  await(ready);
}

struct EarlyFault {
  FaultKind kind;
  void (*act)(const Fault&, const LaunchState&);
  bool once_a_host;  // applied by the first rank of the host only
};
constexpr EarlyFault kEarlyFaults[] = {
    {FaultKind::env, change_variable, false},
    {FaultKind::binary_skew, skew_binary, false},
    {FaultKind::chip_locked, hold_chip, true},
    {FaultKind::lock_stale, leave_stale_lock, true},
    {FaultKind::lock_foreign, leave_foreign_lock, true},
    {FaultKind::lock_deleted, remove_lock, true},
    {FaultKind::chip_busy, keep_busy, true},
};

}  // namespace

void apply_early_faults(const configs::LaunchInputs& inputs, Rank rank, const std::string& run_dir,
                        configs::Variables& variables, std::string& program) {
  const std::int64_t per_host = inputs.chips_per_host();
  const HostId host(rank.value / per_host);
  for (const std::string& text : inputs.faults) {
    const Fault fault = configs::parse_fault(text);
    if (fault.stage != configs::FaultStage::start || !fault.hits(rank, host)) continue;
    const EarlyFault* const row = std::ranges::find(kEarlyFaults, fault.kind, &EarlyFault::kind);
    if (row == std::end(kEarlyFaults)) continue;  // a fault of the launcher
    if (row->once_a_host && rank.value % per_host != 0) continue;
    row->act(fault, {run_dir, rank, host, variables, program});
  }
}

}  // namespace understudy::worker
