// SPDX-License-Identifier: Apache-2.0
// Products whose right operand is bf16 that is read in place, and those of many rows and a small
// matrix: fused multiply-adds in the order of k, without a read or a write beyond the operands.
#include <cmath>
#include <vector>

#include "program/kernels/kernels.h"
#include "tests/worker/ops/products.h"
#include "worker/chip/mxu/mxu_halves.h"
#include "worker/chip/mxu/mxu_narrow.h"
#include "worker/chip/mxu/mxu_places.h"
#include "worker/chip/mxu/mxu_tile.h"

namespace understudy::worker {
namespace {

using program::ElementType;

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

std::vector<float> normal_numbers(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(size_of(n));
  for (float& x : numbers) x = normal(random);
  return numbers;
}
// Each in memory of exactly its size, so that a tool for memory sees what is read beyond.
std::vector<std::uint16_t> halves_of(const std::vector<float>& numbers) {
  std::vector<std::uint16_t> halves;
  halves.reserve(numbers.size());
  for (const float x : numbers) halves.push_back(bf16_of(x));
  return halves;
}
float wide(std::uint16_t half) { return std::bit_cast<float>(std::uint32_t{half} << 16); }

// Of every width and height, in rows and in groups of eight rows side by side, written and added.
TEST(HalvesProducts, AddFusedProductsInOrder) {
  if (!multiplies_places()) GTEST_SKIP() << "this CPU has no AVX2";
  constexpr std::int64_t kK = 13, kGap = 3, kGroup = 8;
  for (const std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 9, 17})
    for (const std::int64_t n : {8, 9, 15, 16, 17, 23, 24, 25, 31, 33, 47, 49, 132})
      for (const bool adds : {false, true})
        for (const bool is_grouped : {false, true}) {
          const std::int64_t groups = (m + kGroup - 1) / kGroup;
          const auto a = normal_numbers(groups * kGroup * kK, 1);
          const auto b = halves_of(normal_numbers((kK - 1) * (n + kGap) + n, 2));
          const auto before = normal_numbers((m - 1) * (n + kGap) + n, 3);
          auto c = before;
          HalvesProduct p{m, n, kK, a.data(), kK, 1, m, 0};
          if (is_grouped)
            p.a_row = 1, p.a_column = kGroup, p.group_rows = kGroup, p.group = kGroup * kK;
          p.b = b.data(), p.b_row = n + kGap;
          p.c = c.data(), p.c_row = n + kGap, p.adds = adds;
          multiply_halves(p);
          for (std::int64_t at = 0; at < static_cast<std::int64_t>(c.size()); ++at) {
            const std::int64_t i = at / (n + kGap), j = at % (n + kGap);
            float sum = before[size_of(at)];
            if (j < n && !adds) sum = 0;
            for (std::int64_t k = 0; k < kK && j < n; ++k)
              sum =
                  std::fma(a[size_of(is_grouped ? i / kGroup * kGroup * kK + k * kGroup + i % kGroup
                                                : i * kK + k)],
                           wide(b[size_of(k * (n + kGap) + j)]), sum);
            ASSERT_EQ(c[size_of(at)], sum)
                << m << " x " << n << ", " << adds << is_grouped << ": " << at;
          }
        }
}

// What the unit chooses for rows of f32 and a lone matrix of bf16: each product fused from more
// than 2^14 multiplications on, and rounded below.
TEST(HalvesProducts, OfTheUnitAreInOrder) {
  Mxu mxu(program::kernels::select(""));
  if (!mxu.name().starts_with("avx")) GTEST_SKIP() << "the unit is " << mxu.name();
  Vmem vmem(8 << 20);
  for (const Sizes& s : {Sizes{4, 132, 49}, Sizes{4, 130, 49}, Sizes{7, 40, 70}, Sizes{16, 256, 96},
                         Sizes{5, 17, 300}, Sizes{1, 32, 12}, Sizes{1, 10, 10}, Sizes{4, 24, 24},
                         Sizes{3, 9, 20}, Sizes{16, 16, 16}, Sizes{17, 9, 9}, Sizes{2, 61, 15}}) {
    const auto a = normal_numbers(s.m * s.k, 1);
    const auto b = halves_of(normal_numbers(s.k * s.n, 2));
    Product p;
    p.m = s.m, p.n = s.n, p.k = s.k;
    p.lhs = {ElementType::f32, s.k, 1};
    p.rhs = {ElementType::bf16, s.n, 1};
    std::vector<float> out(size_of(s.m * s.n));
    mxu.multiply(p, Batches{1, 0, 0}, reinterpret_cast<const std::byte*>(a.data()),
                 reinterpret_cast<const std::byte*>(b.data()),
                 reinterpret_cast<std::byte*>(out.data()), vmem);
    const bool is_fused = s.m * s.n * s.k > 1 << 14;
    for (std::int64_t i = 0; i < s.m * s.n; ++i) {
      float sum = 0;
      for (std::int64_t k = 0; k < s.k; ++k) {
        const float x = wide(bf16_of(a[size_of(i / s.n * s.k + k)])),
                    y = wide(b[size_of(k * s.n + i % s.n)]);
        sum = is_fused ? std::fma(x, y, sum) : sum + x * y;
      }
      ASSERT_EQ(out[size_of(i)], sum) << s.m << " x " << s.n << " x " << s.k << ": " << i;
    }
  }
}

// multiply_small(): batches too, and NaN and infinities as they are.
TEST(SmallHalves, AreWidenedWhereTheyAreRead) {
  for (const std::int64_t batches : {1, 3})
    for (const std::int64_t m : {1, 2, 3, 4, 5, 8, 33})
      for (const std::int64_t n : {1, 7, 8, 9, 15, 16, 24, 33, 64, 70})
        for (const std::int64_t k : {1, 4, 9}) {
          const auto a = normal_numbers(batches * m * k, 4);
          auto b = halves_of(normal_numbers(batches * k * n, 5));
          if (n == 33) b[10] = 0x7f80, b[20] = 0xffc1;
          std::vector<float> c(size_of(batches * m * n) + 1, 77);
          MxuTile t{ElementType::f32, m, n, k, a.data(), k, 1, b.data(), n, 1, c.data(), n};
          t.batches = batches;
          t.a_batch = m * k, t.b_batch = k * n, t.c_batch = m * n;
          t.has_halves = true;
          multiply_small(t);
          ASSERT_EQ(c.back(), 77);
          for (std::int64_t at = 0; at < batches * m * n; ++at) {
            const std::int64_t batch = at / (m * n), i = at / n % m, j = at % n;
            float sum = 0;
            for (std::int64_t l = 0; l < k; ++l)
              sum +=
                  a[size_of((batch * m + i) * k + l)] * wide(b[size_of((batch * k + l) * n + j)]);
            if (sum != sum)
              ASSERT_NE(c[size_of(at)], c[size_of(at)]) << at;
            else
              ASSERT_EQ(c[size_of(at)], sum) << m << " x " << n << " x " << k << ": " << at;
          }
        }
}

class NarrowProducts : public testing::Test {
 protected:
  Vmem vmem_{1 << 20};
};

// Rows of every type and distance; the last rows end where the result does.
TEST_F(NarrowProducts, AddFusedProductsInOrder) {
  if (!multiplies_places()) GTEST_SKIP() << "this CPU has no AVX2";
  for (const ElementType type : {ElementType::f32, ElementType::bf16})
    for (const std::int64_t m : {1, 3, 255, 256, 263, 517})
      for (const std::int64_t n : {1, 2, 3, 4, 7, 8, 9, 15, 16})
        for (const std::int64_t k : {1, 3, 4, 8, 16})
          for (const std::int64_t gap : {0, 2})
            for (const bool is_turned : {false, true}) {
              const auto a = normal_numbers((m - 1) * (k + gap) + k, 6),
                         b = normal_numbers(k * n, 7);
              const auto x = halves_of(a), y = halves_of(b);
              const bool is_f32 = type == ElementType::f32;
              Product p;
              p.m = m, p.n = n, p.k = k;
              p.lhs = {type, k + gap, 1};
              p.rhs = is_turned ? MatrixView{type, 1, k} : MatrixView{type, n, 1};
              std::vector<float> c(size_of(m * n) + 1, 77);
              const auto bytes = [&](const auto& wide_ones, const auto& narrow_ones) {
                return is_f32 ? reinterpret_cast<const std::byte*>(wide_ones.data())
                              : reinterpret_cast<const std::byte*>(narrow_ones.data());
              };
              ASSERT_TRUE(multiply_narrow(p, bytes(a, x), bytes(b, y),
                                          reinterpret_cast<std::byte*>(c.data()), vmem_));
              ASSERT_EQ(c.back(), 77);
              for (std::int64_t at = 0; at < m * n; ++at) {
                float sum = 0;
                for (std::int64_t l = 0; l < k; ++l)
                  sum =
                      std::fma(wide(x[size_of(at / n * (k + gap) + l)]),
                               wide(y[size_of(is_turned ? at % n * k + l : l * n + at % n)]), sum);
                ASSERT_EQ(c[size_of(at)], sum)
                    << m << " x " << n << " x " << k << ", " << gap << is_turned << ": " << at;
              }
            }
  EXPECT_EQ(vmem_.used(), 0U);
}

TEST_F(NarrowProducts, LeaveOthersAlone) {
  const std::vector<float> numbers(1 << 12);
  std::vector<float> out(1 << 12, 77);
  Product p;
  p.m = 64, p.n = 4, p.k = 4;
  p.lhs = {ElementType::f32, 4, 1};
  p.rhs = {ElementType::f32, 4, 1};
  const auto takes = [&](const Product& some) {
    const auto* const at = reinterpret_cast<const std::byte*>(numbers.data());
    return multiply_narrow(some, at, at, reinterpret_cast<std::byte*>(out.data()), vmem_);
  };
  for (const auto change : {+[](Product& x) { x.n = 17; }, +[](Product& x) { x.k = 17; },
                            +[](Product& x) { x.lhs.column_stride = 2; },
                            +[](Product& x) { x.lhs.element = ElementType::f16; },
                            +[](Product& x) { x.rhs.element = ElementType::f8e4m3fn; },
                            +[](Product& x) { x.out = ElementType::bf16; }}) {
    Product other = p;
    change(other);
    EXPECT_FALSE(takes(other));
  }
  EXPECT_EQ(out, std::vector<float>(1 << 12, 77));
}

// int8, either way round, dense along the sums and across them; written and added.
TEST(BytesTimesVectors, AreExact) {
  std::mt19937 random(8);
  for (const std::int64_t count : {1, 15, 16, 17, 33, 1024, 1025, 1050})
    for (const std::int64_t k : {1, 2, 3, 7, 8, 9, 11, 31, 32, 33, 70})
      for (const bool is_left : {false, true})
        for (const bool is_along : {false, true})
          for (const bool adds : {false, true}) {
            std::vector<std::int8_t> matrix(size_of(count * k)), vector(size_of(k));
            for (auto& x : matrix) x = static_cast<std::int8_t>(random() % 3 == 0 ? 128 : random());
            for (auto& x : vector) x = static_cast<std::int8_t>(random() % 3 == 0 ? 128 : random());
            const std::int64_t step = is_along ? 1 : count, line = is_along ? k : 1;
            std::vector<std::int32_t> c(size_of(count + 1), 5);
            MxuTile t;
            t.element = ElementType::i8;
            t.m = is_left ? count : 1, t.n = is_left ? 1 : count, t.k = k;
            t.a = is_left ? matrix.data() : vector.data();
            t.b = is_left ? vector.data() : matrix.data();
            t.a_row = is_left ? line : k, t.a_column = is_left ? step : 1;
            t.b_row = is_left ? 1 : step, t.b_column = is_left ? 1 : line;
            t.c = c.data(), t.c_row = is_left ? 1 : count, t.add = adds;
            if (!multiply_int8_vector(t)) {
              ASSERT_TRUE(!multiplies_places() || count < 16) << count << " of " << k;
              continue;
            }
            for (std::int64_t i = 0; i < count; ++i) {
              std::int32_t sum = adds ? 5 : 0;
              for (std::int64_t l = 0; l < k; ++l)
                sum += matrix[size_of(i * line + l * step)] * vector[size_of(l)];
              ASSERT_EQ(c[size_of(i)], sum) << count << " of " << k << ": " << i;
            }
            ASSERT_EQ(c.back(), 5);
          }
}

}  // namespace
}  // namespace understudy::worker
