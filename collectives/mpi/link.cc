// SPDX-License-Identifier: Apache-2.0
#include "collectives/mpi/link.h"

#include <algorithm>
#include <cstring>

#include "collectives/tags.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

std::size_t pieces_of(std::size_t bytes) { return (bytes + kPieceBytes - 1) / kPieceBytes; }

template <class Byte>
std::span<Byte> nth_piece(std::span<Byte> bytes, std::size_t number) {
  const std::size_t begin = number * kPieceBytes;
  return bytes.subspan(begin, std::min(kPieceBytes, bytes.size() - begin));
}

template <class T>
std::span<std::byte> view_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace

// ---- Outgoing ---------------------------------------------------------------------------------

// The header and the first bytes go out at once, without waiting for the receiver: a short message
// is complete with its opening.
void Outgoing::start(std::span<const std::byte> out, Rank to, int tag, MessageHeader header) {
  UNDERSTUDY_ASSERT(done());
  header.bytes = out.size();
  const auto first = out.first(std::min(out.size(), kInlineBytes));
  rest_ = out.subspan(first.size());
  to_ = to;
  tag_ = tag;
  pieces_ = pieces_of(rest_.size());
  granted_ = sent_ = finished_ = 0;
  opening_.resize(kPieceBytes);
  std::memcpy(opening_.data(), &header, sizeof(header));
  std::copy(first.begin(), first.end(), opening_.begin() + sizeof(header));
  opening_message_ = communicator_.send(std::span(opening_).first(sizeof(header) + first.size()),
                                        to_, mpi_tag(tag_, Part::opening));
  if (pieces_ > 0) {
    credit_message_ = communicator_.receive(view_of(credit_), to_, mpi_tag(tag_, Part::credit));
  }
}

bool Outgoing::advance() {
  bool moved = opening_message_.active() && opening_message_.test();
  moved |= take_credit();
  moved |= send_pieces();
  while (finished_ < sent_ && slots_[finished_ % kWindow].message.test()) {
    ++finished_;
    moved = true;
  }
  return moved;
}

// The next receive for a credit is posted only while pieces are left without credit. Credits add up
// to exactly the number of pieces, so no credit message is left over for the next exchange with the
// same tag.
bool Outgoing::take_credit() {
  bool moved = false;
  while (credit_message_.active() && credit_message_.test()) {
    moved = true;
    granted_ += credit_;
    UNDERSTUDY_ASSERT(granted_ <= pieces_);
    if (granted_ < pieces_) {
      credit_message_ = communicator_.receive(view_of(credit_), to_, mpi_tag(tag_, Part::credit));
    }
  }
  return moved;
}

// Bounded by the receiver's credit and by our window of slots. Sends complete in order of their
// slots, so slot `sent_ % kWindow` is free when fewer than kWindow are unfinished.
bool Outgoing::send_pieces() {
  bool moved = false;
  for (; sent_ < std::min(granted_, finished_ + kWindow); ++sent_, moved = true) {
    const auto bytes = nth_piece(rest_, sent_);
    PieceSlot& slot = slots_[sent_ % kWindow];
    slot.bytes.resize(kPieceBytes);
    std::copy(bytes.begin(), bytes.end(), slot.bytes.begin());
    slot.message = communicator_.send(std::span(slot.bytes).first(bytes.size()), to_,
                                      mpi_tag(tag_, Part::piece));
  }
  return moved;
}

bool Outgoing::needs_polling() const { return opening_message_.active() || finished_ < sent_; }

// ---- Incoming ---------------------------------------------------------------------------------

void Incoming::start(std::span<std::byte> in, Rank from, int tag, const MessageHeader& expected) {
  UNDERSTUDY_ASSERT(done());
  in_ = in;
  from_ = from;
  tag_ = tag;
  expected_ = expected;
  pieces_ = posted_ = granted_ = taken_ = 0;
  // Always the full size: a longer message than expected must be reported by its header, not by
  // MPI's truncation error.
  opening_.resize(kPieceBytes);
  opening_message_ = communicator_.receive(opening_, from_, mpi_tag(tag_, Part::opening));
}

bool Incoming::advance() {
  bool moved = false;
  if (opening_message_.active()) {
    if (!opening_message_.test()) return false;
    open();
    moved = true;
  }
  moved |= take_pieces();
  moved |= grant();
  for (Credit& credit : credits_) {
    if (credit.message.active()) moved |= credit.message.test();
  }
  return moved;
}

void Incoming::open() {
  UNDERSTUDY_ASSERT(opening_message_.received() >= sizeof(received_));
  std::memcpy(&received_, opening_.data(), sizeof(received_));
  check_header(expected_, in_.size(), communicator_.rank(), received_, from_);
  const std::size_t first = std::min(in_.size(), kInlineBytes);
  UNDERSTUDY_ASSERT(opening_message_.received() == sizeof(received_) + first);
  std::copy_n(opening_.begin() + sizeof(received_), first, in_.begin());
  rest_ = in_.subspan(first);
  pieces_ = pieces_of(rest_.size());
  // Receives are posted before the credit for them is sent: a piece always finds its buffer and
  // never waits in MPI's queue of unexpected messages.
  while (posted_ < std::min(pieces_, kWindow)) post(posted_++);
}

void Incoming::post(std::size_t number) {
  PieceSlot& slot = slots_[number % kWindow];
  slot.bytes.resize(kPieceBytes);
  slot.message = communicator_.receive(slot.bytes, from_, mpi_tag(tag_, Part::piece));
}

bool Incoming::take_pieces() {
  bool moved = false;
  while (taken_ < posted_) {
    PieceSlot& slot = slots_[taken_ % kWindow];
    if (!slot.message.test()) break;
    const auto bytes = nth_piece(rest_, taken_);
    UNDERSTUDY_ASSERT(slot.message.received() == bytes.size());
    std::copy_n(slot.bytes.begin(), bytes.size(), bytes.begin());
    ++taken_;
    if (posted_ < pieces_) post(posted_++);
    moved = true;
  }
  return moved;
}

// Credits are sent for half a window at a time, so that the sender wakes up less often, and for the
// rest at the end. If all credit buffers are still in use, a later call sends it.
bool Incoming::grant() {
  const std::size_t owed = posted_ - granted_;
  if (owed == 0 || (owed < kWindow / 2 && posted_ < pieces_)) return false;
  for (Credit& credit : credits_) {
    if (credit.message.active()) continue;
    credit.pieces = owed;
    credit.message = communicator_.send(view_of(credit.pieces), from_, mpi_tag(tag_, Part::credit));
    granted_ = posted_;
    return true;
  }
  return false;
}

bool Incoming::credits_pending() const {
  return std::any_of(credits_.begin(), credits_.end(),
                     [](const Credit& credit) { return credit.message.active(); });
}

}  // namespace understudy::collectives
