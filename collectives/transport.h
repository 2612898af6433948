// SPDX-License-Identifier: Apache-2.0
// Messages between the workers of one pod: the narrow interface that collective algorithms see. Two
// implementations: MpiTransport (one process per chip) and LocalTransport (threads in one process,
// for tests). One thread at a time calls a Transport (the executor). Messages between a pair with
// the same stream arrive in the order sent. Equivalents: gloo::transport, ncclNet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/tags.h"
#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/base/ids.h"

namespace understudy::collectives {

// Precedes every payload; never counted as payload. The clock joins emulated times. The signature
// detects mismatched collectives, and the text lets the error show what the sender ran.
struct MessageHeader {
  std::uint64_t signature = 0;   // digest of (op, channel, element type, count, reduction, group)
  std::uint64_t bytes = 0;       // payload; set by the transport
  double emulated_seconds = 0;   // the sender's chip clock
  std::array<char, 168> call{};  // "all_reduce f32[1000] sum, channel 1, ..."; ends with a 0
};
static_assert(sizeof(MessageHeader) == 192);

// The call that a wait belongs to, for error messages.
struct Waiting {
  std::string what;  // "all_reduce (channel 1, group 0 of 1)"
};

// One message of a batch.
struct Outbound {
  std::span<const std::byte> bytes;
  Rank to;
};
struct Inbound {
  std::span<std::byte> bytes;
  Rank from;
  MessageHeader received = {};  // written by the exchange
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

  // Sends all of `out` and receives all of `in`, at the same time, each exactly as long as its
  // span. The k-th message of a batch from p to q is matched with the k-th that q's batch receives
  // from p, for at most kMostLanes of them. A long message waits for its receiver, so members of a
  // cycle must send and receive in one call. *Throws* Error{timeout} with the missing peer if that
  // made no progress for the wait limit of this transport or is gone; Error{protocol} if a received
  // signature or size differs from `header`'s, with both ranks and what each ran. It is not called
  // again after an error: MpiTransport would throw the same one.
  virtual void exchange_all(std::span<const Outbound> out, std::span<Inbound> in, Stream stream,
                            const MessageHeader& header, const Waiting& waiting) = 0;
  // A batch of one message each way; a side whose peer is kNobody is left out. Returns the received
  // header.
  MessageHeader exchange(std::span<const std::byte> out, Rank to, std::span<std::byte> in,
                         Rank from, Stream stream, const MessageHeader& header,
                         const Waiting& waiting);

  // A wait outside of exchange(), on shared memory. begin_wait() starts its clocks (again after
  // progress), look() checks the awaited peers once, about 50 ms after the previous check,
  // end_wait() ends it. *Throws* as exchange() does.
  virtual void begin_wait() = 0;
  virtual void look(std::span<const Rank> awaited, const Waiting& waiting) = 0;
  virtual void end_wait() = 0;
  // An operation outside of exchange() failed with this error: the transport serves no more calls,
  // and peers see that we gave up.
  virtual void abandon(const Error& error) = 0;

  virtual TrafficCount traffic() const = 0;
  // The ranks that the failed wait missed; empty before a failure.
  virtual std::vector<Rank> missing() const = 0;
};

inline constexpr Rank kNobody{-1};

// The number of the i-th message among the batch's messages with the same peer.
int lane_of(std::span<const Outbound> out, std::size_t i);
int lane_of(std::span<const Inbound> in, std::size_t i);

std::string_view call_of(const MessageHeader& header);

// Part of the text of a call whose operand layout must not change (PyTorch/XLA's pin_layout).
inline constexpr std::string_view kLayoutConstrained = "layout constrained";

// The error for two calls that do not match, as call_of() gives them; `text` says how.
Error mismatch_of(std::string_view ours, std::string_view theirs, const std::string& text);

// The check of a received header in every implementation. *Throws* Error{protocol}.
void check_header(const MessageHeader& expected, std::size_t expected_bytes, Rank self,
                  const MessageHeader& received, Rank from);

}  // namespace understudy::collectives
