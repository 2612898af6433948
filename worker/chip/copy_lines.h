// SPDX-License-Identifier: Apache-2.0
// The loops of copy.h: planes of lines, and streams of bytes that bypass the caches. Steps are in
// bytes; neither side needs any alignment. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy::worker::ops {

// From so many bytes on, a copy writes around the caches: ordinary stores read each line of the
// target before they overwrite it, and nothing of a target of this size would still be in the
// cache for its reader. The lines of a transposition are far apart, so it gains earlier.
constexpr std::int64_t kStreamedBytes = 16 << 20;
constexpr std::int64_t kStreamedTransposition = 8 << 20;

// `count` places that are `in` and `out` bytes apart.
struct Axis {
  std::int64_t count = 1, in = 0, out = 0;
};

// One copy of a plane: for each row, for each of the columns, one element of `bytes` (1, 2, 4, 8 or
// 16).
struct Plane {
  Axis rows, columns;
  std::size_t bytes = 1;
  bool streams = false;
};

// Any plane whose columns are dense in `out`.
void copy_plane(const Plane& plane, const std::byte* in, std::byte* out);
// A plane whose rows are dense in `in` and whose columns are dense in `out`: a transposition.
void transpose_plane(const Plane& plane, const std::byte* in, std::byte* out);
// Any plane.
void copy_scattered(const Plane& plane, const std::byte* in, std::byte* out);

// memcpy that streams if `bytes` is large.
void copy_dense(const std::byte* in, std::byte* out, std::size_t bytes);
// Writes around the caches; bytes outside of whole 64-byte lines are stored as usual. Other threads
// and processes see them in order only after finish_stream().
void stream_bytes(const std::byte* in, std::byte* out, std::size_t bytes);
void finish_stream();

}  // namespace understudy::worker::ops
