// SPDX-License-Identifier: Apache-2.0
// Products by the tiles of AMX. The elements are small integers over 8, so that every sum is exact
// in f32 in any order, and a result has only one right value.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"

#include "program/ir/element_type.h"
#include "worker/chip/mxu/mxu_amx.h"

namespace understudy::worker {
namespace {

using program::ElementType;

constexpr std::byte kUnwritten{0xA5};

struct Sizes {
  std::int64_t m, n, k;
};

// A matrix as it lies in memory: along its rows or along its columns, with `gap` elements between
// two lines.
struct Matrix {
  std::int64_t rows, columns;
  ElementType element;
  bool along_rows;
  std::int64_t gap;
  std::vector<float> values;  // row by row, as they are after rounding to bf16
  std::vector<std::byte> bytes;

  MatrixView view() const {
    return along_rows ? MatrixView{element, columns + gap, 1} : MatrixView{element, 1, rows + gap};
  }
};

void store(std::byte* to, ElementType element, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto half = static_cast<std::uint16_t>(bits >> 16);
  if (element == ElementType::f32)
    std::memcpy(to, &bits, 4);
  else
    std::memcpy(to, &half, 2);
}

// The gaps hold NaN: they must not be read as elements.
Matrix matrix(std::int64_t rows, std::int64_t columns, ElementType element, bool along_rows,
              std::int64_t gap, std::mt19937& random) {
  Matrix made{rows, columns, element, along_rows, gap, {}, {}};
  const MatrixView view = made.view();
  const auto bytes = static_cast<std::int64_t>(program::byte_size(element));
  const std::int64_t lines = along_rows ? rows : columns;
  made.bytes.assign(
      static_cast<std::size_t>(lines * std::max(view.row_stride, view.column_stride) * bytes),
      std::byte{0xFF});
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const float value = static_cast<float>(static_cast<int>(random() % 33) - 16) / 8;
    made.values.push_back(value);
    // Of f32: rounded to `value`.
    const float stored = element == ElementType::f32 ? value * (1 + 0x1p-10F) : value;
    const std::int64_t at = i / columns * view.row_stride + i % columns * view.column_stride;
    store(made.bytes.data() + at * bytes, element, stored);
  }
  return made;
}

std::vector<float> sums_of(const Matrix& a, const Matrix& b) {
  std::vector<float> sums(static_cast<std::size_t>(a.rows * b.columns));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = 0; k < a.columns; ++k)
      for (std::int64_t j = 0; j < b.columns; ++j)
        sums[static_cast<std::size_t>(i * b.columns + j)] +=
            a.values[static_cast<std::size_t>(i * a.columns + k)] *
            b.values[static_cast<std::size_t>(k * b.columns + j)];
  return sums;
}

// Nearest even.
std::uint16_t bf16_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

class Amx : public testing::Test {
 protected:
  void SetUp() override {
    if (!multiplies_amx()) GTEST_SKIP() << "this CPU has no AMX, or the system does not allow it";
  }

  static Product product(const Matrix& a, const Matrix& b, ElementType out) {
    Product p;
    p.m = a.rows;
    p.n = b.columns;
    p.k = a.columns;
    p.lhs = a.view();
    p.rhs = b.view();
    p.out = out;
    return p;
  }

  // The bytes of the result, which is `shift` bytes behind the start of a cache line; fails where
  // one before or behind it was written.
  std::vector<std::byte> multiply(const Matrix& a, const Matrix& b, ElementType out,
                                  std::size_t shift = 0) {
    const Product p = product(a, b, out);
    const auto bytes =
        static_cast<std::size_t>(p.m * p.n) * static_cast<std::size_t>(program::byte_size(out));
    constexpr std::size_t kAround = 256;
    std::vector<std::byte> room(bytes + 2 * kAround + 64 + shift, kUnwritten);
    const auto start = reinterpret_cast<std::uintptr_t>(room.data()) + kAround;
    std::byte* const to = room.data() + kAround + (64 - start % 64) % 64 + shift;
    EXPECT_TRUE(multiply_amx(p, a.bytes.data(), b.bytes.data(), to, vmem_));
    EXPECT_EQ(vmem_.used(), 0U);
    for (std::size_t i = 1; i <= 64; ++i) {
      EXPECT_EQ(*(to - i), kUnwritten) << i << " before";
      EXPECT_EQ(to[bytes + i - 1], kUnwritten) << i << " behind";
    }
    return {to, to + bytes};
  }

  void expect_exact(const Sizes& s, ElementType lhs, bool lhs_rows, ElementType rhs, bool rhs_rows,
                    std::int64_t gap) {
    SCOPED_TRACE(fmt::format("{} x {} x {}, left {} along {}, right {} along {}, gap {}", s.m, s.n,
                             s.k, program::mlir_name(lhs), lhs_rows ? "rows" : "columns",
                             program::mlir_name(rhs), rhs_rows ? "rows" : "columns", gap));
    std::mt19937 random(static_cast<unsigned>(s.m * 31 + s.n * 7 + s.k));
    const Matrix a = matrix(s.m, s.k, lhs, lhs_rows, gap, random),
                 b = matrix(s.k, s.n, rhs, rhs_rows, gap, random);
    const std::vector<float> want = sums_of(a, b);
    std::vector<float> wide(want.size());
    std::vector<std::uint16_t> narrow(want.size()), want_narrow(want.size());
    const auto wide_bytes = multiply(a, b, ElementType::f32),
               narrow_bytes = multiply(a, b, ElementType::bf16);
    std::memcpy(wide.data(), wide_bytes.data(), wide_bytes.size());
    std::memcpy(narrow.data(), narrow_bytes.data(), narrow_bytes.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(wide[i], want[i]) << "element " << i;
      ASSERT_EQ(narrow[i], bf16_of(want[i])) << "element " << i;
    }
  }

  Vmem vmem_{32 << 20};
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
