// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/record_place.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <vector>

#include "configs/base/file.h"

namespace understudy::worker {
namespace {

namespace fs = std::filesystem;

std::string record_path(const std::string& run_dir, Rank rank) {
  return fmt::format("{}/records/{}", run_dir, rank.value);
}

}  // namespace

RecordPlace::RecordPlace(std::string run_dir, Rank rank) {
  std::error_code missing;
  // The launcher creates records/ before it starts workers. Where it is missing, this machine has
  // another file system than the launcher's.
  if (!fs::is_directory(run_dir + "/records", missing)) {
    // The pattern of mkdtemp(); the launcher's clean-up knows folders of this name.
    own_folder_ = fs::temp_directory_path() / "understudy-XXXXXX";
    if (::mkdtemp(own_folder_.data()) == nullptr) throw file_error("create", own_folder_, errno);
    // The lock marks the folder as in use: a later start removes folders whose owners are gone.
    lock_.emplace(own_folder_);
    std::error_code refused;
    fs::create_directory(own_folder_ + "/records", refused);
    if (refused) throw file_error("create", own_folder_ + "/records", refused.value());
    run_dir = own_folder_;
  }
  folder_ = run_dir;
  path_ = record_path(run_dir, rank);
}

RecordPlace::~RecordPlace() {
  std::error_code left;  // nothing can be done about it here
  // Only a folder that this worker made itself.
  if (is_elsewhere()) fs::remove_all(own_folder_, left);
}

void forward_record(ControlChannel& control_channel, const RecordPlace& place,
                    const configs::RecordWriter& record, const std::string& run_dir) {
  const std::vector<Bytes> records =
      // Workers that wrote into the run folder send nothing. A worker that dies before this leaves
      // its record on its own machine.
      control_channel.gather(place.is_elsewhere() ? record.bytes() : Bytes(), "records");
  for (std::size_t rank = 0; rank < records.size(); ++rank) {
    if (records[rank].empty()) continue;
    // Rank 0 runs beside the launcher, so its file system has the run folder.
    write_file_atomically(record_path(run_dir, Rank(static_cast<std::int64_t>(rank))),
                          records[rank]);
  }
}

}  // namespace understudy::worker
