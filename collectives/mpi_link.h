// SPDX-License-Identifier: Apache-2.0
// The two halves of one exchange over MPI. A message is an opening (header and first bytes), then
// pieces for which the receiver gives credit. So nothing large is on its way to a peer that is not
// there yet, every MPI message is small enough to be sent eagerly, and each of them is followed by
// a ring of the receiver's doorbell: nobody needs to poll. All buffers that MPI sees are owned
// here and live as long as the transport. Call from the main thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/communicator.h"
#include "collectives/transport.h"

namespace understudy::collectives {

inline constexpr std::size_t kPieceBytes = 32000;
inline constexpr std::size_t kInlineBytes = kPieceBytes - sizeof(MessageHeader);
inline constexpr std::size_t kWindow = 16;  // pieces on their way at once

struct PieceSlot {
  std::vector<std::byte> bytes;
  PendingMessage message;
};

class Outgoing {
 public:
  explicit Outgoing(const Communicator& communicator) : communicator_(communicator) {}

  // Requires done(). `out` must stay until done() again.
  void start(std::span<const std::byte> out, Rank to, int tag, MessageHeader header);
  // Does what can be done now; true when anything moved.
  bool advance();
  bool done() const { return !opening_message_.active() && finished_ == pieces_; }
  // MPI has something to do that no doorbell tells of.
  bool needs_polling() const;

 private:
  bool take_credit();
  bool send_pieces();

  const Communicator& communicator_;
  std::span<const std::byte> rest_;  // what did not fit the opening
  Rank to_ = kNobody;
  int tag_ = 0;
  std::size_t pieces_ = 0, granted_ = 0, sent_ = 0, finished_ = 0;
  std::vector<std::byte> opening_;
  PendingMessage opening_message_;
  std::uint64_t credit_ = 0;
  PendingMessage credit_message_;
  std::array<PieceSlot, kWindow> slots_;
};

class Incoming {
 public:
  explicit Incoming(const Communicator& communicator) : communicator_(communicator) {}

  // Requires done(). `in` must stay until done() again.
  void start(std::span<std::byte> in, Rank from, int tag, const MessageHeader& expected);
  // *Throws* Error{protocol} when another message came than expected.
  bool advance();
  bool done() const {
    return !opening_message_.active() && taken_ == pieces_ && !credits_pending();
  }
  bool needs_polling() const { return credits_pending(); }
  const MessageHeader& received() const { return received_; }

 private:
  struct Credit {
    std::uint64_t pieces = 0;
    PendingMessage message;
  };

  void open();
  bool take_pieces();
  bool grant();
  void post(std::size_t number);
  bool credits_pending() const;

  const Communicator& communicator_;
  std::span<std::byte> rest_;
  std::span<std::byte> in_;
  Rank from_ = kNobody;
  int tag_ = 0;
  MessageHeader expected_, received_;
  std::size_t pieces_ = 0, posted_ = 0, granted_ = 0, taken_ = 0;
  std::vector<std::byte> opening_;
  PendingMessage opening_message_;
  std::array<Credit, 4> credits_;
  std::array<PieceSlot, kWindow> slots_;
};

}  // namespace understudy::collectives
