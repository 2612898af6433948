// SPDX-License-Identifier: Apache-2.0
#include "worker/lapack/side_by_side.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "worker/chip/copy_lines.h"
#include "worker/chip/vector_code.h"
#include "worker/lapack/block.h"

namespace understudy::worker::lapack {
namespace {

constexpr std::size_t kLeastBatches = 4;
// Rows or columns, and elements of an operand: with 64 bytes for each, the second-level cache holds
// them. Pivots are bits of a word.
constexpr int kMostRows = 32, kMostElements = kMostRows * kMostRows;

template <class T, int kBytes>
struct Lanes {
  using V [[gnu::vector_size(kBytes)]] = T;
  using Number = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using Numbers [[gnu::vector_size(kBytes)]] = Number;  // also masks
  static constexpr std::size_t kCount = kBytes / sizeof(T);
};

// Where element (i, j) of a matrix is among vectors, in the order of rows or of columns.
struct Order {
  std::size_t row = 0, column = 1;
  std::size_t operator()(std::size_t i, std::size_t j) const { return i * row + j * column; }
};

template <class T>
ops::Axis axis_of(std::size_t count, std::size_t in, std::size_t out) {
  const auto bytes = [](std::size_t n) { return static_cast<std::int64_t>(n * sizeof(T)); };
  return {static_cast<std::int64_t>(count), bytes(in), bytes(out)};
}
template <class T>
void exchange(const T* in, const ops::Axis& rows, const ops::Axis& columns, T* out) {
  ops::transpose_plane({rows, columns, sizeof(T)}, reinterpret_cast<const std::byte*>(in),
                       reinterpret_cast<std::byte*>(out));
}
// Element e of `count` matrices to lanes `lanes` e and so on, and back.
template <class T>
void to_lanes(const T* in, std::size_t count, std::size_t elements, std::size_t lanes, T* out) {
  exchange(in, axis_of<T>(elements, 1, lanes), axis_of<T>(count, elements, 1), out);
}
template <class T>
void from_lanes(const T* in, std::size_t count, std::size_t elements, std::size_t lanes, T* out) {
  exchange(in, axis_of<T>(count, 1, elements), axis_of<T>(elements, lanes, 1), out);
}

// Elements of a row or a column: `step` vectors from one to the next.
template <class V>
struct Line {
  const V* at;
  std::size_t step;
};

// sums[r] -= the sum of the products of line `left` + r * `next` and line `right`, in their order.
template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void subtract_products(const Line<V>& left, std::size_t next,
                                                     const Line<V>& right, std::size_t count,
                                                     V (&sums)[kCount]) {
  for (std::size_t k = 0; k < count; ++k) {
    const V factor = right.at[k * right.step];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kCount; ++r) sums[r] -= left.at[r * next + k * left.step] * factor;
  }
}

// Calls f.operator()<count>(first) for all of [first, end), most of them four at a time: their sums
// hide each other's latency.
template <class F>
[[gnu::always_inline]] inline void by_fours(std::size_t first, std::size_t end, const F& f) {
  for (; first + 4 <= end; first += 4) f.template operator()<4>(first);
  for (; first < end; ++first) f.template operator()<1>(first);
}

template <class T, class V>
[[gnu::always_inline]] inline void take_root(V& x) {
  T lanes[sizeof(V) / sizeof(T)];
  std::memcpy(lanes, &x, sizeof(V));
  for (T& lane : lanes) lane = std::sqrt(lane);
  std::memcpy(&x, lanes, sizeof(V));
}

template <class T, int kBytes>
[[gnu::always_inline]] inline void cholesky(typename Lanes<T, kBytes>::V* a, std::size_t n,
                                            const Order& at) {
  using V = typename Lanes<T, kBytes>::V;
  typename Lanes<T, kBytes>::Numbers failed = {};
  for (std::size_t j = 0; j < n; ++j) {
    const Line<V> row{a + at(j, 0), at.column};
    V root[1] = {a[at(j, j)]};
    subtract_products(row, 0, row, j, root);
    failed |= ~(root[0] > T{0});
    take_root<T>(root[0]);
    a[at(j, j)] = root[0];
    const V inverse = T{1} / root[0];
    by_fours(
        j + 1, n, [&]<std::size_t kCount>(std::size_t i) __attribute__((always_inline)) {
          V sums[kCount];
          for (std::size_t r = 0; r < kCount; ++r) sums[r] = a[at(i + r, j)];
          subtract_products({a + at(i, 0), at.column}, at.row, row, j, sums);
          for (std::size_t r = 0; r < kCount; ++r) a[at(i + r, j)] = sums[r] * inverse;
        });
  }
  const V nan = V{} + std::numeric_limits<T>::quiet_NaN();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      V& element = a[at(i, j)];
      element = j > i ? V{} : failed != 0 ? nan : element;
    }
}

// Row after row of x, from the first one where the matrix is lower triangular, else from the last.
template <class T, int kBytes>
[[gnu::always_inline]] inline void solve(const typename Lanes<T, kBytes>::V* a, const Order& at,
                                         bool lower, bool unit, std::size_t n,
                                         typename Lanes<T, kBytes>::V* x, const Order& x_at,
                                         std::size_t columns) {
  using V = typename Lanes<T, kBytes>::V;
  for (std::size_t s = 0; s < n; ++s) {
    const std::size_t i = lower ? s : n - 1 - s, first = lower ? 0 : i + 1;
    const Line<V> row{a + at(i, first), at.column};
    const V inverse = unit ? V{} + T{1} : T{1} / a[at(i, i)];
    by_fours(
        0, columns, [&]<std::size_t kCount>(std::size_t c) __attribute__((always_inline)) {
          V sums[kCount];
          for (std::size_t r = 0; r < kCount; ++r) sums[r] = x[x_at(i, c + r)];
          subtract_products({x + x_at(first, c), x_at.row}, x_at.column, row, s, sums);
          for (std::size_t r = 0; r < kCount; ++r) x[x_at(i, c + r)] = sums[r] * inverse;
        });
  }
}

// Swaps row j and the row that each lane has as its pivot.
template <class T, int kBytes>
[[gnu::always_inline]] inline void swap_rows(typename Lanes<T, kBytes>::V* a, std::size_t n,
                                             std::size_t j,
                                             const typename Lanes<T, kBytes>::Numbers& pivots) {
  using Kind = Lanes<T, kBytes>;
  std::uint64_t rows = 0;
  for (std::size_t l = 0; l < Kind::kCount; ++l) rows |= std::uint64_t{1} << pivots[l];
  rows &= ~(std::uint64_t{1} << j);
  for (; rows != 0; rows &= rows - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rows));
    const auto is_here = pivots == static_cast<typename Kind::Number>(i);
    for (std::size_t c = 0; c < n; ++c) {
      const typename Kind::V upper = a[j * n + c], lower = a[i * n + c];
      a[j * n + c] = is_here ? lower : upper;
      a[i * n + c] = is_here ? upper : lower;
    }
  }
}

// `pivots` and `infos`: one for each lane; of pivots, those of each column.
template <class T, int kBytes>
[[gnu::always_inline]] inline void lu(typename Lanes<T, kBytes>::V* a, std::size_t m, std::size_t n,
                                      typename Lanes<T, kBytes>::Numbers* pivots,
                                      typename Lanes<T, kBytes>::Numbers& infos) {
  using Kind = Lanes<T, kBytes>;
  using V = typename Kind::V;
  using Numbers = typename Kind::Numbers;
  const auto number = [](std::size_t i) __attribute__((always_inline)) {
    return static_cast<typename Kind::Number>(i);
  };
  infos = Numbers{};
  for (std::size_t j = 0; j < std::min(m, n); ++j) {
    V largest = a[j * n + j];
    largest = largest < 0 ? -largest : largest;
    Numbers pivot = Numbers{} + number(j);
    for (std::size_t i = j + 1; i < m; ++i) {
      V x = a[i * n + j];
      x = x < 0 ? -x : x;
      const auto is_larger = x > largest;
      largest = is_larger ? x : largest;
      pivot = is_larger ? Numbers{} + number(i) : pivot;
    }
    pivots[j] = pivot;
    swap_rows<T, kBytes>(a, n, j, pivot);
    const V diagonal = a[j * n + j];
    const auto is_zero = diagonal == T{0};
    infos = is_zero && infos == 0 ? Numbers{} + number(j + 1) : infos;
    // All below a pivot of zero are zero, or NaN.
    const V divisor = is_zero ? V{} + T{1} : diagonal;
    for (std::size_t i = j + 1; i < m; ++i) {
      const V factor = a[i * n + j] / divisor;
      a[i * n + j] = factor;
      for (std::size_t c = j + 1; c < n; ++c) a[i * n + c] -= factor * a[j * n + c];
    }
  }
}

// Calls f.operator()<kBytes>(first, count) for groups of matrices, one for each lane.
template <class T, class F>
void in_groups(std::size_t batches, const F& f) {
  with_vectors([&]<int kBytes>() __attribute__((always_inline)) {
    constexpr std::size_t kLanes = Lanes<T, kBytes>::kCount;
    for (std::size_t first = 0; first < batches; first += kLanes)
      f.template operator()<kBytes>(first, std::min(kLanes, batches - first));
  });
}
constexpr std::size_t kMostLaneBytes = 64;
template <class T>
Block<T> room_for(std::size_t elements) {
  return Block<T>(elements * kMostLaneBytes / sizeof(T));
}

}  // namespace

bool fits_side_by_side(std::size_t batches, int rows, int columns) {
  return batches >= kLeastBatches && rows > 0 && columns > 0 && rows <= kMostRows &&
         columns <= kMostElements / rows;
}

template <class T>
void factor_cholesky(const T* in, std::size_t batches, int size, bool lower, T* out) {
  const auto n = static_cast<std::size_t>(size);
  const std::size_t elements = n * n;
  Block<T> room = room_for<T>(elements);
  in_groups<T>(
      batches, [&]<int kBytes>(std::size_t first, std::size_t count)
                   __attribute__((always_inline)) {
                     using Kind = Lanes<T, kBytes>;
                     to_lanes(in + first * elements, count, elements, Kind::kCount, room.data());
                     cholesky<T, kBytes>(reinterpret_cast<typename Kind::V*>(room.data()), n,
                                         lower ? Order{n, 1} : Order{1, n});
                     from_lanes(room.data(), count, elements, Kind::kCount, out + first * elements);
                   });
}

// From the right side all is transposed.
template <class T>
void solve_triangular(const program::TriangularSolve& work, const T* a, const T* b,
                      std::size_t batches, int rows, int columns, T* x) {
  const auto m = static_cast<std::size_t>(rows), k = static_cast<std::size_t>(columns);
  const std::size_t n = work.left_side ? m : k, others = work.left_side ? k : m;
  const bool transposed = work.transpose == work.left_side;
  const Order a_at = transposed ? Order{1, n} : Order{n, 1};
  const Order x_at = work.left_side ? Order{k, 1} : Order{1, k};
  const bool lower = work.lower != transposed;
  Block<T> matrix = room_for<T>(n * n), room = room_for<T>(m * k);
  in_groups<T>(
      batches, [&]<int kBytes>(std::size_t first,
                               std::size_t count) __attribute__((always_inline)) {
        using Kind = Lanes<T, kBytes>;
        to_lanes(a + first * n * n, count, n * n, Kind::kCount, matrix.data());
        to_lanes(b + first * m * k, count, m * k, Kind::kCount, room.data());
        solve<T, kBytes>(reinterpret_cast<const typename Kind::V*>(matrix.data()), a_at, lower,
                         work.unit_diagonal, n, reinterpret_cast<typename Kind::V*>(room.data()),
                         x_at, others);
        from_lanes(room.data(), count, m * k, Kind::kCount, x + first * m * k);
      });
}

template <class T>
void factor_lu(const T* in, std::size_t batches, int rows, int columns, T* out, int* pivots,
               int* infos) {
  const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
  const std::size_t elements = m * n, count_of_pivots = std::min(m, n);
  Block<T> room = room_for<T>(elements);
  in_groups<T>(
      batches, [&]<int kBytes>(std::size_t first,
                               std::size_t count) __attribute__((always_inline)) {
        using Kind = Lanes<T, kBytes>;
        typename Kind::Numbers found[kMostRows], info;
        to_lanes(in + first * elements, count, elements, Kind::kCount, room.data());
        lu<T, kBytes>(reinterpret_cast<typename Kind::V*>(room.data()), m, n, found, info);
        from_lanes(room.data(), count, elements, Kind::kCount, out + first * elements);
        for (std::size_t l = 0; l < count; ++l) {
          infos[first + l] = static_cast<int>(info[l]);
          for (std::size_t j = 0; j < count_of_pivots; ++j)
            pivots[(first + l) * count_of_pivots + j] = static_cast<int>(found[j][l]);
        }
      });
}

#define UNDERSTUDY_SIDE_BY_SIDE(T)                                                       \
  template void factor_cholesky<T>(const T*, std::size_t, int, bool, T*);                \
  template void solve_triangular<T>(const program::TriangularSolve&, const T*, const T*, \
                                    std::size_t, int, int, T*);                          \
  template void factor_lu<T>(const T*, std::size_t, int, int, T*, int*, int*);
UNDERSTUDY_SIDE_BY_SIDE(float)
UNDERSTUDY_SIDE_BY_SIDE(double)
#undef UNDERSTUDY_SIDE_BY_SIDE

}  // namespace understudy::worker::lapack
