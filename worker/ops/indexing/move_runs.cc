// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/move_runs.h"

#include <cstring>

#include "worker/chip/lanes.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

using Vector16 = Lanes<std::uint64_t>;
using Vector32 = WideLanes<std::uint64_t>;

// A run of kCount pieces or less, and more than half of them: half of the pieces from its first
// byte on, the others up to its last.
template <class Piece, int kCount>
struct Pieces {
  [[gnu::always_inline]] static inline void copy(const std::byte* in, std::byte* out,
                                                 std::size_t bytes) {
    const auto at = [&](int i) __attribute__((always_inline)) {
      return i < kCount / 2 ? static_cast<std::size_t>(i) * sizeof(Piece)
                            : bytes - static_cast<std::size_t>(kCount - i) * sizeof(Piece);
    };
    Piece pieces[kCount];
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i)
      pieces[i] = reinterpret_cast<const InMemory<Piece>*>(in + at(i))->value;
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i)
      reinterpret_cast<InMemory<Piece>*>(out + at(i))->value = pieces[i];
  }
};
struct Whole {
  [[gnu::always_inline]] static inline void copy(const std::byte* in, std::byte* out,
                                                 std::size_t bytes) {
    std::memcpy(out, in, bytes);
  }
};

// Calls use(way to copy a run of so many bytes).
template <class Use>
[[gnu::always_inline]] inline void with_pieces(std::size_t bytes, const Use& use) {
  if (bytes == 2 || bytes == 3) return use(Pieces<std::uint16_t, 2>{});
  if (bytes >= 4 && bytes <= 8) return use(Pieces<std::uint32_t, 2>{});
  if (bytes > 8 && bytes <= 16) return use(Pieces<std::uint64_t, 2>{});
  if (bytes > 16 && bytes <= 32) return use(Pieces<Vector16, 2>{});
  if (bytes > 32 && bytes <= 64) return use(Pieces<Vector32, 2>{});
  if (bytes > 64 && bytes <= 128) return use(Pieces<Vector32, 4>{});
  use(Whole{});
}

}  // namespace

UNDERSTUDY_VECTOR_CODE void gather_runs_of_bytes(std::span<const std::int64_t> offsets,
                                                 std::size_t unit, std::size_t bytes,
                                                 const std::byte* from, std::byte* out) {
  with_pieces(
      bytes, [&](auto pieces) __attribute__((always_inline)) {
        for (std::size_t i = 0; i < offsets.size(); ++i)
          pieces.copy(from + static_cast<std::size_t>(offsets[i]) * unit, out + i * bytes, bytes);
      });
}

UNDERSTUDY_VECTOR_CODE void scatter_runs_of_bytes(std::span<const std::int64_t> offsets,
                                                  std::size_t unit, std::size_t bytes,
                                                  const std::byte* from, std::byte* out) {
  with_pieces(
      bytes, [&](auto pieces) __attribute__((always_inline)) {
        for (std::size_t i = 0; i < offsets.size(); ++i)
          if (offsets[i] >= 0)
            pieces.copy(from + i * bytes, out + static_cast<std::size_t>(offsets[i]) * unit, bytes);
      });
}

}  // namespace understudy::worker::ops
