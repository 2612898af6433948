// SPDX-License-Identifier: Apache-2.0
// Batches of small matrices, which are computed side by side: the bits of the plain loops over one
// matrix, whatever the number of matrices; and what becomes of matrices that have no result.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

#include "gtest/gtest.h"

#include "tests/worker/ops/ops_fixture.h"
#include "worker/lapack/side_by_side.h"

namespace understudy::worker {
namespace {

using program::Cholesky;
using program::Lapack;
using program::Routine;
using program::TriangularSolve;

template <class T>
using Numbers = std::vector<T>;
constexpr std::size_t kCounts[] = {4, 7, 16, 35};

template <class T>
class SmallMatrices : public OpTest {
 protected:
  static Numbers<T> random(std::size_t count, unsigned seed) {
    std::mt19937 source(seed);
    std::normal_distribution<T> normal;
    Numbers<T> all(count);
    for (T& x : all) x = normal(source);
    return all;
  }
  // Matrices that have a Cholesky factor, symmetric but for the last bits.
  static Numbers<T> positive(std::size_t count, std::size_t n, unsigned seed) {
    const Numbers<T> x = random(count * n * n, seed);
    Numbers<T> all(count * n * n);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c) {
          T& sum = all[(i * n + r) * n + c];
          for (std::size_t k = 0; k < n; ++k)
            sum += x[(i * n + r) * n + k] * x[(i * n + c) * n + k];
          if (r == c) sum += 1;
        }
    return all;
  }
  static Shape shape(std::size_t count, std::size_t rows, std::size_t columns) {
    return {static_cast<std::int64_t>(count), static_cast<std::int64_t>(rows),
            static_cast<std::int64_t>(columns)};
  }
  // Equal bits, but for those of NaN.
  static void expect_same(const Numbers<T>& got, const Numbers<T>& wanted) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_TRUE((std::isnan(got[i]) && std::isnan(wanted[i])) ||
                  std::bit_cast<Bits>(got[i]) == std::bit_cast<Bits>(wanted[i]))
          << i << ": " << got[i] << ", " << wanted[i];
  }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SmallMatrices, Types);

// Column after column of the lower triangle.
template <class T>
void plain_cholesky(T* a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    T diagonal = a[j * n + j];
    for (std::size_t k = 0; k < j; ++k) diagonal -= a[j * n + k] * a[j * n + k];
    a[j * n + j] = std::sqrt(diagonal);
    const T inverse = T{1} / a[j * n + j];
    for (std::size_t i = j + 1; i < n; ++i) {
      T sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum * inverse;
      a[j * n + i] = 0;
    }
  }
}

TYPED_TEST(SmallMatrices, HaveCholeskyFactors) {
  using T = TypeParam;
  for (const std::size_t n : {1, 2, 3, 8, 13, 32})
    for (const std::size_t count : kCounts) {
      const Numbers<T> a = this->positive(count, n, 1);
      Numbers<T> wanted = a, turned = a;
      for (std::size_t i = 0; i < count; ++i) plain_cholesky(wanted.data() + i * n * n, n);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t r = 0; r < n; ++r)
          for (std::size_t c = 0; c < n; ++c)
            turned[(i * n + r) * n + c] = wanted[(i * n + c) * n + r];
      const Shape shape = this->shape(count, n, n);
      // The other triangle is not read.
      Numbers<T> lower = a, upper = a;
      for (std::size_t e = 0; e < a.size(); ++e) {
        if (e / n % n < e % n) lower[e] = std::numeric_limits<T>::quiet_NaN();
        if (e / n % n > e % n) upper[e] = std::numeric_limits<T>::quiet_NaN();
        // Both triangles have the same bits.
        if (e / n % n < e % n) upper[e] = a[e - e % (n * n) + e % n * n + e / n % n];
      }
      const auto in_lower = this->template in<T>(shape, lower);
      this->expect_same(this->template result<T>(Cholesky{true}, {in_lower}, shape), wanted);
      const auto in_upper = this->template in<T>(shape, upper);
      this->expect_same(this->template result<T>(Cholesky{false}, {in_upper}, shape), turned);
    }
}

TYPED_TEST(SmallMatrices, WithoutACholeskyFactorAreNanAlone) {
  using T = TypeParam;
  constexpr std::size_t kCount = 20, kSize = 5;
  Numbers<T> a = this->positive(kCount, kSize, 2), wanted = a;
  a[3 * kSize * kSize + 2 * kSize + 2] = -1;
  a[11 * kSize * kSize] = std::numeric_limits<T>::quiet_NaN();
  a[19 * kSize * kSize] = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    plain_cholesky(wanted.data() + i * kSize * kSize, kSize);
    for (std::size_t e = 0; (i == 3 || i == 11 || i == 19) && e < kSize * kSize; ++e)
      if (e / kSize >= e % kSize)
        wanted[i * kSize * kSize + e] = std::numeric_limits<T>::quiet_NaN();
  }
  const Shape shape = this->shape(kCount, kSize, kSize);
  const auto in = this->template in<T>(shape, a);
  this->expect_same(this->template result<T>(Cholesky{true}, {in}, shape), wanted);
}

// op(a) x = b, element by element of x.
template <class T>
void plain_solve(const TriangularSolve& work, const T* a, T* x, std::size_t n, std::size_t rows,
                 std::size_t columns) {
  // From the right side the same with all transposed.
  const auto matrix = [&](std::size_t i, std::size_t k) {
    return work.transpose == work.left_side ? a[k * n + i] : a[i * n + k];
  };
  const auto element = [&](std::size_t i, std::size_t c) -> T& {
    return work.left_side ? x[i * columns + c] : x[c * columns + i];
  };
  const bool lower = work.lower != (work.transpose == work.left_side);
  for (std::size_t c = 0; c < (work.left_side ? columns : rows); ++c)
    for (std::size_t s = 0; s < n; ++s) {
      const std::size_t i = lower ? s : n - 1 - s;
      T sum = element(i, c);
      for (std::size_t k = lower ? 0 : i + 1; k < (lower ? i : n); ++k)
        sum -= element(k, c) * matrix(i, k);
      element(i, c) = work.unit_diagonal ? sum : sum * (T{1} / matrix(i, i));
    }
}

TYPED_TEST(SmallMatrices, HaveTriangularSolutions) {
  using T = TypeParam;
  for (const std::size_t n : {1, 4, 9, 32})
    for (const std::size_t others : {1, 6})
      for (const std::size_t count : kCounts)
        for (unsigned flags = 0; flags < 16; ++flags) {
          const TriangularSolve work{(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0,
                                     (flags & 8) != 0, false};
          const std::size_t rows = work.left_side ? n : others, columns = n + others - rows;
          Numbers<T> a = this->positive(count, n, 3);
          Numbers<T> x = this->random(count * rows * columns, 4);
          const auto b = this->template in<T>(this->shape(count, rows, columns), x);
          for (std::size_t i = 0; i < count; ++i)
            plain_solve(work, a.data() + i * n * n, x.data() + i * rows * columns, n, rows,
                        columns);
          // The other triangle is not read, nor a diagonal of ones.
          for (std::size_t e = 0; e < a.size(); ++e) {
            const std::size_t r = e / n % n, c = e % n;
            if ((work.lower ? r < c : r > c) || (work.unit_diagonal && r == c))
              a[e] = std::numeric_limits<T>::quiet_NaN();
          }
          const auto matrices = this->template in<T>(this->shape(count, n, n), a);
          this->expect_same(this->template result<T>(work, {matrices, b}, b.type.shape), x);
        }
}

template <class T>
int plain_lu(T* a, std::size_t m, std::size_t n, int* pivots) {
  int info = 0;
  for (std::size_t j = 0; j < std::min(m, n); ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < m; ++i)
      if (std::abs(a[i * n + j]) > std::abs(a[pivot * n + j])) pivot = i;
    pivots[j] = static_cast<int>(pivot);
    if (pivot != j) std::swap_ranges(a + j * n, a + (j + 1) * n, a + pivot * n);
    if (a[j * n + j] == 0) {
      if (info == 0) info = static_cast<int>(j) + 1;
      continue;
    }
    for (std::size_t i = j + 1; i < m; ++i) {
      const T factor = a[i * n + j] /= a[j * n + j];
      for (std::size_t c = j + 1; c < n; ++c) a[i * n + c] -= factor * a[j * n + c];
    }
  }
  return info;
}

TYPED_TEST(SmallMatrices, HaveLuFactors) {
  using T = TypeParam;
  for (const auto& [m, n] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {4, 4}, {5, 9}, {32, 3}, {16, 16}, {31, 32}})
    for (const std::size_t count : kCounts) {
      Numbers<T> a = this->random(count * m * n, 5);
      const std::size_t k = std::min(m, n);
      // Two equal columns; and a matrix of equal magnitudes, of which the first is the pivot.
      for (std::size_t r = 0; r < m && n > 1; ++r) a[(m * n) + r * n + 1] = a[(m * n) + r * n];
      for (std::size_t e = 0; e < m * n; ++e) a[2 * m * n + e] = e % 3 == 0 ? T{-2} : T{2};
      const auto in = this->template in<T>(this->shape(count, m, n), a);
      Numbers<int> pivots(count * k), infos, order;
      for (std::size_t i = 0; i < count; ++i) {
        infos.push_back(plain_lu(a.data() + i * m * n, m, n, pivots.data() + i * k));
        Numbers<int> rows(m);
        for (std::size_t r = 0; r < m; ++r) rows[r] = static_cast<int>(r);
        for (std::size_t p = 0; p < k; ++p)
          std::swap(rows[p], rows[static_cast<std::size_t>(pivots[i * k + p])]);
        order.insert(order.end(), rows.begin(), rows.end());
      }
      const auto batch = static_cast<std::int64_t>(count);
      const auto out = [&](E element, std::size_t size) {
        return this->out(element, {batch, static_cast<std::int64_t>(size)});
      };
      const auto factors = this->out(element_for<T>(), in.type.shape), pivot = out(E::i32, k),
                 rows = out(E::i32, m);
      this->run(Lapack{Routine::lu}, {in}, {factors, pivot, rows});
      this->expect_same(this->template values<T>(factors), a);
      EXPECT_EQ(this->template values<int>(pivot), pivots);
      EXPECT_EQ(this->template values<int>(rows), order);
      const auto again = this->out(element_for<T>(), in.type.shape), from_one = out(E::i32, k),
                 info = this->out(E::i32, {batch});
      this->run(Lapack{Routine::getrf}, {in}, {again, from_one, info});
      this->expect_same(this->template values<T>(again), a);
      for (int& one : pivots) ++one;
      EXPECT_EQ(this->template values<int>(from_one), pivots);
      EXPECT_EQ(this->template values<int>(info), infos);
    }
}

TYPED_TEST(SmallMatrices, OfNanHavePivotsInRange) {
  using T = TypeParam;
  constexpr std::size_t kCount = 12, kSize = 6;
  Numbers<T> a = this->random(kCount * kSize * kSize, 6);
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t e = i; e < kSize * kSize; e += i + 1)
      a[i * kSize * kSize + e] = std::numeric_limits<T>::quiet_NaN();
  const Shape shape = this->shape(kCount, kSize, kSize);
  const auto factors = this->out(element_for<T>(), shape),
             pivots = this->out(E::i32, {kCount, kSize}), rows = this->out(E::i32, {kCount, kSize});
  this->run(Lapack{Routine::lu}, {this->template in<T>(shape, a)}, {factors, pivots, rows});
  Numbers<int> order = this->template values<int>(rows);
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(i * kSize);
    std::sort(first, first + kSize);
    EXPECT_EQ(Numbers<int>(first, first + kSize), (Numbers<int>{0, 1, 2, 3, 4, 5}));
  }
}

TEST(SideBySide, IsForSeveralSmallMatrices) {
  using lapack::fits_side_by_side;
  EXPECT_TRUE(fits_side_by_side(4, 32, 32));
  EXPECT_FALSE(fits_side_by_side(3, 32, 32));
  EXPECT_FALSE(fits_side_by_side(100, 33, 33));
  EXPECT_TRUE(fits_side_by_side(100, 4, 256));
  EXPECT_FALSE(fits_side_by_side(100, 4, 257));
  EXPECT_FALSE(fits_side_by_side(100, 0, 4));
}

}  // namespace
}  // namespace understudy::worker
