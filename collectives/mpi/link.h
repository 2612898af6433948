// SPDX-License-Identifier: Apache-2.0
// The two halves of one exchange over MPI. A message is an opening (header and first bytes), then
// pieces, each sent only after the receiver gave credit for it:
//
//   sender                       receiver
//   opening  ------------------>  checks the header, posts receives for pieces
//            <------------------  credit: number of posted pieces
//   pieces   ------------------>  copies them out, posts more, gives more credit
//
// So nothing large is sent to a peer that is not there yet, every MPI message is small enough to be
// sent eagerly, and each is followed by a ring of the receiver's doorbell, so that nobody needs to
// poll. All buffers that MPI sees are owned here and live as long as the transport: after a failure
// MPI may still write to them. Call from the main thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/communicator.h"
#include "collectives/transport.h"

namespace understudy::collectives {

// Below Open MPI's eager limit of 32768 bytes together with MPI's own header (mpi/runtime.cc).
inline constexpr std::size_t kPieceBytes = 32000;
inline constexpr std::size_t kInlineBytes = kPieceBytes - sizeof(MessageHeader);
inline constexpr std::size_t kWindow = 16;  // pieces in flight

// A buffer for one piece in flight.
struct PieceSlot {
  std::vector<std::byte> bytes;
  PendingMessage message;
};

// The sending half. It is idle, or sends one message at a time.
class Outgoing {
 public:
  explicit Outgoing(const Communicator& communicator) : communicator_(communicator) {}

  // Requires done(). `out` must stay until done() again.
  void start(std::span<const std::byte> out, Rank to, int tag, MessageHeader header);
  // Does what can be done now; true when anything moved.
  bool advance();
  bool done() const { return !opening_message_.active() && finished_ == pieces_; }
  // MPI completes a send only inside of an MPI call, and no doorbell announces that.
  bool needs_polling() const;

 private:
  bool take_credit();
  bool send_pieces();

  const Communicator& communicator_;
  std::span<const std::byte> rest_;  // what did not fit the opening
  Rank to_ = kNobody;
  int tag_ = 0;
  // Counts of pieces of this message: finished_ <= sent_ <= granted_ <= pieces_.
  std::size_t pieces_ = 0, granted_ = 0, sent_ = 0, finished_ = 0;
  std::vector<std::byte> opening_;
  PendingMessage opening_message_;
  std::uint64_t credit_ = 0;
  PendingMessage credit_message_;
  std::array<PieceSlot, kWindow> slots_;
};

// The receiving half.
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
  // Counts of pieces of this message: taken_ <= posted_ <= pieces_ and granted_ <= posted_.
  std::size_t pieces_ = 0, posted_ = 0, granted_ = 0, taken_ = 0;
  std::vector<std::byte> opening_;
  PendingMessage opening_message_;
  std::array<Credit, 4> credits_;
  std::array<PieceSlot, kWindow> slots_;
};

}  // namespace understudy::collectives
