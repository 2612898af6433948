// SPDX-License-Identifier: Apache-2.0
// Messages between the workers of one pod: the narrow interface that collective algorithms see. Two
// makes: MpiTransport (one process per chip) and LocalTransport (threads in one process, for
// tests). One thread at a time calls a Transport (the executor). Messages between a pair with the
// same tag arrive in the order sent. Equivalents: gloo::transport, ncclNet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "configs/base/deadline.h"
#include "configs/base/ids.h"

namespace understudy::collectives {

// Travels before every payload; never counted as payload. The clock joins emulated times; the
// signature catches mismatched collectives.
struct MessageHeader {
  std::uint64_t signature = 0;  // digest of (op, channel, element type, count, group, sequence)
  std::uint64_t bytes = 0;      // payload
  double emulated_seconds = 0;  // the sender's chip clock
};

// What a wait belongs to, for the error that names it.
struct Waiting {
  std::string what;  // "all_reduce (channel 1, group 0 of 1)"
};

struct TrafficCount {
  std::uint64_t messages = 0;  // sent
  std::uint64_t bytes = 0;     // payload bytes sent
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual Rank rank() const = 0;
  virtual int size() const = 0;

  // Sends `out` to `to` and receives exactly `in.size()` bytes from `from`, at the same time
  // (either span may be empty and its peer rank -1: that side is left out). Returns the received
  // header. *Throws* Error{timeout} naming the missing peer when it made no progress for the
  // patience of this transport or is gone; Error{protocol} when the received signature or size
  // differs from `header`'s, naming both ranks and `waiting`.
  virtual MessageHeader exchange(std::span<const std::byte> out, Rank to, std::span<std::byte> in,
                                 Rank from, int tag, const MessageHeader& header,
                                 const Waiting& waiting) = 0;

  virtual TrafficCount traffic() const = 0;
};

inline constexpr Rank kNobody{-1};

}  // namespace understudy::collectives
