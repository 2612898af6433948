// SPDX-License-Identifier: Apache-2.0
// The callbacks of one launch on one chip: the framework takes operands that the chip sends, and
// gives results that it receives, in chunks. Thread-safe. Equivalents: xla::SendCallback,
// xla::RecvCallback.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "pjrt/abi/types.h"

namespace understudy::pjrt {

// Lets the launch go on; a text makes it fail.
using Resume = std::function<void(std::string error)>;

class HostCallbacks {
 public:
  HostCallbacks(std::span<const abi::SendCallbackInfo> sends,
                std::span<const abi::RecvCallbackInfo> receives);

  // The chip sends `bytes`: calls the framework, then `resume`.
  void take(std::int64_t channel, std::span<const std::byte> bytes, const Resume& resume) const;
  // The chip wants bytes at `place`: `resume` is called when the framework has given all of them,
  // which may be later.
  void give(std::int64_t channel, std::span<std::byte> place, const Resume& resume) const;

 private:
  std::map<std::int64_t, abi::SendCallbackInfo> sends_;
  std::map<std::int64_t, abi::RecvCallbackInfo> receives_;
};

// PJRT_CopyToDeviceStream: the framework adds chunks until the place is full, and destroys it.
class CopyToDeviceStream {
 public:
  CopyToDeviceStream(std::span<std::byte> place, Resume resume)
      : place_(place), resume_(std::move(resume)) {}
  // Of a stream that never became full: the launch fails.
  ~CopyToDeviceStream();
  CopyToDeviceStream(const CopyToDeviceStream&) = delete;
  CopyToDeviceStream& operator=(const CopyToDeviceStream&) = delete;

  // Takes the bytes and calls the chunk's deleter. *Throws* Refusal{INVALID_ARGUMENT} beyond the
  // end.
  void add(const abi::Chunk& chunk);
  std::int64_t total() const { return static_cast<std::int64_t>(place_.size()); }
  std::int64_t current();

 private:
  std::span<std::byte> place_;
  Resume resume_;
  std::mutex mutex_;  // guards the following
  std::size_t written_ = 0;
  bool resumed_ = false;
};

}  // namespace understudy::pjrt
