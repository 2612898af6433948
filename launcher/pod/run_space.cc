// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/run_space.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/file.h"
#include "configs/base/file_system.h"
#include "configs/base/units.h"
#include "configs/receipt/record/record.h"
#include "launcher/pod/run_folder.h"
#include "program/ir/types.h"

namespace understudy::launcher {
namespace {

// Size of Open MPI 4.1's session folder: two 4 MiB shared segments of PMIx, locks, the topology,
// and a folder per rank.
constexpr std::uint64_t kSession = 8 * kMiB + 256 * kKiB;
constexpr std::uint64_t kSessionPerRank = 8 * kKiB;
// An allowance, not a measurement: it keeps a nearly full disk from failing on the first small
// file.
constexpr std::uint64_t kPlanAndProgram = 256 * kKiB;
constexpr std::uint64_t kFileOverhead =
    4 * kKiB;  // file header, and the unused part of the last block

std::uint64_t ranks_of(const configs::RunPlan& plan) {
  return static_cast<std::uint64_t>(plan.chips);
}

std::uint64_t start_bytes(const configs::RunPlan& plan) {
  return kSession + ranks_of(plan) * (kSessionPerRank + configs::kRecordBytesAtStart);
}

// Counts distinct tiles: replicas share one file.
std::uint64_t bytes_of(const std::vector<configs::PlannedArray>& arrays) {
  std::uint64_t bytes = 0;
  for (const configs::PlannedArray& array : arrays) {
    const auto element = program::element_type_of_mlir(array.element);
    UNDERSTUDY_ASSERT(element.has_value());
    const program::TensorType tile{*element, array.shape};
    bytes += array.files.size() * (static_cast<std::uint64_t>(tile.bytes()) + kFileOverhead);
  }
  return bytes;
}

Error too_little(const FileSystem& system, const std::vector<SpaceNeed>& needs, std::uint64_t sum) {
  Error error(ErrorKind::system,
              fmt::format("not enough space for the run in {}: {}, {} bytes needed",
                          needs.front().folder, text_of(system), sum));
  for (const SpaceNeed& need : needs)
    error.note(fmt::format("{} bytes for {} in {}", need.bytes, need.purpose, need.folder));
  error.diagnosed(name_of(DiagnosisId::disk_full));
  return error;
}

void require_file_size(std::uint64_t hbm_bytes) {
  const std::optional<std::uint64_t> limit = file_size_limit();
  const std::uint64_t needed =
      3 * hbm_bytes + kMiB;  // HBM, scratch space of twice its size, headers
  if (!limit || *limit >= needed) return;
  Error error(ErrorKind::system,
              fmt::format("the file size limit is {} bytes, but the memory of a chip needs {}",
                          *limit, needed));
  throw error.note("raise it: ulimit -f unlimited").diagnosed(name_of(DiagnosisId::disk_full));
}

}  // namespace

std::vector<SpaceNeed> space_needs(const configs::RunPlan& plan, const RunFolder& folder,
                                   const std::string& out) {
  const std::uint64_t arguments = bytes_of(plan.arguments);
  const std::uint64_t results = bytes_of(plan.results);
  std::vector<SpaceNeed> needs = {
      {folder.path(), "Open MPI's session folder and the workers' records", start_bytes(plan)},
      {folder.path(), "plan and program", kPlanAndProgram},
      {folder.path(), "arguments", arguments},
      {folder.path(), "results", results},
      {folder.path(), "MPI's shared memory, because /dev/shm is too small",
       folder.shared_memory_bytes()}};
  if (!out.empty()) needs.push_back({out, "results (--out)", results});
  std::erase_if(needs, [](const SpaceNeed& need) { return need.bytes == 0; });
  return needs;
}

void require_space(const std::vector<SpaceNeed>& needs, std::uint64_t hbm_bytes) {
  require_file_size(hbm_bytes);
  std::map<std::uint64_t, std::vector<SpaceNeed>> by_device;
  for (const SpaceNeed& need : needs)
    if (const auto system = file_system_of(need.folder)) by_device[system->device].push_back(need);
  // Several folders may be on one file system and share its free space, so needs are summed per
  // device.
  for (const auto& [device, there] : by_device) {
    const auto system = file_system_of(there.front().folder);
    std::uint64_t sum = 0;
    for (const SpaceNeed& need : there) sum += need.bytes;
    // Some file systems (overlays, network mounts) do not report free bytes; they cannot refuse a
    // run.
    if (system && system->counts_bytes() && system->free_bytes < sum)
      throw too_little(*system, there, sum);
  }
}

void prove_space(const configs::RunPlan& plan, const RunFolder& folder) {
  const std::string path = folder.path() + "/room";
  const std::uint64_t bytes = start_bytes(plan) + bytes_of(plan.results);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) throw file_error("write", path, errno, bytes);
  // posix_fallocate() returns its error instead of setting errno. It really reserves blocks, unlike
  // ftruncate(), so quotas and full disks show here.
  int code = EINTR;
  while (code == EINTR) code = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  ::close(file);
  ::unlink(path.c_str());
  if (code != 0) throw file_error("allocate space for the run in", folder.path(), code, bytes);
}

SpaceWatch::SpaceWatch(const RunFolder& folder)
    : folder_(folder.path()), next_look_(Deadline::after(Seconds(0))) {}

bool SpaceWatch::ran_out() {
  constexpr Seconds kBetweenLooks{0.25};
  // Less than this holds no record of a worker, so no worker can start.
  constexpr std::uint64_t kNothing = 64 * kKiB;
  // Polled in a tight loop; statvfs() is needed only a few times per second.
  if (error_ || !next_look_.passed()) return error_.has_value();
  next_look_ = Deadline::after(kBetweenLooks);
  std::error_code code;
  if (!std::filesystem::is_empty(folder_ + "/records", code) || code) return false;
  const std::optional<FileSystem> system = file_system_of(folder_);
  if (!system || !system->counts_bytes()) return false;
  if (system->free_bytes >= kNothing && system->free_files != 0) return false;
  error_ = Error(ErrorKind::system,
                 fmt::format("no worker started, because the run folder {} has no space left: {}",
                             folder_, text_of(*system)))
               .diagnosed(name_of(DiagnosisId::disk_full));
  return true;
}

// A worker whose record could not be created can only report through its stderr, which mpirun
// forwards.
std::optional<Error> SpaceWatch::error(const std::string& mpirun_output) const {
  if (error_) return error_;
  constexpr std::string_view kBegin = "error: cannot ";
  for (std::size_t at = mpirun_output.find(kBegin); at != std::string::npos;
       at = mpirun_output.find(kBegin, at + 1)) {
    const std::string line = mpirun_output.substr(at, mpirun_output.find('\n', at) - at);
    for (const int code : {ENOSPC, EDQUOT, EFBIG}) {
      if (line.find(std::strerror(code)) == std::string::npos) continue;
      Error error(ErrorKind::system, line.substr(std::string_view("error: ").size()));
      return error.diagnosed(name_of(DiagnosisId::disk_full));
    }
  }
  return std::nullopt;
}

}  // namespace understudy::launcher
