// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: reductions of rows of 2 to 16 bytes, of integers of 8 or 16 bits whose
// order cannot be seen. Each row is one or two words of 8 bytes, several of them side by side in a
// vector; the upper half of a word joins the lower one until one element is left.
#pragma once

#include "program/kernels/running_lanes.inl.h"

namespace understudy::program::kernels {
namespace {

// Products of bytes have no vector instruction.
template <class Tag, Reduction kReduction>
constexpr bool folds_words() {
  if constexpr (Tag::family == Family::integer) {
    return Tag::bits == 16 || (Tag::bits == 8 && kReduction != Reduction::product);
  } else {
    return false;
  }
}

template <class Tag, Reduction kReduction>
struct FoldWords {
  using Stored = typename Tag::Stored;
  static constexpr std::size_t kWord = sizeof(u64);
  static constexpr std::size_t kRows = 64;  // rows at once
  static constexpr std::size_t kWidth = kVectorBytes / kWord;
  typedef u64 Words __attribute__((vector_size(kVectorBytes)));
  typedef typename Tag::Value Lanes __attribute__((vector_size(kVectorBytes)));

  static bool takes(std::size_t n) { return n >= 2 && n * sizeof(Stored) <= 2 * kWord; }

  static UNDERSTUDY_INLINE Words step(Words x, Words y) {
    const Lanes a = __builtin_bit_cast(Lanes, x), b = __builtin_bit_cast(Lanes, y);
    Lanes both;
    if constexpr (kReduction == Reduction::sum) {
      both = a + b;
    } else if constexpr (kReduction == Reduction::product) {
      both = a * b;
    } else if constexpr (kReduction == Reduction::minimum) {
      both = a < b ? a : b;
    } else if constexpr (kReduction == Reduction::maximum) {
      both = a > b ? a : b;
    } else if constexpr (kReduction == Reduction::logical_and) {
      both = a & b;
    } else if constexpr (kReduction == Reduction::logical_or) {
      both = a | b;
    } else {
      both = a ^ b;
    }
    return __builtin_bit_cast(Words, both);
  }

  // Bits of the elements that a word holds, the others are those of the identity.
  struct Used {
    u64 bits = 0, rest = 0;
    explicit Used(u64 all) : bits(all) {
      Stored neutral[kWord / sizeof(Stored)];
      for (Stored& one : neutral) one = Tag::store(identity<Tag, kReduction>());
      rest = __builtin_bit_cast(u64, neutral) & ~all;
    }
  };
  static UNDERSTUDY_INLINE Words used(const u64* words, const Used& part) {
    Words all;
    __builtin_memcpy(&all, words, sizeof(all));
    return (all & part.bits) | part.rest;
  }

  // The first word of each row; rows from `whole` on are shorter than a word and end the memory.
  static UNDERSTUDY_INLINE void first_words(const Stored* x, std::size_t rows, std::size_t whole,
                                            std::size_t stride, std::size_t bytes, u64* words) {
    std::size_t r = 0;
    for (; r < rows && r < whole; ++r) __builtin_memcpy(words + r, x + r * stride, kWord);
    for (; r < rows; ++r) {
      words[r] = 0;
      __builtin_memcpy(words + r, x + r * stride, bytes);
    }
  }

  static UNDERSTUDY_INLINE Words joined(Words all) {
    all = step(all, all >> 32);
    all = step(all, all >> 16);
    if constexpr (sizeof(Stored) == 1) all = step(all, all >> 8);
    return all;
  }

  // *Requires*: takes(n).
  static void run(const Stored* x, std::size_t rows, std::size_t stride, std::size_t n, Stored* y) {
    const std::size_t bytes = n * sizeof(Stored), step_bytes = stride * sizeof(Stored);
    // Rows whose first word ends before the last row does.
    const std::size_t beyond = bytes >= kWord    ? 0
                               : step_bytes == 0 ? rows
                                                 : (kWord - bytes + step_bytes - 1) / step_bytes;
    const std::size_t whole = rows > beyond ? rows - beyond : 0;
    const Used first(bytes >= kWord ? ~u64{0} : (u64{1} << (8 * bytes)) - 1);
    // The second word ends with the row: what the first one has as well is not used.
    const bool two = bytes > kWord;
    const Used second(two ? ~u64{0} << (8 * (2 * kWord - bytes)) : 0);
    for (std::size_t r = 0; r < rows; r += kRows) {
      const std::size_t some = rows - r < kRows ? rows - r : kRows;
      const Stored* const at = x + r * stride;
      alignas(kVectorBytes) u64 words[kRows], ends[kRows];
      first_words(at, some, whole > r ? whole - r : 0, stride, bytes, words);
      if (two)
        for (std::size_t i = 0; i < some; ++i)
          __builtin_memcpy(ends + i, at + i * stride + n - kWord / sizeof(Stored), kWord);
      for (std::size_t i = 0; i < some; i += kWidth) {
        Words all = used(words + i, first);
        if (two) all = step(all, used(ends + i, second));
        all = joined(all);
        __builtin_memcpy(words + i, &all, sizeof(all));
      }
      for (std::size_t i = 0; i < some; ++i) {
        const auto one = __builtin_bit_cast(typename Tag::Stored, static_cast<Stored>(words[i]));
        y[r + i] = finish<Tag>(Step<Tag, kReduction>::apply(Tag::load(y[r + i]), Tag::load(one)));
      }
    }
  }
};

}  // namespace
}  // namespace understudy::program::kernels
