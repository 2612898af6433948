// SPDX-License-Identifier: Apache-2.0
// The exclusive use of a chip, as libtpu arranges it: a lock file for
// the chip with pid, user and start time of its holder, and the device behind it. Held until the
// object is destroyed or the process ends. Owns both descriptors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "configs/base/deadline.h"
#include "configs/base/ids.h"

namespace understudy::worker {

// Paths of a chip's lock file and of its device; `chip` counts within its host.
struct ChipPlace {
  std::string lock, device;
};
// Creates the host's folder below `run_dir`. *Throws* Error{system}.
ChipPlace chip_place(const std::string& run_dir, HostId host, std::int64_t chip);

// The contents of a lock file.
struct LockHolder {
  std::int64_t pid = 0, uid = 0;
  std::uint64_t start = 0;  // field 22 of /proc/PID/stat: tells a reused pid
};
std::string text_of(const LockHolder& holder);
std::optional<LockHolder> parse_holder(const std::string& text);
// This process.
LockHolder own_holder();

class ChipLock {
 public:
  // Waits up to `wait_limit` for a device that is still busy. *Throws* Error{system}, diagnosed: a
  // live holder with its pid and command, a dead one, another user's file, a device held by a
  // process that the lock file does not name.
  ChipLock(const ChipPlace& place, HostId host, Seconds wait_limit);
  // How long the device was busy.
  Seconds waited() const { return waited_; }

 private:
  void take_lock(const std::string& path, HostId host);
  void open_device(const ChipPlace& place, HostId host, Seconds wait_limit);

  struct Descriptor {
    Descriptor() = default;
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int value = -1;
  };
  Descriptor lock_, device_;
  Seconds waited_{0};
};

// Takes an advisory lock on a file, without waiting; -1 where another process holds it. *Throws*
// Error{system}.
int try_lock(const std::string& path);

}  // namespace understudy::worker
