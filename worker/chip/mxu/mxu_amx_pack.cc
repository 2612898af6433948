// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_amx.h"

#if defined(__x86_64__)
#include "worker/chip/mxu/mxu_amx_pack.h"

namespace understudy::worker::amx {
namespace {

// Of a unit that packs two rows of the right operand: 128 columns, so that few rows are read at one
// time, each of them over several cache lines.
constexpr std::int64_t kWide = 4;
// Memory is asked for so many rows before it is read.
constexpr std::int64_t kRowsAhead = 8;
// Half a square.
constexpr std::int64_t kHalf = 16;

// 32 consecutive elements; those outside of `mask` are 0 and not read.
struct LoadBf16 {
  static constexpr std::int64_t kBytes = 2;
  UNDERSTUDY_AMX [[gnu::always_inline]] static __m512i at(const std::byte* from, __mmask32 mask) {
    return _mm512_maskz_loadu_epi16(mask, from);
  }
};
struct LoadF32 {
  static constexpr std::int64_t kBytes = 4;
  UNDERSTUDY_AMX [[gnu::always_inline]] static __m512i at(const std::byte* from, __mmask32 mask) {
    const __m512 low = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from);
    const __m512 high = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16), from + 64);
    return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
  }
};

// Elements of two rows side by side: the first, or the last, 16 of each.
alignas(64) constexpr std::array<std::uint16_t, 32> kFirstPairs = {
    0, 32, 1, 33, 2,  34, 3,  35, 4,  36, 5,  37, 6,  38, 7,  39,
    8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47};
alignas(64) constexpr std::array<std::uint16_t, 32> kLastPairs = {
    16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55,
    24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63};

// 16 vectors.
struct Rows {
  __m512i at[16];
};

// The plain intrinsics of GCC 12 read a vector that they leave undefined, which it warns of; with
// all lanes chosen these are the same instructions.
constexpr __mmask16 kAll = 0xffff;
constexpr __mmask8 kAll8 = 0xff;

// 16 x 16 elements of 4 bytes, turned.
UNDERSTUDY_AMX [[gnu::always_inline]] inline void turn(Rows& rows) {
  __m512i* const r = rows.at;
  __m512i t[16];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 16; i += 2) {
    t[i] = _mm512_maskz_unpacklo_epi32(kAll, r[i], r[i + 1]);
    t[i + 1] = _mm512_maskz_unpackhi_epi32(kAll, r[i], r[i + 1]);
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 16; i += 4) {
    r[i] = _mm512_maskz_unpacklo_epi64(kAll8, t[i], t[i + 2]);
    r[i + 1] = _mm512_maskz_unpackhi_epi64(kAll8, t[i], t[i + 2]);
    r[i + 2] = _mm512_maskz_unpacklo_epi64(kAll8, t[i + 1], t[i + 3]);
    r[i + 3] = _mm512_maskz_unpackhi_epi64(kAll8, t[i + 1], t[i + 3]);
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    t[i] = _mm512_maskz_shuffle_i32x4(kAll, r[i], r[i + 4], 0x88);
    t[i + 4] = _mm512_maskz_shuffle_i32x4(kAll, r[i], r[i + 4], 0xdd);
    t[i + 8] = _mm512_maskz_shuffle_i32x4(kAll, r[i + 8], r[i + 12], 0x88);
    t[i + 12] = _mm512_maskz_shuffle_i32x4(kAll, r[i + 8], r[i + 12], 0xdd);
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    r[i] = _mm512_maskz_shuffle_i32x4(kAll, t[i], t[i + 8], 0x88);
    r[i + 8] = _mm512_maskz_shuffle_i32x4(kAll, t[i], t[i + 8], 0xdd);
    r[i + 4] = _mm512_maskz_shuffle_i32x4(kAll, t[i + 4], t[i + 12], 0x88);
    r[i + 12] = _mm512_maskz_shuffle_i32x4(kAll, t[i + 4], t[i + 12], 0xdd);
  }
}

}  // namespace

// The functions that pack one unit. `outer_` and `inner_` are its place: of dense depth the half
// square of lines and the square of depth; of dense lines the square of depth (of the right
// operand: the two rows) and the half square (of the right operand: the square) of lines. So units
// follow each other along memory.
struct Packer::Units {
  static std::uint16_t* square(const Packer& p, std::int64_t line, std::int64_t depth) {
    return p.out_ + (line * p.deep_ + depth) * kSquareElements;
  }
  // Of half a square of lines.
  static std::uint16_t* tile(const Packer& p, std::int64_t half, std::int64_t depth) {
    return square(p, half / 2, depth) + half % 2 * kTileElements;
  }
  UNDERSTUDY_AMX [[gnu::always_inline]] static void store_tile(std::uint16_t* to,
                                                               const Rows& rows) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) _mm512_store_si512(to + i * kSquare, rows.at[i]);
  }

  // 16 lines of dense depth.
  template <class Load, bool kTurns>
  UNDERSTUDY_AMX static void of_depth(const Packer& p) {
    const std::int64_t line = p.outer_ * kHalf, depth = p.inner_ * kSquare;
    const std::int64_t stride = p.block_.line_stride * Load::kBytes;
    const std::byte* const from = p.block_.at + line * stride + depth * Load::kBytes;
    const std::int64_t lines = p.block_.lines - line;
    const __mmask32 mask = mask_of(p.block_.depth - depth);
    Rows rows;
    if (lines >= kHalf && mask == kWhole) {
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) rows.at[i] = Load::at(from + i * stride, kWhole);
    } else {
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) rows.at[i] = Load::at(from + i * stride, i < lines ? mask : 0);
    }
    if constexpr (kTurns) turn(rows);
    store_tile(tile(p, p.outer_, p.inner_), rows);
  }

  // Half of 32 lines that are dense across the depth, turned.
  template <class Load>
  UNDERSTUDY_AMX static void left_of_lines(const Packer& p) {
    const std::int64_t line = p.inner_ / 2 * kSquare, depth = p.outer_ * kSquare;
    const std::int64_t row = p.block_.depth_stride * Load::kBytes;
    const std::byte* const from = p.block_.at + depth * row + line * Load::kBytes;
    const std::int64_t left = p.block_.depth - depth;
    const __mmask32 mask = mask_of(p.block_.lines - line);
    const __m512i pairs =
        _mm512_load_si512(p.inner_ % 2 == 0 ? kFirstPairs.data() : kLastPairs.data());
    Rows rows;
    if (left >= kSquare && mask == kWhole) {
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i)
        rows.at[i] = _mm512_permutex2var_epi16(Load::at(from + 2 * i * row, kWhole), pairs,
                                               Load::at(from + (2 * i + 1) * row, kWhole));
    } else {
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i)
        rows.at[i] = _mm512_permutex2var_epi16(
            Load::at(from + 2 * i * row, 2 * i < left ? mask : 0), pairs,
            Load::at(from + (2 * i + 1) * row, 2 * i + 1 < left ? mask : 0));
    }
    turn(rows);
    store_tile(tile(p, p.inner_, p.outer_), rows);
  }

  // Two rows of up to 128 lines that are dense across the depth.
  template <class Load>
  UNDERSTUDY_AMX static void right_of_lines(const Packer& p) {
    const std::int64_t row = p.block_.depth_stride * Load::kBytes, depth = 2 * p.outer_;
    const std::int64_t left = p.block_.depth - depth;
    const std::byte* from = p.block_.at + depth * row + p.inner_ * kSquare * Load::kBytes;
    std::uint16_t* to = square(p, p.inner_, p.outer_ / kHalf) + p.outer_ % kHalf * kSquare;
    const __m512i first = _mm512_load_si512(kFirstPairs.data());
    const __m512i last = _mm512_load_si512(kLastPairs.data());
    const std::int64_t end = std::min(p.inner_ + kWide, p.inner_end_);
    for (std::int64_t s = p.inner_; s < end; ++s) {
      const __mmask32 mask = mask_of(p.block_.lines - s * kSquare);
      const std::byte* const ahead = from + kRowsAhead * row;
      for (std::int64_t at = 0; at < kSquare * Load::kBytes; at += 64) {
        _mm_prefetch(ahead + at, _MM_HINT_T1);
        _mm_prefetch(ahead + row + at, _MM_HINT_T1);
      }
      const __m512i one = Load::at(from, left > 0 ? mask : 0);
      const __m512i two = Load::at(from + row, left > 1 ? mask : 0);
      _mm512_store_si512(to, _mm512_permutex2var_epi16(one, first, two));
      _mm512_store_si512(to + kTileElements, _mm512_permutex2var_epi16(one, last, two));
      from += kSquare * Load::kBytes;
      to += p.deep_ * kSquareElements;
    }
  }
};

template <class Load>
std::array<Packer::Unit, 4> Packer::units_of() {
  return {&Units::left_of_lines<Load>, &Units::of_depth<Load, false>, &Units::right_of_lines<Load>,
          &Units::of_depth<Load, true>};
}

Packer::Packer(bool is_right, bool depth_is_dense, program::ElementType element)
    : depth_is_dense_(depth_is_dense), has_rows_(is_right && !depth_is_dense) {
  const auto units =
      element == program::ElementType::f32 ? units_of<LoadF32>() : units_of<LoadBf16>();
  run_ = units[(is_right ? 2U : 0U) + (depth_is_dense ? 1U : 0U)];
}

void Packer::start(const Block& block, std::uint16_t* out, std::int64_t steps) {
  block_ = block;
  out_ = out;
  deep_ = squares(block.depth);
  outer_ = inner_ = due_ = 0;
  const std::int64_t lines = squares(block.lines);
  inner_step_ = has_rows_ ? kWide : 1;
  inner_end_ = depth_is_dense_ ? deep_ : has_rows_ ? lines : 2 * lines;
  const std::int64_t outer = depth_is_dense_ ? 2 * lines : has_rows_ ? kHalf * deep_ : deep_;
  left_ = units_ = outer * ((inner_end_ + inner_step_ - 1) / inner_step_);
  steps_ = std::max<std::int64_t>(steps, 1);
}

}  // namespace understudy::worker::amx
#endif
