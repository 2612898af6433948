// SPDX-License-Identifier: Apache-2.0
// Where this worker's record is kept: in the run folder where this machine can see it, else in a
// temporary folder of its own, whose record is sent to rank 0 at the end. Owns that folder.
#pragma once

#include <optional>
#include <string>

#include "configs/base/folder_owner.h"
#include "configs/base/ids.h"
#include "configs/receipt/record/record.h"
#include "worker/pod/control_channel.h"

namespace understudy::worker {

class RecordPlace {
 public:
  // *Throws* Error{system}.
  RecordPlace(std::string run_dir, Rank rank);
  ~RecordPlace();
  RecordPlace(const RecordPlace&) = delete;
  RecordPlace& operator=(const RecordPlace&) = delete;

  const std::string& path() const { return path_; }
  // The run folder, or this worker's own in its place.
  const std::string& folder() const { return folder_; }
  bool is_elsewhere() const { return !own_folder_.empty(); }

 private:
  std::string own_folder_;  // empty: the run folder is here
  std::string folder_, path_;
  std::optional<FolderLock> lock_;  // on its own folder: later starts remove what is not locked
};

// Rank 0 writes the records of workers that do not see the run folder into it. Collective.
void forward_record(ControlChannel& control_channel, const RecordPlace& place,
                    const configs::RecordWriter& record, const std::string& run_dir);

}  // namespace understudy::worker
