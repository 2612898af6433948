// SPDX-License-Identifier: Apache-2.0
// The bit layout of MPI tags. A tag does not depend on the program (channel, op): messages of
// mismatched collectives must be matched by MPI, so that their headers can reveal the mismatch.
//
//   bits 0-1  part     what a message is inside one exchange
//   bits 2-5  lane     number among the messages that one batch sends to the same peer
//   bits 6-9  stream   the conversation that it belongs to
#pragma once

namespace understudy::collectives {

// The conversations that a Transport's user can have side by side with one peer.
enum class Stream : int {
  collective = 0,
  control_channel = 1,  // plans, programs, arguments and results
  permute = 2,
};

// The three kinds of MPI messages of one exchange (mpi/link.h).
enum class Part : int {
  opening = 0,  // header and the first bytes
  piece = 1,    // the bytes after that, in order
  credit = 2,   // how many pieces the receiver is ready for
};

inline constexpr int kPartBits = 2;
inline constexpr int kLaneBits = 4;
inline constexpr int kStreamBits = 4;
inline constexpr int kMostLanes = 1 << kLaneBits;
inline constexpr int kLargestTag = (1 << (kPartBits + kLaneBits + kStreamBits)) - 1;
static_assert(kLargestTag <= 32767, "the MPI standard promises no larger tag");

// A stream and a lane of it: the tag without its part.
constexpr int tag_of(Stream stream, int lane) {
  return (static_cast<int>(stream) << kLaneBits) | lane;
}
constexpr int mpi_tag(int tag, Part part) { return (tag << kPartBits) | static_cast<int>(part); }

}  // namespace understudy::collectives
