// SPDX-License-Identifier: Apache-2.0
// The folder of one run, and the folder in /dev/shm for MPI's shared memory. Both are removed when
// the object is destroyed or the process ends in any way. Thread-compatible.
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
  // Creates `base`/understudy-XXXXXX with its subfolders, and removes run folders in `base` whose
  // launcher has ended. *Throws* Error{system}.
  explicit RunFolder(const std::string& base);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string record(std::int64_t rank) const;  // RUN_DIR/records/<rank>
  // Creates a folder of the same name in /dev/shm for MPI's shared memory; uses the run folder if
  // /dev/shm has less than `bytes` free. Returns the path.
  std::string make_backing_folder(std::uint64_t bytes);
  // Bytes of MPI's shared memory in the run folder; 0 if it is in /dev/shm.
  std::uint64_t shared_memory_bytes() const { return shared_memory_bytes_; }

  // Makes the guardian kill the session of this child if the launcher ends. Call right after its
  // start.
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
