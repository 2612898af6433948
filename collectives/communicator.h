// SPDX-License-Identifier: Apache-2.0
// Owner of one MPI communicator, and the few calls on it that messages need; <mpi.h> stays in the
// .cc. Errors of MPI come back as codes and are thrown as Error{system}. Call from the main thread
// only. Equivalent: MPI_Comm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "configs/base/ids.h"

namespace understudy::collectives {

// Turns an MPI return code that is not MPI_SUCCESS into Error{system}, with MPI's own words.
void mpi_check(int code, const char* call);

// One message on its way. A value: the handle of MPI may be copied while the message is pending.
class PendingMessage {
 public:
  PendingMessage() = default;
  bool active() const { return active_; }
  // True once it is complete, which makes it inactive. Requires active().
  bool test();
  // Bytes that a completed receive got.
  std::size_t received() const { return received_; }

 private:
  friend class Communicator;
  explicit PendingMessage(std::uintptr_t request) : request_(request), active_(true) {}
  std::uintptr_t request_ = 0;
  bool active_ = false;
  std::size_t received_ = 0;
};

class Communicator {
 public:
  // Takes over the handle that MPI_Comm_c2f gave; errors on it return codes from now on.
  // *Throws* Error{system}, also when tags.h needs larger tags than it allows.
  explicit Communicator(int handle);
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&&) = delete;
  Communicator(const Communicator&) = delete;
  ~Communicator();

  Rank rank() const { return rank_; }
  int size() const { return size_; }
  // As MPI_Comm_c2f gives it.
  int handle() const { return handle_; }

  // The bytes must stay where they are until the message is complete.
  PendingMessage send(std::span<const std::byte> bytes, Rank to, int tag) const;
  PendingMessage receive(std::span<std::byte> bytes, Rank from, int tag) const;
  // Lets MPI make progress on queued messages.
  void poke() const;

  // Collective. Frees the handle; the destructor does not, as it may run while others have failed.
  void free();

 private:
  int handle_;
  Rank rank_;
  int size_ = 0;
};

}  // namespace understudy::collectives
