// SPDX-License-Identifier: Apache-2.0
// The bit layout of MPI tags. A tag never depends on what a program says (channel, op): messages of
// mismatched collectives must meet, so that their headers can tell the mismatch.
//
//   bits 0-1  part     what a message is inside one exchange
//   bits 2-7  stream   which conversation it belongs to
#pragma once

namespace understudy::collectives {

// The conversations that a Transport's user can have side by side with one peer.
enum class Stream : int {
  collective = 0,
  courier = 1,  // plans, programs, arguments and results
  permute = 2,
};

enum class Part : int {
  opening = 0,  // header and the first bytes
  piece = 1,    // the bytes after that, in order
  credit = 2,   // how many pieces the receiver is ready for
};

inline constexpr int kPartBits = 2;
inline constexpr int kStreamBits = 6;
inline constexpr int kLargestTag = (1 << (kPartBits + kStreamBits)) - 1;
static_assert(kLargestTag <= 32767, "the MPI standard promises no larger tag");

constexpr int tag_of(Stream stream) { return static_cast<int>(stream); }
constexpr int mpi_tag(int stream, Part part) {
  return (stream << kPartBits) | static_cast<int>(part);
}

}  // namespace understudy::collectives
