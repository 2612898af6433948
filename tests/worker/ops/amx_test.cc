// SPDX-License-Identifier: Apache-2.0
// Products by the tiles of AMX.
#include <cmath>
#include <limits>

#include "tests/worker/ops/products.h"
#include "worker/chip/mxu/mxu_amx.h"

namespace understudy::worker {
namespace {

using program::ElementType;

class Amx : public ProductTest {
 protected:
  void SetUp() override {
    if (!multiplies_amx()) GTEST_SKIP() << "this CPU has no AMX, or the system does not allow it";
  }
  bool run(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
           Vmem& vmem) override {
    return multiply_amx(p, lhs, rhs, out, vmem);
  }
};

// Whole and partial squares in each direction.
TEST_F(Amx, MultipliesEveryLayoutAndType) {
  for (const Sizes& s : {Sizes{64, 96, 64}, Sizes{65, 95, 100}, Sizes{3, 700, 129},
                         Sizes{700, 70, 129}, Sizes{97, 66, 97}, Sizes{512, 513, 1}})
    for (const ElementType lhs : {ElementType::bf16, ElementType::f32})
      for (const ElementType rhs : {ElementType::bf16, ElementType::f32})
        for (const bool lhs_rows : {true, false})
          for (const bool rhs_rows : {true, false})
            expect_exact(s, lhs, lhs_rows, rhs, rhs_rows, s.m % 2 == 0 ? 0 : 5);
}

// Several groups of rows, of columns and of the depth, whole and not, in either direction of the
// right operand; results of more than 2 MiB, which are written past the cache where their rows
// begin with a line.
TEST_F(Amx, DividesLargeProducts) {
  struct Case {
    Sizes sizes;
    bool lhs_rows, rhs_rows;
  };
  for (const Case& c : {Case{{130, 200, 1600}, true, true}, Case{{400, 900, 800}, false, true},
                        Case{{1100, 1000, 40}, true, false}, Case{{1056, 1088, 300}, false, true},
                        Case{{2100, 130, 520}, true, false}, Case{{720, 1088, 1600}, true, true},
                        Case{{720, 1088, 900}, false, false}, Case{{32, 32, 4000}, true, true}})
    expect_exact(c.sizes, ElementType::bf16, c.lhs_rows, ElementType::bf16, c.rhs_rows, 0);
}

// Stores past the cache need whole lines.
TEST_F(Amx, StoresLargeResultsAnywhere) {
  std::mt19937 random(3);
  const Matrix a = matrix(1056, 40, ElementType::bf16, true, 0, random),
               b = matrix(40, 1088, ElementType::bf16, true, 0, random);
  for (const ElementType out : {ElementType::f32, ElementType::bf16})
    EXPECT_TRUE(multiply(a, b, out) == multiply(a, b, out, 4));
}

// The rest of a square is filled with zeros: what is not finite stays in its row and its column.
TEST_F(Amx, KeepsInfinitiesAndNanInTheirRows) {
  std::mt19937 random(3);
  Matrix a = matrix(70, 90, ElementType::bf16, true, 0, random),
         b = matrix(90, 77, ElementType::bf16, true, 0, random);
  store(a.bytes.data() + (69 * 90 + 89) * 2, ElementType::bf16,
        std::numeric_limits<float>::infinity());
  store(b.bytes.data() + (40 * 77 + 76) * 2, ElementType::bf16,
        std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> want = sums_of(a, b);
  for (const ElementType out : {ElementType::f32, ElementType::bf16}) {
    const auto bytes = multiply(a, b, out);
    for (std::int64_t i = 0; i < 70 * 77; ++i) {
      float got = 0;
      if (out == ElementType::f32) {
        std::memcpy(&got, bytes.data() + i * 4, 4);
      } else {
        std::uint16_t half = 0;
        std::memcpy(&half, bytes.data() + i * 2, 2);
        got = std::bit_cast<float>(std::uint32_t{half} << 16);
      }
      if (i % 77 == 76)
        ASSERT_TRUE(std::isnan(got)) << i;
      else if (i / 77 == 69)
        ASSERT_FALSE(std::isfinite(got)) << i;
      else
        ASSERT_NEAR(got, want[static_cast<std::size_t>(i)],
                    out == ElementType::f32 ? 0 : std::abs(got) / 256)
            << i;
    }
  }
}

TEST_F(Amx, LeavesOtherProductsAlone) {
  std::mt19937 random(3);
  const Matrix a = matrix(128, 128, ElementType::bf16, true, 0, random);
  std::vector<std::byte> out(128 * 128 * 8, kUnwritten);
  const auto takes = [&](const Product& p, Vmem& vmem) {
    return multiply_amx(p, a.bytes.data(), a.bytes.data(), out.data(), vmem);
  };
  Product p = product(a, a, ElementType::f32);
  Vmem small(64 << 10);
  EXPECT_FALSE(takes(p, small));
  p.out = ElementType::f16;
  EXPECT_FALSE(takes(p, vmem_));
  p = product(a, a, ElementType::f32);
  p.lhs.element = ElementType::f8e4m3fn;
  EXPECT_FALSE(takes(p, vmem_));
  p = product(a, a, ElementType::f32);
  p.rhs.column_stride = 2;
  EXPECT_FALSE(takes(p, vmem_));
  p = product(a, a, ElementType::f32);
  p.m = 2;
  EXPECT_FALSE(takes(p, vmem_));
  p = product(a, a, ElementType::f32);
  p.n = 60;
  EXPECT_FALSE(takes(p, vmem_));
  EXPECT_EQ(out, std::vector<std::byte>(out.size(), kUnwritten));
  EXPECT_EQ(vmem_.used(), 0U);
}

}  // namespace
}  // namespace understudy::worker
