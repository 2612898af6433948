// SPDX-License-Identifier: Apache-2.0
// Products of bf16 as multiply-adds of packed f32.
#include <cmath>
#include <limits>
#include <string_view>

#include "program/kernels/kernels.h"
#include "tests/worker/ops/products.h"
#include "worker/chip/mxu/mxu_packed.h"

namespace understudy::worker {
namespace {

using program::ElementType;

// With the loops of each instruction set that the CPU has.
class PackedProducts : public ProductTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    loops_ = std::string_view(GetParam()) == "avx512" ? packed_loops_avx512() : packed_loops_avx2();
    if (loops_ == nullptr) GTEST_SKIP() << "this CPU has no " << GetParam();
    ASSERT_EQ(loops_->name, GetParam());
  }
  bool run(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
           Vmem& vmem) override {
    return multiply_packed(*loops_, p, program::kernels::select(""), lhs, rhs, out, vmem);
  }

 private:
  const PackedLoops* loops_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(, PackedProducts, ::testing::Values("avx2", "avx512"));

// Whole and partial panels, tiles and squares of a transposition.
TEST_P(PackedProducts, MultiplyEveryLayoutAndType) {
  for (const Sizes& s : {Sizes{64, 96, 64}, Sizes{65, 95, 100}, Sizes{9, 700, 129},
                         Sizes{700, 17, 129}, Sizes{97, 66, 97}, Sizes{512, 513, 1}})
    for (const ElementType lhs : {ElementType::bf16, ElementType::f32})
      for (const ElementType rhs : {ElementType::bf16, ElementType::f32})
        for (const bool lhs_rows : {true, false})
          for (const bool rhs_rows : {true, false})
            expect_exact(s, lhs, lhs_rows, rhs, rhs_rows, s.m % 2 == 0 ? 0 : 5);
}

// Several blocks of rows, of columns and of the depth, whole and not.
TEST_P(PackedProducts, DivideLargeProducts) {
  for (const Sizes& s :
       {Sizes{200, 1000, 800}, Sizes{96, 480, 384}, Sizes{97, 481, 385}, Sizes{8, 970, 1200},
        Sizes{300, 49, 2000}, Sizes{104, 241, 257}, Sizes{100, 240, 512}})
    for (const bool rows : {true, false})
      expect_exact(s, ElementType::bf16, rows, ElementType::f32, !rows, 0);
}

// Each step is a fused multiply-add, in the order of the depth, whatever the blocks are: with the
// right operand packed, and of few rows read in place.
TEST_P(PackedProducts, AddInOrder) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  constexpr std::int64_t kN = 90, kK = 900;
  const auto widened = [](const Matrix& x, std::int64_t at) {
    std::uint16_t half = 0;
    std::memcpy(&half, x.bytes.data() + at * 2, 2);
    return std::bit_cast<float>(std::uint32_t{half} << 16);
  };
  for (const std::int64_t m : {8, 20, 32, 33})
    for (const bool rows : {true, false}) {
      Matrix a = matrix(m, kK, ElementType::bf16, true, 0, random),
             b = matrix(kK, kN, ElementType::bf16, rows, 0, random);
      for (Matrix* x : {&a, &b})
        for (std::int64_t i = 0; i < x->rows * x->columns; ++i)
          store(x->bytes.data() + i * 2, ElementType::bf16, normal(random));
      const auto bytes = multiply(a, b, ElementType::f32);
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < kN; ++j) {
          float sum = 0, got = 0;
          for (std::int64_t k = 0; k < kK; ++k)
            sum = std::fma(widened(a, i * kK + k), widened(b, rows ? k * kN + j : j * kK + k), sum);
          std::memcpy(&got, bytes.data() + (i * kN + j) * 4, 4);
          ASSERT_EQ(got, sum) << m << ", " << rows << ": " << i << ", " << j;
        }
    }
}

// Few rows times rows of bf16 of every width, a part of wider ones too.
TEST_P(PackedProducts, FewRowsTimesRowsInPlace) {
  for (const std::int64_t n : {16, 31, 32, 33, 47, 60, 64, 500, 513})
    for (const std::int64_t m : {8, 13, 32})
      for (const std::int64_t gap : {0, 3})
        expect_exact({m, n, 32768 / n + 400}, ElementType::f32, n % 2 == 0, ElementType::bf16, true,
                     gap);
}

// Panels are filled with zeros, and NaN of f32 stays one when it is rounded.
TEST_P(PackedProducts, KeepInfinitiesAndNanInTheirRows) {
  std::mt19937 random(3);
  Matrix a = matrix(70, 90, ElementType::f32, true, 0, random),
         b = matrix(90, 77, ElementType::f32, true, 0, random);
  const std::uint32_t low_nan = 0x7f800001;
  std::memcpy(a.bytes.data() + (69 * 90 + 89) * 4, &low_nan, 4);
  store(b.bytes.data() + (40 * 77 + 76) * 4, ElementType::f32,
        std::numeric_limits<float>::infinity());
  const std::vector<float> want = sums_of(a, b);
  const auto bytes = multiply(a, b, ElementType::f32);
  for (std::int64_t i = 0; i < 70 * 77; ++i) {
    float got = 0;
    std::memcpy(&got, bytes.data() + i * 4, 4);
    if (i / 77 == 69)
      ASSERT_TRUE(std::isnan(got)) << i;
    else if (i % 77 == 76)
      ASSERT_FALSE(std::isfinite(got)) << i;
    else
      ASSERT_EQ(got, want[static_cast<std::size_t>(i)]) << i;
  }
}

TEST_P(PackedProducts, LeaveOtherProductsAlone) {
  std::mt19937 random(3);
  const Matrix a = matrix(128, 128, ElementType::bf16, true, 0, random);
  std::vector<std::byte> out(128 * 128 * 8, kUnwritten);
  const auto takes = [&](const Product& p, Vmem& vmem) {
    return run(p, a.bytes.data(), a.bytes.data(), out.data(), vmem);
  };
  const Product whole = product(a, a, ElementType::f32);
  Vmem small(64 << 10);
  EXPECT_FALSE(takes(whole, small));
  Product p = whole;
  p.out = ElementType::f16;
  EXPECT_FALSE(takes(p, vmem_));
  p = whole;
  p.lhs.element = ElementType::f8e4m3fn;
  EXPECT_FALSE(takes(p, vmem_));
  p = whole;
  p.rhs.column_stride = 2;
  EXPECT_FALSE(takes(p, vmem_));
  p = whole;
  p.m = 7;
  EXPECT_FALSE(takes(p, vmem_));
  p = whole;
  p.n = 15;
  EXPECT_FALSE(takes(p, vmem_));
  EXPECT_EQ(out, std::vector<std::byte>(out.size(), kUnwritten));
  EXPECT_EQ(vmem_.used(), 0U);
}

// What the unit chooses: the bits are those of fused multiply-adds in order, alone and in a batch.
TEST(UnitProducts, LargeOnesArePacked) {
  Mxu mxu(program::kernels::select(""));
  if (!mxu.name().starts_with("avx")) GTEST_SKIP() << "the unit is " << mxu.name();
  constexpr std::int64_t kM = 64, kN = 64, kK = 128, kCount = 3;
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<std::uint16_t> a(kCount * kM * kK), b(kCount * kK * kN);
  for (std::uint16_t& x : a) x = bf16_of(normal(random));
  for (std::uint16_t& x : b) x = bf16_of(normal(random));
  Product p;
  p.m = kM, p.n = kN, p.k = kK;
  p.lhs = {ElementType::bf16, kK, 1};
  p.rhs = {ElementType::bf16, kN, 1};
  std::vector<float> out(kCount * kM * kN);
  Vmem vmem(32 << 20);
  const auto wide = [](std::uint16_t half) {
    return std::bit_cast<float>(std::uint32_t{half} << 16);
  };
  for (const std::int64_t count : {std::int64_t{1}, kCount}) {
    mxu.multiply(p, Batches{count, kM * kK, kK * kN}, reinterpret_cast<const std::byte*>(a.data()),
                 reinterpret_cast<const std::byte*>(b.data()),
                 reinterpret_cast<std::byte*>(out.data()), vmem);
    for (std::int64_t i = 0; i < count * kM * kN; ++i) {
      const std::int64_t batch = i / (kM * kN), row = i / kN % kM, column = i % kN;
      float sum = 0;
      for (std::int64_t k = 0; k < kK; ++k)
        sum = std::fma(wide(a[static_cast<std::size_t>((batch * kM + row) * kK + k)]),
                       wide(b[static_cast<std::size_t>((batch * kK + k) * kN + column)]), sum);
      ASSERT_EQ(out[static_cast<std::size_t>(i)], sum) << count << " at " << i;
    }
  }
}

// Short sums of f32 at full precision keep their order, each product rounded; a and its transpose.
TEST(UnitProducts, FewColumnsAreSummedInOrder) {
  Mxu mxu(program::kernels::select(""));
  Vmem vmem(32 << 20);
  std::mt19937 random(8);
  std::normal_distribution<float> normal;
  for (const std::int64_t n : {1, 3, 7})
    for (const std::int64_t m : {8, 75, 3000})
      for (const bool rows : {true, false}) {
        const std::int64_t k = 250 / n;
        std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)),
            out(static_cast<std::size_t>(m * n));
        for (float& x : a) x = normal(random);
        for (float& x : b) x = normal(random);
        Product p;
        p.m = m, p.n = n, p.k = k;
        p.passes = Passes::full;
        p.lhs = rows ? MatrixView{ElementType::f32, k, 1} : MatrixView{ElementType::f32, 1, m};
        p.rhs = {ElementType::f32, n, 1};
        mxu.multiply(p, reinterpret_cast<const std::byte*>(a.data()),
                     reinterpret_cast<const std::byte*>(b.data()),
                     reinterpret_cast<std::byte*>(out.data()), vmem);
        for (std::int64_t i = 0; i < m * n; ++i) {
          float sum = 0;
          for (std::int64_t l = 0; l < k; ++l) {
            const std::int64_t at = rows ? i / n * k + l : l * m + i / n;
            sum += a[static_cast<std::size_t>(at)] * b[static_cast<std::size_t>(l * n + i % n)];
          }
          ASSERT_EQ(out[static_cast<std::size_t>(i)], sum) << m << " x " << n << " at " << i;
        }
      }
}

// Of two vectors both are rounded in registers; a NaN that rounding would make an infinity stays.
TEST(UnitProducts, OfTwoVectorsKeepNaN) {
  Mxu mxu(program::kernels::select(""));
  Vmem vmem(32 << 20);
  constexpr std::int64_t kK = 10000;
  for (const int which : {0, 1, 2}) {
    std::vector<float> a(kK, 0.5F), b(kK, 2.0F);
    if (which < 2) (which == 0 ? a : b)[777] = std::bit_cast<float>(0x7f800001U);
    Product p;
    p.m = p.n = 1, p.k = kK;
    p.lhs = {ElementType::f32, kK, 1};
    p.rhs = {ElementType::f32, 1, 1};
    float out = 0;
    mxu.multiply(p, reinterpret_cast<const std::byte*>(a.data()),
                 reinterpret_cast<const std::byte*>(b.data()), reinterpret_cast<std::byte*>(&out),
                 vmem);
    if (which < 2)
      EXPECT_TRUE(std::isnan(out)) << which;
    else
      EXPECT_EQ(out, 10000.0F);
  }
}

}  // namespace
}  // namespace understudy::worker
