// SPDX-License-Identifier: Apache-2.0
#include "launcher/doctor/checks.h"

#include <fmt/format.h>

#include "configs/base/units.h"
#include "launcher/contract/host_limits.h"
#include "launcher/pod/mpirun_command.h"
#include "launcher/preflight/library.h"

namespace understudy::launcher {
namespace {

// Needs of one worker, measured on idle pods.
constexpr std::uint64_t kMemoryPerIdleRank = 15 * kMiB;
constexpr std::uint64_t kProcessesPerRank = 4;  // threads count as processes
constexpr std::uint64_t kProcessesForItself = 32;
constexpr std::uint64_t kAddressesForItself = 4 * kGiB;
constexpr std::uint64_t kAddressesOfMachine = std::uint64_t{1} << 47;  // of an x86-64 process
constexpr std::uint64_t kRunFolder = 64 * kMiB;

std::uint64_t times(std::int64_t chips, std::uint64_t each) {
  return static_cast<std::uint64_t>(chips) * each;
}

// MPICH has an mpirun too, but neither its options nor its variables are the same.
Finding look_at_mpi(const MachineFacts& facts, const SliceNeeds&) {
  if (facts.mpirun.empty())
    return {Health::bad, "no mpirun in PATH",
            "install Open MPI (Debian: apt-get install openmpi-bin libopenmpi-dev)"};
  if (facts.mpi_version.find("Open MPI") == std::string::npos)
    return {Health::bad, fmt::format("{} is not Open MPI", facts.mpirun),
            "put Open MPI's mpirun first in PATH"};
  return {Health::good, fmt::format("{} at {}", facts.mpi_version, facts.mpirun), ""};
}

Finding look_at_worker(const MachineFacts& facts, const SliceNeeds&) {
  if (facts.worker.empty())
    return {Health::bad, "no understudy-worker in the folder of understudy",
            "build or install both binaries into one folder, or pass --worker PATH"};
  return {Health::good, facts.worker, ""};
}

Finding look_at_instructions(const MachineFacts& facts, const SliceNeeds&) {
  if (facts.isa == "portable")
    return {Health::doubtful, "this CPU runs only the portable vector kernels",
            "results are the same; use a CPU with AVX2 or AVX-512 for speed"};
  return {Health::good, fmt::format("{} kernels, {} cores", facts.isa, facts.cores), ""};
}

// Only a warning: without enough /dev/shm MPI uses files in the run folder, which is slower.
Finding look_at_shared_memory(const MachineFacts& facts, const SliceNeeds& needs) {
  const std::uint64_t wanted = times(needs.chips, kSharedMemoryPerRank);
  const std::string text =
      fmt::format("{} free, {} needed for {} chips", bytes_text(facts.shared_memory_bytes),
                  bytes_text(wanted), needs.chips);
  if (facts.shared_memory_bytes >= wanted) return {Health::good, text, ""};
  return {Health::doubtful, text,
          fmt::format("messages will use files in {}; for speed, enlarge /dev/shm: mount -o "
                      "remount,size=1G /dev/shm, or docker run --shm-size=1g",
                      facts.run_folder_base)};
}

Finding look_at_descriptors(const MachineFacts& facts, const SliceNeeds& needs) {
  const std::uint64_t wanted = descriptors_needed(needs.chips);
  const std::string text = fmt::format("limit {}, {} needed", facts.file_descriptors, wanted);
  if (facts.file_descriptors >= wanted) return {Health::good, text, ""};
  if (facts.file_descriptors_most >= wanted)
    return {Health::bad, text, fmt::format("ulimit -n {}", wanted)};
  return {Health::bad, text,
          fmt::format("raise the hard limit ({}): LimitNOFILE= of the service, nofile in "
                      "/etc/security/limits.conf, or docker run --ulimit nofile={}",
                      facts.file_descriptors_most, wanted)};
}

Finding look_at_processes(const MachineFacts& facts, const SliceNeeds& needs) {
  if (facts.processes == kUnlimited) return {Health::good, "no limit", ""};
  const std::uint64_t wanted = times(needs.chips, kProcessesPerRank) + kProcessesForItself;
  const std::string text = fmt::format("limit {}, about {} needed", facts.processes, wanted);
  if (facts.processes >= wanted) return {Health::good, text, ""};
  return {Health::bad, text, "ulimit -u, or pids.max of the container (docker run --pids-limit)"};
}

Finding look_at_address_limit(const MachineFacts& facts, const SliceNeeds& needs) {
  if (facts.address_space == kUnlimited) return {Health::good, "no limit", ""};
  const std::uint64_t wanted = times(needs.chips, needs.hbm_bytes) + kAddressesForItself;
  const std::string text = fmt::format("limit {}, each worker maps {} ({} chips x {} HBM)",
                                       bytes_text(facts.address_space), bytes_text(wanted),
                                       needs.chips, bytes_text(needs.hbm_bytes));
  if (facts.address_space >= wanted) return {Health::good, text, ""};
  return {Health::bad, text, "run: ulimit -v unlimited"};
}

// Every worker maps the HBM of all chips of its machine, so the sum must fit into one process's
// addresses.
Finding look_at_address_space(const MachineFacts&, const SliceNeeds& needs) {
  const std::uint64_t wanted = times(needs.chips, needs.hbm_bytes) + kAddressesForItself;
  const std::string text =
      fmt::format("{} of {} for {} chips x {} HBM", bytes_text(wanted),
                  bytes_text(kAddressesOfMachine), needs.chips, bytes_text(needs.hbm_bytes));
  if (wanted <= kAddressesOfMachine) return {Health::good, text, ""};
  return {Health::bad, text,
          "spread the slice over several machines (--hostfile), so that each maps fewer chips"};
}

Finding look_at_overcommit(const MachineFacts& facts, const SliceNeeds&) {
  const std::string text = fmt::format("vm.overcommit_memory={}", facts.overcommit);
  if (facts.overcommit != 2) return {Health::good, text, ""};
  return {Health::bad, text + ": the kernel counts mapped HBM as used memory",
          "sysctl vm.overcommit_memory=0 (workers map whole chips and touch little of them)"};
}

// Containers with a strict security policy deny this even for processes of the same user.
Finding look_at_peers(const MachineFacts& facts, const SliceNeeds&) {
  if (facts.peers_readable) return {Health::good, "/proc/PID/fd can be read", ""};
  return {Health::bad, "/proc/PID/fd of another process of this user is denied",
          "mount /proc without hidepid, and let the security policy allow reading it (workers map "
          "each other's HBM through it)"};
}

Finding look_at_memory(const MachineFacts& facts, const SliceNeeds& needs) {
  const std::uint64_t wanted = times(needs.chips, kMemoryPerIdleRank);
  if (!facts.memory_bytes) return {Health::good, "unknown", ""};
  const std::string text =
      fmt::format("{} available, {} needed for {} idle chips plus their arrays",
                  bytes_text(*facts.memory_bytes), bytes_text(wanted), needs.chips);
  if (*facts.memory_bytes >= wanted) return {Health::good, text, ""};
  return {Health::bad, text, "free memory, take a smaller slice, or add machines (--hostfile)"};
}

Finding look_at_run_folder(const MachineFacts& facts, const SliceNeeds&) {
  const std::string text =
      fmt::format("{} free in {}", bytes_text(facts.run_folder_bytes), facts.run_folder_base);
  if (facts.run_folder_bytes >= kRunFolder) return {Health::good, text, ""};
  return {Health::bad, text,
          "free space in it or set TMPDIR (arguments and results pass through this folder)"};
}

// Open MPI and the programs of a user's script block on name servers that do not answer.
Finding look_at_names(const MachineFacts& facts, const SliceNeeds&) {
  std::string text;
  std::string missing;
  for (const NameLookup& one : facts.names) {
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", one.name);
    if (one.in_time) {
      text += one.address ? "resolves to " + *one.address : "does not resolve (answered at once)";
      continue;
    }
    text += fmt::format("does not resolve within {:.0f} s", one.seconds);
    missing += fmt::format("{}127.0.0.1 {}", missing.empty() ? "" : "\\n", one.name);
  }
  if (missing.empty()) return {Health::good, text, ""};
  return {Health::doubtful, text,
          fmt::format("programs that look up this name wait for name servers that do not answer: "
                      "printf '{}\\n' >> /etc/hosts, or docker run --add-host",
                      missing)};
}

Finding look_at_orphans(const MachineFacts& facts, const SliceNeeds&) {
  std::string text;
  std::string remedy;
  for (const std::string& line : orphan_lines(facts.orphans))
    text += (text.empty() ? "" : "; ") + line;
  for (const OrphanPod& pod : facts.orphans.alive)
    remedy += (remedy.empty() ? "" : "; ") + remedy_for(pod);
  if (text.empty()) return {Health::good, "no leftovers of killed runs", ""};
  return {remedy.empty() ? Health::good : Health::doubtful, text, remedy};
}

// Optional: only `understudy preflight` needs it.
Finding look_at_compiler(const MachineFacts& facts, const SliceNeeds&) {
  return {Health::good, facts.tpu_compiler, facts.has_tpu_compiler ? "" : kLibraryRemedy};
}

constexpr Check kChecks[] = {
    {"MPI", look_at_mpi},
    {"worker", look_at_worker},
    {"instruction set", look_at_instructions},
    {"/dev/shm", look_at_shared_memory},
    {"file descriptors", look_at_descriptors},
    {"processes", look_at_processes},
    {"RLIMIT_AS", look_at_address_limit},
    {"address space", look_at_address_space},
    {"overcommit", look_at_overcommit},
    {"peers", look_at_peers},
    {"memory", look_at_memory},
    {"run folder", look_at_run_folder},
    {"host name", look_at_names},
    {"killed runs", look_at_orphans},
    {"TPU compiler", look_at_compiler},
};

}  // namespace

std::string_view name_of(Health health) {
  constexpr std::string_view kNames[] = {"ok", "warning", "problem"};
  return kNames[static_cast<std::size_t>(health)];
}

std::span<const Check> checks() { return kChecks; }

}  // namespace understudy::launcher
