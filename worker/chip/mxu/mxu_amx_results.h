// SPDX-License-Identifier: Apache-2.0
// Sums of AMX tiles on their way to the result, part of mxu_amx.cc: rounded to bf16 where it has
// that type, and written past the cache where it is large. Call from the executor thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <immintrin.h>

#include "worker/chip/copy_lines.h"
#include "worker/chip/mxu/mxu.h"
#include "worker/chip/mxu/mxu_amx_pack.h"

namespace understudy::worker::amx {

// Results that leave the cache before they are read are written past it.
constexpr std::int64_t kResultsPastCache = 2 << 20;

// Complete sums of a square on their way to the result, a few rows at a time.
class Results {
 public:
  Results(const Product& p, std::byte* out)
      : out_(out),
        columns_(p.n),
        is_narrow_(p.out == program::ElementType::bf16),
        row_bytes_(p.n * (is_narrow_ ? 2 : 4)),
        past_cache_(p.m * row_bytes_ >= kResultsPastCache && row_bytes_ % 64 == 0 &&
                    reinterpret_cast<std::uintptr_t>(out) % 64 == 0) {}

  // Asks for the memory of a square that is stored later, unless it is written past the cache.
  void prepare(std::int64_t row, std::int64_t rows, std::int64_t column) const {
    if (past_cache_) return;
    const std::byte* at = out_ + row * row_bytes_ + column * (is_narrow_ ? 2 : 4);
    for (std::int64_t i = 0; i < std::min(kSquare, rows); ++i, at += row_bytes_) {
      __builtin_prefetch(at, 1);
      if (!is_narrow_) __builtin_prefetch(at + 64, 1);
    }
  }
  // *Requires*: the square before is written.
  void start(const float* sums, std::int64_t row, std::int64_t rows, std::int64_t column) {
    sums_ = sums;
    left_ = std::min(kSquare, rows);
    to_ = out_ + row * row_bytes_ + column * (is_narrow_ ? 2 : 4);
    mask_ = mask_of(columns_ - column);
  }
  [[gnu::always_inline]] void step(std::int64_t rows) {
    if (left_ > 0) write(std::min(rows, left_));
  }
  void finish() { step(kSquare); }
  // Where a whole square of complete sums may be stored as it is; null for any other.
  std::byte* place_of(std::int64_t row, std::int64_t rows, std::int64_t column) const {
    const bool is_whole = rows >= kSquare && columns_ - column >= kSquare;
    return is_narrow_ || past_cache_ || !is_whole ? nullptr : out_ + row * row_bytes_ + column * 4;
  }
  std::int64_t row_bytes() const { return row_bytes_; }
  ~Results() {
    if (past_cache_) ops::finish_stream();
  }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

 private:
  UNDERSTUDY_AMX void write(std::int64_t rows) {
    const bool streams = past_cache_ && mask_ == kWhole;
    const auto low = static_cast<__mmask16>(mask_), high = static_cast<__mmask16>(mask_ >> 16);
    for (std::int64_t i = 0; i < rows; ++i, sums_ += kSquare, to_ += row_bytes_) {
      const __m512 one = _mm512_load_ps(sums_), two = _mm512_load_ps(sums_ + 16);
      if (is_narrow_) {
        const auto both = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(two, one));
        if (streams)
          _mm512_stream_si512(reinterpret_cast<__m512i*>(to_), both);
        else
          _mm512_mask_storeu_epi16(to_, mask_, both);
      } else if (streams) {
        _mm512_stream_ps(reinterpret_cast<float*>(to_), one);
        _mm512_stream_ps(reinterpret_cast<float*>(to_ + 64), two);
      } else {
        _mm512_mask_storeu_ps(to_, low, one);
        _mm512_mask_storeu_ps(to_ + 64, high, two);
      }
    }
    left_ -= rows;
  }

  std::byte* out_;
  std::int64_t columns_;
  bool is_narrow_;
  std::int64_t row_bytes_;
  bool past_cache_;
  const float* sums_ = nullptr;
  std::byte* to_ = nullptr;
  std::int64_t left_ = 0;
  __mmask32 mask_ = 0;
};

}  // namespace understudy::worker::amx
