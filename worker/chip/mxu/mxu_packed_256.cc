// SPDX-License-Identifier: Apache-2.0
// PackedLoops of CPUs with AVX2: tiles of 4 rows and 24 columns.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "worker/chip/bf16_rounding.h"
#include "worker/chip/mxu/mxu_halves.h"
#include "worker/chip/mxu/mxu_packed_loops.h"
#include "worker/chip/mxu/turn_vectors.h"
#include "worker/chip/vector_code.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace packed_256 {
namespace {

#define UNDERSTUDY_PACKED_256 __attribute__((target("avx2,fma")))

using V = EightFloats;
constexpr std::int64_t kPanel = 8;
// 4 x 3 vectors of sums, three of the right operand and an element of the left one fill the 16
// registers.
constexpr std::int64_t kTallest = 4, kWidest = 3;

[[gnu::always_inline]] inline void put(float* at, const V& v) {
  reinterpret_cast<InMemory<V>*>(at)->value = v;
}

// ---- panels

struct Bf16 {
  static constexpr std::int64_t kBytes = 2;
  [[gnu::always_inline]] static void load(const std::byte* at, V& x) {
    using Halves [[gnu::vector_size(16)]] = std::uint16_t;
    const Halves halves = reinterpret_cast<const InMemory<Halves>*>(at)->value, zero = {};
    x = reinterpret_cast<V>(
        __builtin_shufflevector(halves, zero, 8, 0, 8, 1, 8, 2, 8, 3, 8, 4, 8, 5, 8, 6, 8, 7));
  }
};
struct Rounded {
  static constexpr std::int64_t kBytes = 4;
  [[gnu::always_inline]] static void load(const std::byte* at, V& x) {
    using Bits [[gnu::vector_size(32)]] = std::uint32_t;
    x = reinterpret_cast<const InMemory<V>*>(at)->value;
    round_to_bf16<Bits>(x);
  }
};

// The first `count` elements, of at most a vector, with zeros behind them.
template <class Source>
[[gnu::always_inline]] inline void load_first(const std::byte* at, std::int64_t count, V& x) {
  if (count >= kPanel) return Source::load(at, x);
  alignas(32) std::byte some[kPanel * Source::kBytes] = {};
  std::memcpy(some, at, static_cast<std::size_t>(count * Source::kBytes));
  Source::load(some, x);
}

// Lines are side by side: some panels at once, so that whole cache lines of the operand are used.
template <class Source>
UNDERSTUDY_PACKED_256 void pack_side_by_side(const std::byte* at, std::int64_t jump,
                                             std::int64_t depth, std::int64_t lines,
                                             float* panels) {
  constexpr std::int64_t kAtOnce = 8;
  for (std::int64_t first = 0; first < lines; first += kAtOnce * kPanel) {
    const std::int64_t some = std::min(lines - first, kAtOnce * kPanel);
    float* const to = panels + first * depth;
    const std::byte* row = at + first * Source::kBytes;
    for (std::int64_t k = 0; k < depth; ++k, row += jump * Source::kBytes)
      for (std::int64_t j = 0; j < some; j += kPanel) {
        V x;
        load_first<Source>(row + j * Source::kBytes, some - j, x);
        put(to + j * depth + k * kPanel, x);
      }
  }
}

// Each line is dense, `jump` elements from the next.
template <class Source>
UNDERSTUDY_PACKED_256 void pack_one_by_one(const std::byte* at, std::int64_t jump,
                                           std::int64_t depth, std::int64_t lines, float* panels) {
  for (std::int64_t first = 0; first < lines; first += kPanel, panels += kPanel * depth) {
    const std::int64_t count = std::min(kPanel, lines - first);
    const std::byte* const line = at + first * jump * Source::kBytes;
    for (std::int64_t k = 0; k < depth; k += kPanel) {
      V square[kPanel];
#pragma GCC unroll 8
      for (std::int64_t j = 0; j < kPanel; ++j) {
        square[j] = V{};
        if (j < count)
          load_first<Source>(line + (j * jump + k) * Source::kBytes, depth - k, square[j]);
      }
      turn(square);
      const std::int64_t rows = std::min(kPanel, depth - k);
#pragma GCC unroll 8
      for (std::int64_t i = 0; i < kPanel; ++i)
        if (i < rows) put(panels + (k + i) * kPanel, square[i]);
    }
  }
}

template <class Source>
void pack(const PackedSource& from, std::int64_t depth, std::int64_t lines, float* panels) {
  if (from.line_stride == 1)
    return pack_side_by_side<Source>(from.at, from.depth_stride, depth, lines, panels);
  pack_one_by_one<Source>(from.at, from.line_stride, depth, lines, panels);
}

void pack_lines(const PackedSource& from, std::int64_t depth, std::int64_t lines, float* panels) {
  if (from.element == program::ElementType::bf16) return pack<Bf16>(from, depth, lines, panels);
  pack<Rounded>(from, depth, lines, panels);
}

// ---- tiles

// What the tiles of a block have in common. `panel`: elements from one panel to the next; `row`:
// from one row of the result to the next.
struct TileFrame {
  std::int64_t depth, panel, row;
  bool adds;
};

// kTall rows of kPanels panels: sums in the order of the depth.
template <std::int64_t kTall, std::int64_t kPanels>
UNDERSTUDY_PACKED_256 void tile(const TileFrame& frame, const float* left, const float* right,
                                float* out) {
  __m256 sums[kTall][kPanels];
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kPanels; ++v) sums[i][v] = _mm256_setzero_ps();
  if (frame.adds) {
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
      for (std::int64_t v = 0; v < kPanels; ++v)
        sums[i][v] = _mm256_loadu_ps(out + i * frame.row + v * kPanel);
  }
  for (std::int64_t k = 0; k < frame.depth; ++k, left += kPanel, right += kPanel) {
    __m256 columns[kPanels];
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kPanels; ++v)
      columns[v] = _mm256_loadu_ps(right + v * frame.panel);
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < kTall; ++i) {
      const __m256 one = _mm256_broadcast_ss(left + i);
#pragma GCC unroll 3
      for (std::int64_t v = 0; v < kPanels; ++v)
        sums[i][v] = _mm256_fmadd_ps(one, columns[v], sums[i][v]);
    }
  }
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kPanels; ++v)
      _mm256_storeu_ps(out + i * frame.row + v * kPanel, sums[i][v]);
}

using Tile = void (*)(const TileFrame&, const float*, const float*, float*);
template <std::int64_t kPanels>
constexpr std::array<Tile, kTallest> kTiles = {&tile<1, kPanels>, &tile<2, kPanels>,
                                               &tile<3, kPanels>, &tile<4, kPanels>};

// A tile whose last panel is wider than the result: its sums are made in a buffer and copied.
void cut_tile(Tile tile, const TileFrame& frame, std::int64_t tall, std::int64_t columns,
              const float* left, const float* right, float* out) {
  constexpr std::int64_t kRow = kWidest * kPanel;
  float beside[kTallest * kRow] = {};
  const auto bytes = static_cast<std::size_t>(columns) * sizeof(float);
  for (std::int64_t i = 0; i < tall && frame.adds; ++i)
    std::memcpy(beside + i * kRow, out + i * frame.row, bytes);
  tile({frame.depth, frame.panel, kRow, frame.adds}, left, right, beside);
  for (std::int64_t i = 0; i < tall; ++i)
    std::memcpy(out + i * frame.row, beside + i * kRow, bytes);
}

void multiply(const PackedBlock& block, const float* left, const float* right, float* out,
              std::int64_t row, bool adds) {
  const std::int64_t panel = kPanel * block.depth;
  const TileFrame frame{block.depth, panel, row, adds};
  for (std::int64_t n = 0; n < block.columns; n += kWidest * kPanel) {
    const std::int64_t columns = std::min(kWidest * kPanel, block.columns - n);
    const std::int64_t panels = (columns + kPanel - 1) / kPanel;
    const auto& tiles = panels == 1 ? kTiles<1> : panels == 2 ? kTiles<2> : kTiles<3>;
    for (std::int64_t m = 0; m < block.rows; m += kTallest) {
      const std::int64_t tall = std::min(kTallest, block.rows - m);
      const Tile tile = tiles[static_cast<std::size_t>(tall - 1)];
      const float* const a = left + m / kPanel * panel + m % kPanel;
      const float* const b = right + n / kPanel * panel;
      if (columns % kPanel == 0)
        tile(frame, a, b, out + m * row + n);
      else
        cut_tile(tile, frame, tall, columns, a, b, out + m * row + n);
    }
  }
}

void multiply_in_place(const PackedBlock& block, const float* left, const std::uint16_t* right,
                       std::int64_t right_row, float* out, std::int64_t row, bool adds) {
  multiply_halves({block.rows, block.columns, block.depth, left, 1, kPanel, kPanel,
                   kPanel * block.depth, right, right_row, out, row, adds});
}

constexpr PackedLoops kLoops = {"avx2",    {96, 240, 256},     &pack_lines,
                                &multiply, &multiply_in_place, kPanel};

}  // namespace
}  // namespace packed_256

const PackedLoops* packed_loops_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has ? &packed_256::kLoops : nullptr;
}
#else
const PackedLoops* packed_loops_avx2() { return nullptr; }
#endif

}  // namespace understudy::worker
