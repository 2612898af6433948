// SPDX-License-Identifier: Apache-2.0
// A real file system that is small enough to fill. Call from a single-threaded process.
#pragma once

#include <cstdint>
#include <string>

namespace understudy::launcher {

// Mounts a tmpfs of `bytes` bytes on a folder. Only this process and its children see it. It is
// unmounted with the object, or with the last of those processes. Requires root.
class SmallDisk {
 public:
  SmallDisk(std::string directory, std::uint64_t bytes);
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  // Why it could not be mounted; empty on success.
  const std::string& trouble() const { return trouble_; }
  // Remounts it read-only. *Requires*: trouble() is empty. *Throws* Error{system}.
  void make_read_only() const;

 private:
  std::string mount() const;

  std::string directory_;
  std::uint64_t bytes_;
  std::string trouble_;
};

}  // namespace understudy::launcher
