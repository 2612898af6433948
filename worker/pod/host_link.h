// SPDX-License-Identifier: Apache-2.0
// Messages between a launch and the host process that made it: the callbacks of a framework. Call
// from the executor thread only. Equivalents: host send and recv of XLA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace understudy::worker {

class HostLink {
 public:
  virtual ~HostLink() = default;
  // Both return when the host process has taken or written the bytes, which are in HBM. *Throw*
  // Error{system} if it has ended.
  virtual void send(std::int64_t channel, std::span<const std::byte> bytes) = 0;
  virtual void receive(std::int64_t channel, std::span<std::byte> bytes) = 0;
};

}  // namespace understudy::worker
