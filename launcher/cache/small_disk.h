// SPDX-License-Identifier: Apache-2.0
// A file system that is soon full, for real. Call from a process with one thread.
#pragma once

#include <cstdint>
#include <string>

namespace understudy::launcher {

// A tmpfs of that size on a folder, seen by this process and those it starts meanwhile. It goes
// with the object, or with the last of those processes. Needs the right to mount (root).
class SmallDisk {
 public:
  SmallDisk(std::string directory, std::uint64_t bytes);
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  // Why there is none; empty where there is.
  const std::string& trouble() const { return trouble_; }
  // From here on nothing can be written to it. *Requires* that there is one. *Throws*
  // Error{system}.
  void make_read_only() const;

 private:
  std::string mount() const;

  std::string directory_;
  std::uint64_t bytes_;
  std::string trouble_;
};

}  // namespace understudy::launcher
