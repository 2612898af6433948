// SPDX-License-Identifier: Apache-2.0
#include "collectives/communicator.h"

#include <cstring>
#include <limits>
#include <string>

#include "fmt/format.h"
#include "mpi.h"

#include "collectives/mpi/request_bits.h"
#include "collectives/tags.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

constexpr int kNoHandle = -1;

// <mpi.h> stays out of headers, so a handle is kept as the integer of the Fortran binding.
MPI_Comm comm_of(int handle) { return MPI_Comm_f2c(handle); }

int count_of(std::size_t bytes) {
  // Pieces are far smaller; larger buffers are cut before they come here.
  UNDERSTUDY_ASSERT(bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(bytes);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  mpi_check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  return rank;
}

// The MPI standard promises tags up to 32767; tags.h stays below that, so this fails only for a
// broken MPI.
void check_tags(MPI_Comm comm) {
  int* upper = nullptr;
  int found = 0;
  mpi_check(MPI_Comm_get_attr(comm, MPI_TAG_UB, &upper, &found), "MPI_Comm_get_attr");
  if (found == 0 || *upper < kLargestTag) {
    throw Error(ErrorKind::system,
                fmt::format("this MPI supports no tag as large as {}", kLargestTag));
  }
}

}  // namespace

void mpi_check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  // An invalid code has no text; the number alone is then reported.
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  text.resize(static_cast<std::size_t>(length));
  throw Error(ErrorKind::system, fmt::format("{} failed: {} (code {})", call, text, code));
}

bool PendingMessage::test() {
  UNDERSTUDY_ASSERT(active_);
  MPI_Request request = MPI_REQUEST_NULL;
  // The request is kept as bytes of MPI's own handle type, whose size the standard leaves open.
  std::memcpy(&request, &request_, sizeof(request));
  MPI_Status status;
  int done = 0;
  mpi_check(MPI_Test(&request, &done, &status), "MPI_Test");
  if (done == 0) return false;
  active_ = false;
  int bytes = 0;
  // From here on MPI does not touch the buffer any more.
  mpi_check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
  received_ = bytes == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(bytes);
  return true;
}

Communicator::Communicator(int handle) : handle_(handle) {
  const MPI_Comm comm = comm_of(handle_);
  // Errors come back as codes instead of ending the job, so that the failure can be recorded first.
  mpi_check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  rank_ = Rank(rank_in(comm));
  mpi_check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
  check_tags(comm);
}

Communicator::Communicator(Communicator&& other) noexcept
    : handle_(other.handle_), rank_(other.rank_), size_(other.size_) {
  other.handle_ = kNoHandle;
}

// Freeing is collective, and a destructor may run while other ranks have failed: bootstrap code
// calls free().
Communicator::~Communicator() = default;

PendingMessage Communicator::send(std::span<const std::byte> bytes, Rank to, int tag) const {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, to.value, tag,
                      comm_of(handle_), &request),
            "MPI_Isend");
  return PendingMessage(stored(request));
}

PendingMessage Communicator::receive(std::span<std::byte> bytes, Rank from, int tag) const {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Irecv(bytes.data(), count_of(bytes.size()), MPI_BYTE, from.value, tag,
                      comm_of(handle_), &request),
            "MPI_Irecv");
  return PendingMessage(stored(request));
}

void Communicator::poke() const {
  int flag = 0;
  // Matches no message of ours (the largest tag is never used); the call only makes MPI's progress
  // engine run.
  mpi_check(MPI_Iprobe(MPI_ANY_SOURCE, kLargestTag, comm_of(handle_), &flag, MPI_STATUS_IGNORE),
            "MPI_Iprobe");
}

void Communicator::free() {
  // Set before the call: the handle counts as gone even where freeing fails.
  MPI_Comm comm = comm_of(handle_);
  handle_ = kNoHandle;
  mpi_check(MPI_Comm_free(&comm), "MPI_Comm_free");
}

}  // namespace understudy::collectives
