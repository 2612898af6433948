// SPDX-License-Identifier: Apache-2.0
// The folder of one run and MPI's shared-memory folder beside it: made for the run, removed with
// everything in them when the object goes, however the run ended. Thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace understudy::launcher {

class RunFolder {
 public:
  // Makes `base`/understudy-XXXXXX with records/ in it. *Throws* Error{system}.
  explicit RunFolder(const std::string& base);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string record(std::int64_t rank) const;  // RUN_DIR/records/<rank>
  // Makes a folder of the same name under /dev/shm for MPI's shared memory, or uses the run folder
  // where that has less than `bytes` free. Returns its path.
  std::string make_backing_folder(std::uint64_t bytes);

  void write(std::string_view name, std::span<const std::byte> bytes) const;
  void write(std::string_view name, std::string_view text) const;

 private:
  std::string path_;
  std::string backing_;
};

}  // namespace understudy::launcher
