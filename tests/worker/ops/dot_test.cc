// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "tests/worker/ops/ops_fixture.h"
#include "worker/chip/mxu/mxu_blocks.h"
#include "worker/ops/operands.h"

namespace understudy::worker {
namespace {

using namespace program;

class Dots : public OpTest {
 protected:
  Dot matmul(Precision precision = Precision::standard) {
    Dot dot;
    dot.lhs_contracting = {1};
    dot.rhs_contracting = {0};
    dot.lhs_precision = dot.rhs_precision = precision;
    return dot;
  }
  std::vector<float> random_floats(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> x(n);
    for (auto& value : x) value = std::normal_distribution<float>(0, 1)(random);
    return x;
  }
  static double product(const std::vector<float>& a, const std::vector<float>& b, std::int64_t m,
                        std::int64_t n, std::int64_t k, std::int64_t row, std::int64_t column) {
    (void)m;
    double sum = 0;
    for (std::int64_t i = 0; i < k; ++i) {
      sum += double(a[static_cast<std::size_t>(row * k + i)]) *
             double(b[static_cast<std::size_t>(i * n + column)]);
    }
    return sum;
  }
};

std::vector<float> rounded(std::vector<float> x) {
  for (auto& value : x) value = from_bf16(bf16(value));
  return x;
}

TEST_F(Dots, MultiplySmallMatricesExactly) {
  const auto a = in<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto b = in<float>({3, 2}, {1, 0, 0, 1, 1, 1});
  EXPECT_EQ(result<float>(matmul(), {a, b}, {2, 2}), (std::vector<float>{4, 5, 10, 11}));
}

// f32 at every precision, on both implementations of the unit, at sizes with and without tails.
TEST_F(Dots, RoundOperandsAsThePrecisionSays) {
  const std::int64_t sizes[][3] = {{1, 1, 1},   {3, 5, 7},    {16, 16, 64}, {33, 17, 129},
                                   {1, 40, 65}, {8, 128, 32}, {5, 40, 100}};
  for (const auto make : {Mxu::Make::automatic, Mxu::Make::portable}) {
    Mxu unit(kernels_, make);
    execution_.mxu = &unit;
    for (const auto& [m, n, k] : sizes) {
      const auto a = random_floats(static_cast<std::size_t>(m * k), 1);
      const auto b = random_floats(static_cast<std::size_t>(k * n), 2);
      const auto x = in<float>({m, k}, a);
      const auto y = in<float>({k, n}, b);
      const auto one = result<float>(matmul(), {x, y}, {m, n});
      const auto three = result<float>(matmul(Precision::high), {x, y}, {m, n});
      const auto full = result<float>(matmul(Precision::highest), {x, y}, {m, n});
      const double size = std::sqrt(static_cast<double>(k));
      for (std::int64_t row = 0; row < m; ++row) {
        for (std::int64_t column = 0; column < n; ++column) {
          const auto at = static_cast<std::size_t>(row * n + column);
          const double exact = product(a, b, m, n, k, row, column);
          EXPECT_NEAR(one[at], product(rounded(a), rounded(b), m, n, k, row, column), 2e-6 * size);
          EXPECT_NEAR(three[at], exact, 6e-5 * size);
          EXPECT_NEAR(full[at], exact, 2e-6 * size);
        }
      }
    }
  }
  execution_.mxu = &mxu_;
}

TEST_F(Dots, KeepF32UnderIeeeNumerics) {
  const auto x = in<float>({1, 1}, {1.0009765625F});
  EXPECT_EQ(result<float>(matmul(), {x, x}, {1, 1})[0], 1.0F);
  execution_.numerics = Numerics::ieee;
  EXPECT_EQ(result<float>(matmul(), {x, x}, {1, 1})[0], 1.0009765625F * 1.0009765625F);
}

TEST_F(Dots, AccumulateBf16InF32) {
  std::vector<std::uint16_t> ones(1000, bf16(1));
  ones[0] = bf16(256);
  const auto a = in<std::uint16_t>({1, 1000}, ones);
  const auto b = in<std::uint16_t>({1000, 1}, std::vector<std::uint16_t>(1000, bf16(1)));
  EXPECT_EQ(result<float>(matmul(), {a, b}, {1, 1})[0], 1255.0F);
  EXPECT_EQ(from_bf16(result<std::uint16_t>(matmul(), {a, b}, {1, 1})[0]), 1256.0F);
}

TEST_F(Dots, MultiplyInt8ExactlyIntoInt32) {
  const std::vector<std::int8_t> least(512, -128);
  const std::vector<std::int8_t> most(512, 127);
  const auto a = in<std::int8_t>({1, 512}, least);
  EXPECT_EQ(result<std::int32_t>(matmul(), {a, in<std::int8_t>({512, 1}, least)}, {1, 1})[0],
            512 * 128 * 128);
  EXPECT_EQ(result<std::int32_t>(matmul(), {a, in<std::int8_t>({512, 1}, most)}, {1, 1})[0],
            -512 * 128 * 127);
}

// Beyond 1024 products their sum may have more bits than f32.
TEST_F(Dots, SumManyInt8ProductsExactly) {
  const std::int64_t m = 3, n = 5, k = 5001;
  std::mt19937 random(7);
  const auto extremes = [&](std::int64_t count) {
    std::vector<std::int8_t> x(static_cast<std::size_t>(count));
    for (auto& value : x) value = static_cast<std::int8_t>(-128 + static_cast<int>(random() % 3));
    return x;
  };
  const std::vector<std::int8_t> a = extremes(m * k), b = extremes(k * n);
  std::vector<std::int32_t> wanted(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m * n; ++i)
    for (std::int64_t j = 0; j < k; ++j)
      wanted[static_cast<std::size_t>(i)] += int{a[static_cast<std::size_t>(i / n * k + j)]} *
                                             int{b[static_cast<std::size_t>(j * n + i % n)]};
  const auto left = in<std::int8_t>({m, k}, a);
  const auto right = in<std::int8_t>({k, n}, b);
  for (const auto make : {Mxu::Make::automatic, Mxu::Make::portable}) {
    Mxu unit(kernels_, make);
    execution_.mxu = &unit;
    EXPECT_EQ(result<std::int32_t>(matmul(), {left, right}, {m, n}), wanted);
  }
}

TEST_F(Dots, KeepF64AndWrapIntegers) {
  EXPECT_EQ(result<double>(matmul(), {in<double>({1, 2}, {1, 1e-9}), in<double>({2, 1}, {1, 1})},
                           {1, 1})[0],
            1 + 1e-9);
  EXPECT_EQ(
      result<std::int32_t>(
          matmul(), {in<std::int32_t>({1, 2}, {1 << 30, 3}), in<std::int32_t>({2, 1}, {4, 5})},
          {1, 1})[0],
      15);
}

TEST_F(Dots, GiveZerosWhereNothingIsContracted) {
  EXPECT_EQ(result<float>(matmul(), {in<float>({2, 0}, {}), in<float>({0, 2}, {})}, {2, 2}),
            std::vector<float>(4));
}

// Any batch, free and contracting dimensions in any order, against a plain loop.
TEST_F(Dots, ContractAnyDimensionsOfAnyLayout) {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    // Dimensions: b0 b1 shared, k0 k1 contracted, m and n free; each side shuffled.
    const Shape size = {2, 3, 4, 2, 5, 3};  // b0 b1 k0 k1 m n
    std::vector<int> left = {0, 1, 2, 3, 4}, right = {0, 1, 2, 3, 5};
    std::shuffle(left.begin(), left.end(), random);
    std::shuffle(right.begin(), right.end(), random);
    const auto where = [](const std::vector<int>& side, int letter) {
      return static_cast<std::int64_t>(std::find(side.begin(), side.end(), letter) - side.begin());
    };
    Dot dot;
    dot.lhs_batch = {where(left, 0), where(left, 1)};
    dot.rhs_batch = {where(right, 0), where(right, 1)};
    dot.lhs_contracting = {where(left, 2), where(left, 3)};
    dot.rhs_contracting = {where(right, 2), where(right, 3)};
    Shape left_shape, right_shape;
    for (const int letter : left) left_shape.push_back(size[static_cast<std::size_t>(letter)]);
    for (const int letter : right) right_shape.push_back(size[static_cast<std::size_t>(letter)]);
    std::vector<float> a(2 * 3 * 4 * 2 * 5), b(2 * 3 * 4 * 2 * 3);
    for (auto& value : a) value = static_cast<float>(int(random() % 9) - 4);
    for (auto& value : b) value = static_cast<float>(int(random() % 9) - 4);
    const Shape left_strides = ops::strides_of(left_shape);
    const Shape right_strides = ops::strides_of(right_shape);
    std::vector<float> wanted(2 * 3 * 5 * 3, 0.0F);
    ops::Counter counter(size);
    do {
      const Shape& i = counter.at();
      std::int64_t x = 0, y = 0;
      for (std::size_t d = 0; d < left.size(); ++d) {
        x += i[static_cast<std::size_t>(left[d])] * left_strides[d];
        y += i[static_cast<std::size_t>(right[d])] * right_strides[d];
      }
      const auto to = static_cast<std::size_t>(((i[0] * 3 + i[1]) * 5 + i[4]) * 3 + i[5]);
      wanted[to] += a[static_cast<std::size_t>(x)] * b[static_cast<std::size_t>(y)];
    } while (counter.next());
    EXPECT_EQ(
        result<float>(dot, {in<float>(left_shape, a), in<float>(right_shape, b)}, {2, 3, 5, 3}),
        wanted);
  }
}

TEST_F(Dots, TileWhatDoesNotFitVmem) {
  Vmem small(std::uint64_t{64} << 10);
  execution_.vmem = &small;
  const std::int64_t m = 70, n = 90, k = 300;
  std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  std::mt19937 random(2);
  for (auto& value : a) value = static_cast<float>(int(random() % 5) - 2);
  for (auto& value : b) value = static_cast<float>(int(random() % 5) - 2);
  const auto x = in<float>({m, k}, a);
  const auto y = in<float>({k, n}, b);
  for (const Precision precision : {Precision::standard, Precision::high}) {
    const auto c = result<float>(matmul(precision), {x, y}, {m, n});
    for (std::int64_t row = 0; row < m; ++row) {
      for (std::int64_t column = 0; column < n; ++column) {
        ASSERT_EQ(c[static_cast<std::size_t>(row * n + column)],
                  product(a, b, m, n, k, row, column));
      }
    }
  }
  EXPECT_LE(small.peak(), small.capacity());
  execution_.vmem = &vmem_;
}

// The matrix is rounded without a look at NaN: where there is one, or where infinities of both
// signs make one, every product is rounded again with care. No pattern of NaN may become a number.
TEST_F(Dots, OfAVectorKeepNaN) {
  for (const std::int64_t k : {100, 131})
    for (const std::uint32_t bits :
         {0x7fc00000U, 0x7f800001U, 0x7fffffffU, 0xffffffffU, 0xffff8000U})
      for (const std::int64_t place : {std::int64_t{3}, k - 1}) {
        const std::int64_t rows = 75;
        const std::vector<float> x = random_floats(static_cast<std::size_t>(k), 5);
        std::vector<float> a = random_floats(static_cast<std::size_t>(rows * k), 6);
        // Row 7 alone has infinities, whose sum is one; row 9 has the NaN.
        a[static_cast<std::size_t>(7 * k + 4)] = std::copysign(INFINITY, x[4]);
        a[static_cast<std::size_t>(8 * k)] = std::copysign(INFINITY, -x[0]);
        const auto product = [&](bool transposed) {
          if (!transposed)
            return result<float>(matmul(), {in<float>({rows, k}, a), in<float>({k, 1}, x)},
                                 {rows, 1});
          std::vector<float> turned(a.size());
          for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t i = 0; i < k; ++i)
              turned[static_cast<std::size_t>(i * rows + r)] =
                  a[static_cast<std::size_t>(r * k + i)];
          return result<float>(matmul(), {in<float>({1, k}, x), in<float>({k, rows}, turned)},
                               {1, rows});
        };
        const std::vector<float> plain = product(false), plain_across = product(true);
        EXPECT_EQ(plain[7], INFINITY);
        EXPECT_EQ(plain[8], -INFINITY);
        a[static_cast<std::size_t>(9 * k + place)] = std::bit_cast<float>(bits);
        for (const bool transposed : {false, true}) {
          std::vector<float> got = product(transposed);
          EXPECT_TRUE(std::isnan(got[9]));
          const std::vector<float>& wanted = transposed ? plain_across : plain;
          got[9] = wanted[9];
          EXPECT_EQ(got, wanted);
        }
      }
}

// Sums of 70 small integers are exact in f32, so the division into blocks must not show.
TEST_F(Dots, DivideLargeProductsIntoBlocks) {
  const std::int64_t m = 1400, n = 1300, k = 70;
  const MxuBlockSize block = block_size(m, n, k, 2);
  ASSERT_LT(block.rows, m);
  ASSERT_LT(block.columns, n);
  std::mt19937 random(4);
  const auto integers = [&](std::int64_t count) {
    std::vector<float> x(static_cast<std::size_t>(count));
    for (auto& value : x) value = static_cast<float>(int(random() % 5) - 2);
    return x;
  };
  const std::vector<float> a = integers(m * k), b = integers(k * n);
  std::vector<float> sums(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t q = 0; q < k; ++q)
      for (std::int64_t j = 0; j < n; ++j)
        sums[static_cast<std::size_t>(i * n + j)] +=
            a[static_cast<std::size_t>(i * k + q)] * b[static_cast<std::size_t>(q * n + j)];
  const auto x = in<float>({m, k}, a), y = in<float>({k, n}, b);
  for (const Precision precision : {Precision::standard, Precision::high, Precision::highest})
    EXPECT_EQ(result<float>(matmul(precision), {x, y}, {m, n}), sums);
  std::vector<std::uint16_t> narrow(sums.size());
  std::ranges::transform(sums, narrow.begin(), [](float sum) { return bf16(sum); });
  EXPECT_EQ(result<std::uint16_t>(matmul(), {x, y}, {m, n}), narrow);
}

TEST(MxuBlocks, CoverEverySizeOnce) {
  for (const auto& [rows, columns, depth] : std::vector<std::array<std::int64_t, 3>>{
           {1, 1, 1}, {128, 50304, 768}, {50304, 768, 128}, {4097, 129, 9000}, {1000, 1000, 1}}) {
    std::int64_t covered = 0;
    for_each_block(rows, columns, block_size(rows, columns, depth, 4), [&](const MxuBlock& block) {
      EXPECT_LE(block.m + block.rows, rows);
      EXPECT_LE(block.n + block.columns, columns);
      covered += block.rows * block.columns;
    });
    EXPECT_EQ(covered, rows * columns);
  }
}

TEST_F(Dots, GiveTheSameBitsTwice) {
  const auto x = in<float>({37, 211}, random_floats(37 * 211, 3));
  const auto y = in<float>({211, 53}, random_floats(211 * 53, 4));
  EXPECT_EQ(result<float>(matmul(), {x, y}, {37, 53}), result<float>(matmul(), {x, y}, {37, 53}));
}

}  // namespace
}  // namespace understudy::worker
