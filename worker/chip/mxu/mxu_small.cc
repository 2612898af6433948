// SPDX-License-Identifier: Apache-2.0
// Batches of small products of f32 or 32-bit integers, and products with few columns, summed over k
// in order with each product rounded: the bits of multiply_portably() without its packing, which
// costs more than such a product.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "configs/base/error.h"
#include "worker/chip/bf16_rounding.h"
#include "worker/chip/mxu/mxu_eight_rows.h"
#include "worker/chip/mxu/mxu_tile.h"
#include "worker/chip/mxu/turn_vectors.h"
#include "worker/chip/numbers.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

constexpr std::int64_t kColumns = 8, kFew = 4;
constexpr std::int64_t kAhead = 2048;  // elements
template <class T>
struct SmallVectors {
  typedef T Eight __attribute__((vector_size(32)));
  typedef T Four __attribute__((vector_size(16)));
};

struct Half {
  std::uint16_t bits;
};
template <std::size_t kBytes>
struct HalfVectors {
  typedef std::uint16_t Halves __attribute__((vector_size(kBytes / 2)));
  typedef std::uint32_t Bits __attribute__((vector_size(kBytes)));
};

using Rounds = MxuTile::Rounds;
constexpr bool rounds_a(Rounds rounded) { return rounded == Rounds::a || rounded == Rounds::both; }
constexpr bool rounds_b(Rounds rounded) { return rounded == Rounds::b || rounded == Rounds::both; }

template <bool kRounds, class V, class T>
[[gnu::always_inline]] inline void load_numbers(const T* from, V& value) {
  using Bits [[gnu::vector_size(sizeof(V))]] = std::uint32_t;
  value = reinterpret_cast<const InMemory<V>*>(from)->value;
  if constexpr (kRounds) round_to_bf16<Bits>(value);
}
// Halves are bf16, and rounded already.
template <bool, class V>
[[gnu::always_inline]] inline void load_numbers(const Half* from, V& value) {
  using Vectors = HalfVectors<sizeof(V)>;
  const auto halves = reinterpret_cast<const InMemory<typename Vectors::Halves>*>(from)->value;
  value = reinterpret_cast<V>(__builtin_convertvector(halves, typename Vectors::Bits) << 16);
}
// One number.
template <bool>
[[gnu::always_inline]] inline float read_number(const Half* from) {
  return float_of_bf16(from->bits);
}
template <bool kRounds, class T>
[[gnu::always_inline]] inline T read_number(const T* from) {
  if constexpr (kRounds) {
    const auto bits = std::bit_cast<std::uint32_t>(*from);
    return std::bit_cast<T>(*from == *from ? (bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U
                                           : bits | 0x00400000U);
  } else {
    return *from;
  }
}

struct Strides {
  std::int64_t a_row, a_column, b_row, c_row, k;
};

// kTall rows of c, kWide vectors of columns.
template <bool kRoundsB, class V, std::int64_t kWide, std::int64_t kTall, class T, class B>
[[gnu::always_inline]] inline void wide(const T* a, const B* b, T* c, const Strides& s) {
  constexpr std::int64_t kSize = sizeof(V) / sizeof(T);
  V sums[kTall][kWide] = {};
  for (std::int64_t k = 0; k < s.k; ++k) {
    V right[kWide];
#pragma GCC unroll 4
    for (std::int64_t v = 0; v < kWide; ++v)
      load_numbers<kRoundsB>(b + k * s.b_row + v * kSize, right[v]);
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < kTall; ++i) {
      const T left = a[i * s.a_row + k * s.a_column];
#pragma GCC unroll 4
      for (std::int64_t v = 0; v < kWide; ++v) sums[i][v] += left * right[v];
    }
  }
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 4
    for (std::int64_t v = 0; v < kWide; ++v)
      reinterpret_cast<InMemory<V>*>(c + i * s.c_row + v * kSize)->value = sums[i][v];
}

// All rows of kWide vectors of columns, stored in the order of the rows.
template <bool kRoundsB, class V, std::int64_t kWide, class T, class B>
[[gnu::always_inline]] inline void all_rows(std::int64_t m, const T* a, const B* b, T* c,
                                            const Strides& s) {
  std::int64_t i = 0;
  for (; i + 4 <= m; i += 4) wide<kRoundsB, V, kWide, 4>(a + i * s.a_row, b, c + i * s.c_row, s);
  const auto last = [&]<std::int64_t kTall>() __attribute__((always_inline)) {
    wide<kRoundsB, V, kWide, kTall>(a + i * s.a_row, b, c + i * s.c_row, s);
  };
  if (m - i == 3) last.template operator()<3>();
  if (m - i == 2) last.template operator()<2>();
  if (m - i == 1) last.template operator()<1>();
}

// kGroups times eight rows of one column: vectors of rows, whose sums hide each other's latency.
template <Rounds kRounds, std::int64_t kGroups, class T, class B>
[[gnu::always_inline]] inline void column(const T* a, const B* b, T* c, const Strides& s) {
  using V = typename SmallVectors<T>::Eight;
  constexpr bool kRoundsA = rounds_a(kRounds), kRoundsB = rounds_b(kRounds);
  V sums[kGroups] = {};
  std::int64_t k = 0;
  if (s.a_row == 1)
    for (; k < s.k; ++k)
      for (std::int64_t g = 0; g < kGroups; ++g) {
        V rows;
        load_numbers<kRoundsA>(a + g * kColumns + k * s.a_column, rows);
        sums[g] += rows * read_number<kRoundsB>(b + k * s.b_row);
      }
  // Columns from `first` on, of which those before `k` are in the sums already.
  const auto add_columns = [&](std::int64_t first) __attribute__((always_inline)) {
    V rows[kGroups][kColumns];
    for (std::int64_t g = 0; g < kGroups; ++g) {
      for (std::int64_t i = 0; i < kColumns; ++i) {
        const T* const row = a + (g * kColumns + i) * s.a_row + first;
        // Of many matrices: the processor's own prefetch is late for a single stream.
        if constexpr (kGroups == 1) __builtin_prefetch(row + kAhead);
        load_numbers<kRoundsA>(row, rows[g][i]);
      }
      turn(rows[g]);
    }
    for (std::int64_t i = k - first; i < kColumns; ++i)
      for (std::int64_t g = 0; g < kGroups; ++g)
        sums[g] += rows[g][i] * read_number<kRoundsB>(b + (first + i) * s.b_row);
  };
  if (s.a_column == 1 && s.k >= kColumns) {
    for (; k + kColumns <= s.k; k += kColumns) add_columns(k);
    if (k < s.k) add_columns(s.k - kColumns);
    k = s.k;
  }
  for (; k < s.k; ++k)
    for (std::int64_t g = 0; g < kGroups; ++g)
      for (std::int64_t i = 0; i < kColumns; ++i)
        sums[g][i] += read_number<kRoundsA>(a + (g * kColumns + i) * s.a_row + k * s.a_column) *
                      read_number<kRoundsB>(b + k * s.b_row);
  for (std::int64_t g = 0; g < kGroups; ++g)
    for (std::int64_t i = 0; i < kColumns; ++i) c[(g * kColumns + i) * s.c_row] = sums[g][i];
}

template <int kBytes, Rounds kRounds, class T, class B>
[[gnu::always_inline]] inline void multiply_one(const MxuTile& t, const T* a, const B* b, T* c) {
  const Strides s{t.a_row, t.a_column, t.b_row, t.c_row, t.k};
  std::int64_t n = 0;
  using Register [[gnu::vector_size(kBytes)]] = T;
  constexpr std::int64_t kWide = 64 / kBytes;
  constexpr bool kRoundsA = rounds_a(kRounds), kRoundsB = rounds_b(kRounds);
  // The sums of one row hide each other's latency.
  constexpr std::int64_t kMany = 4, kManyColumns = kMany * kBytes / 4;
  if (t.m == 1)
    for (; n + kManyColumns <= t.n; n += kManyColumns)
      wide<kRoundsB, Register, kMany, 1>(a, b + n, c + n, s);
  for (; n + 2 * kColumns <= t.n; n += 2 * kColumns)
    all_rows<kRoundsB, Register, kWide>(t.m, a, b + n, c + n, s);
  for (; n + kColumns <= t.n; n += kColumns)
    all_rows<kRoundsB, typename SmallVectors<T>::Eight, 1>(t.m, a, b + n, c + n, s);
  if (n > 0 && n < t.n) {  // with some of the columns before, whose sums are the same
    n = t.n - kColumns;
    all_rows<kRoundsB, typename SmallVectors<T>::Eight, 1>(t.m, a, b + n, c + n, s);
    return;
  }
  for (; n < t.n; ++n) {
    constexpr std::int64_t kGroups = 4;
    std::int64_t m = 0;
    for (; m + kGroups * kColumns <= t.m; m += kGroups * kColumns)
      column<kRounds, kGroups>(a + m * s.a_row, b + n, c + m * s.c_row + n, s);
    for (; m + kColumns <= t.m; m += kColumns)
      column<kRounds, 1>(a + m * s.a_row, b + n, c + m * s.c_row + n, s);
    if (m > 0 && m < t.m) {  // with some of the rows before, whose sums are the same
      m = t.m - kColumns;
      column<kRounds, 1>(a + m * s.a_row, b + n, c + m * s.c_row + n, s);
      m = t.m;
    }
    for (; m < t.m; ++m) {
      T sum = 0;
      for (std::int64_t k = 0; k < t.k; ++k)
        sum += read_number<kRoundsA>(a + m * s.a_row + k * s.a_column) *
               read_number<kRoundsB>(b + k * s.b_row + n);
      c[m * s.c_row + n] = sum;
    }
  }
}

// Eight products of a row and a column side by side, each summed in order.
template <bool kRounds, class T>
[[gnu::always_inline]] inline void multiply_vectors(const MxuTile& t, const T* a, const T* b,
                                                    T* c) {
  using V = typename SmallVectors<T>::Eight;
  V sums = {};
  std::int64_t k = 0;
  for (; k + kColumns <= t.k; k += kColumns) {
    V products[kColumns];
    for (std::int64_t i = 0; i < kColumns; ++i) {
      V right;
      load_numbers<kRounds>(a + i * t.a_batch + k, products[i]);
      load_numbers<kRounds>(b + i * t.b_batch + k, right);
      products[i] *= right;
    }
    turn(products);
    for (const V& product : products) sums += product;
  }
  for (; k < t.k; ++k)
    for (std::int64_t i = 0; i < kColumns; ++i)
      sums[i] +=
          read_number<kRounds>(a + i * t.a_batch + k) * read_number<kRounds>(b + i * t.b_batch + k);
  for (std::int64_t i = 0; i < kColumns; ++i) c[i * t.c_batch] = sums[i];
}

// A matrix of few rows, dense along its sums, and a column: four rows at a time, read and written
// as vectors of four also where they have fewer elements.
template <bool kRounds, class T>
[[gnu::always_inline]] inline void multiply_few_rows(const MxuTile& t, const T* a, const T* b,
                                                     T* c) {
  using V = typename SmallVectors<T>::Four;
  for (std::int64_t m = 0; m < t.m; m += kFew) {
    V sums = {};
    for (std::int64_t k = 0; k < t.k; k += kFew) {
      V rows[kFew] = {};
#pragma GCC unroll 4
      for (std::int64_t i = 0; i < kFew; ++i)
        if (m + i < t.m) load_numbers<kRounds>(a + (m + i) * t.a_row + k, rows[i]);
      turn(rows);
#pragma GCC unroll 4
      for (std::int64_t i = 0; i < kFew; ++i)
        if (k + i < t.k) sums += rows[i] * b[(k + i) * t.b_row];
    }
    reinterpret_cast<InMemory<V>*>(c + m)->value = sums;
  }
}

// Products of a batch before its last ones: vectors of at most eight elements that begin inside of
// such a product end before the last product does, in all of the matrices whose `step` from one
// product to the next is given.
std::int64_t products_before_last(std::int64_t batches, std::int64_t step, std::int64_t another) {
  const std::int64_t least = std::min(step, another);
  if (least <= 0) return 0;
  return std::max<std::int64_t>(0, batches - (kColumns + least - 1) / least);
}

template <int kBytes>
[[gnu::always_inline]] inline void multiply_all_halves(const MxuTile& t) {
  for (std::int64_t i = 0; i < t.batches; ++i)
    multiply_one<kBytes, Rounds::none>(t, static_cast<const float*>(t.a) + i * t.a_batch,
                                       static_cast<const Half*>(t.b) + i * t.b_batch,
                                       static_cast<float*>(t.c) + i * t.c_batch);
}

template <int kBytes, Rounds kRounds, class T>
[[gnu::always_inline]] inline void multiply_all(const MxuTile& t) {
  const auto* a = static_cast<const T*>(t.a);
  const auto* b = static_cast<const T*>(t.b);
  auto* c = static_cast<T*>(t.c);
  std::int64_t i = 0;
  const auto each = [&](std::int64_t end, auto multiply) __attribute__((always_inline)) {
    for (; i < end; ++i) multiply(a + i * t.a_batch, b + i * t.b_batch, c + i * t.c_batch);
  };
  const Strides s{t.a_row, t.a_column, t.b_row, t.c_row, t.k};
  const bool is_dense = t.c_row == t.n && t.c_batch == t.m * t.n;
  if (t.m == 1 && t.n == 1 && t.a_column == 1 && t.b_row == 1) {
    for (; i + kColumns <= t.batches; i += kColumns)
      multiply_vectors<kRounds == Rounds::both>(t, a + i * t.a_batch, b + i * t.b_batch,
                                                c + i * t.c_batch);
  } else if (!rounds_b(kRounds) && t.n == 1 && t.m > 1 && t.m < kColumns && t.a_column == 1 &&
             is_dense) {
    each(
        products_before_last(t.batches, t.a_batch, t.c_batch), [&](const T* left, const T* right,
                                                                   T* to)
                                                                   __attribute__((always_inline)) {
                                                                     multiply_few_rows<rounds_a(
                                                                         kRounds)>(t, left, right,
                                                                                   to);
                                                                   });
  } else if (kRounds == Rounds::none && t.n > 1 && t.n < kColumns && is_dense) {
    // What is stored beyond the end of a row is overwritten by the next.
    const std::int64_t end = products_before_last(t.batches, t.b_batch, t.c_batch);
    if (t.n <= kFew) {
      each(
          end, [&](const T* left, const T* right, T* to) __attribute__((always_inline)) {
            all_rows<false, typename SmallVectors<T>::Four, 1>(t.m, left, right, to, s);
          });
    } else {
      each(
          end, [&](const T* left, const T* right, T* to) __attribute__((always_inline)) {
            all_rows<false, typename SmallVectors<T>::Eight, 1>(t.m, left, right, to, s);
          });
    }
  }
  each(
      t.batches, [&](const T* left, const T* right, T* to) __attribute__((always_inline)) {
        multiply_one<kBytes, kRounds>(t, left, right, to);
      });
}

template <Rounds kRounds, class T>
void multiply_all(const MxuTile& tile) {
  if constexpr (!rounds_b(kRounds))
    if (has_eight_rows(tile))
      return with_vectors([&]<int>() __attribute__((always_inline)) {
        multiply_batch_of_eight_rows<rounds_a(kRounds), false, T>(tile);
      });
  with_vectors([&]<int kBytes>()
                   __attribute__((always_inline)) { multiply_all<kBytes, kRounds, T>(tile); });
}

}  // namespace

Rounds rounded_by_small(const MxuTile& t) {
  // The last ones of few rows are multiplied number by number.
  constexpr std::int64_t kRowsAtOnce = 4, kManyProducts = 64;
  if (t.m == 1 && t.n == 1) return t.a_column == 1 && t.b_row == 1 ? Rounds::both : Rounds::none;
  if (t.n == 1) {
    const bool has_few = t.m > 1 && t.a_column == 1 && t.batches > kManyProducts && t.a_batch > 0;
    const bool has_many = t.m >= kColumns && (t.a_column == 1 || t.a_row == 1);
    return has_few || has_many ? Rounds::a : Rounds::none;
  }
  return t.n >= kColumns && t.m <= kRowsAtOnce ? Rounds::b : Rounds::none;
}

void multiply_small(const MxuTile& tile) {
  if (tile.element == program::ElementType::i32)
    return multiply_all<Rounds::none, std::uint32_t>(tile);  // unsigned: it wraps
  UNDERSTUDY_ASSERT(tile.element == program::ElementType::f32);
  if (tile.has_halves)
    return with_vectors([&]<int kBytes>()
                            __attribute__((always_inline)) { multiply_all_halves<kBytes>(tile); });
  switch (tile.rounded) {
    case Rounds::none:
      return multiply_all<Rounds::none, float>(tile);
    case Rounds::a:
      return multiply_all<Rounds::a, float>(tile);
    case Rounds::b:
      return multiply_all<Rounds::b, float>(tile);
    case Rounds::both:
      return multiply_all<Rounds::both, float>(tile);
  }
}

}  // namespace understudy::worker
