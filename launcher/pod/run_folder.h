// SPDX-License-Identifier: Apache-2.0
// The folder of one run and MPI's shared-memory folder beside it: made for the run, removed with
// everything in them when the object goes or the process ends, however that ends.
// Thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "configs/base/folder_owner.h"
#include "launcher/pod/guardian.h"

namespace understudy::launcher {

class RunFolder {
 public:
  // Makes `base`/understudy-XXXXXX with records/ in it, and removes what runs left there whose
  // launcher is gone. *Throws* Error{system}.
  explicit RunFolder(const std::string& base);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string record(std::int64_t rank) const;  // RUN_DIR/records/<rank>
  // Makes a folder of the same name under /dev/shm for MPI's shared memory, or uses the run folder
  // where that has less than `bytes` free. Returns its path.
  std::string make_backing_folder(std::uint64_t bytes);
  // What MPI's shared memory may take of the run folder: 0 where it is under /dev/shm.
  std::uint64_t shared_memory_bytes() const { return shared_memory_bytes_; }

  // What a child of this process starts ends with this process. Before the first look at it.
  void end_with_launcher(const ProcessIdentity& child) const { guardian_.end_session_of(child); }

  void write(std::string_view name, std::span<const std::byte> bytes) const;
  void write(std::string_view name, std::string_view text) const;

 private:
  Guardian guardian_;
  std::string path_;
  std::string backing_;
  std::uint64_t shared_memory_bytes_ = 0;
  std::optional<FolderLock> lock_, backing_lock_;
};

}  // namespace understudy::launcher
