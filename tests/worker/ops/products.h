// SPDX-License-Identifier: Apache-2.0
// Products of bf16 on the matrix unit: operands of any layout whose elements are small integers
// over 8, so that every sum is exact in f32 in any order, and a result has only one right value.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"

#include "program/ir/element_type.h"
#include "worker/chip/mxu/mxu.h"

namespace understudy::worker {

constexpr std::byte kUnwritten{0xA5};

struct Sizes {
  std::int64_t m, n, k;
};

// A matrix as it lies in memory: along its rows or along its columns, with `gap` elements between
// two lines.
struct Matrix {
  std::int64_t rows, columns;
  program::ElementType element;
  bool along_rows;
  std::int64_t gap;
  std::vector<float> values;  // row by row, as they are after rounding to bf16
  std::vector<std::byte> bytes;

  MatrixView view() const {
    return along_rows ? MatrixView{element, columns + gap, 1} : MatrixView{element, 1, rows + gap};
  }
};

inline void store(std::byte* to, program::ElementType element, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto half = static_cast<std::uint16_t>(bits >> 16);
  if (element == program::ElementType::f32)
    std::memcpy(to, &bits, 4);
  else
    std::memcpy(to, &half, 2);
}

// The gaps hold NaN: they must not be read as elements.
inline Matrix matrix(std::int64_t rows, std::int64_t columns, program::ElementType element,
                     bool along_rows, std::int64_t gap, std::mt19937& random) {
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
    const float stored = element == program::ElementType::f32 ? value * (1 + 0x1p-10F) : value;
    const std::int64_t at = i / columns * view.row_stride + i % columns * view.column_stride;
    store(made.bytes.data() + at * bytes, element, stored);
  }
  return made;
}

inline std::vector<float> sums_of(const Matrix& a, const Matrix& b) {
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
inline std::uint16_t bf16_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

// `run`: the function under test, false for products that it does not take.
class ProductTest : public testing::Test {
 protected:
  virtual bool run(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                   Vmem& vmem) = 0;

  static Product product(const Matrix& a, const Matrix& b, program::ElementType out) {
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
  std::vector<std::byte> multiply(const Matrix& a, const Matrix& b, program::ElementType out,
                                  std::size_t shift = 0) {
    const Product p = product(a, b, out);
    const auto bytes =
        static_cast<std::size_t>(p.m * p.n) * static_cast<std::size_t>(program::byte_size(out));
    constexpr std::size_t kAround = 256;
    std::vector<std::byte> room(bytes + 2 * kAround + 64 + shift, kUnwritten);
    const auto start = reinterpret_cast<std::uintptr_t>(room.data()) + kAround;
    std::byte* const to = room.data() + kAround + (64 - start % 64) % 64 + shift;
    EXPECT_TRUE(run(p, a.bytes.data(), b.bytes.data(), to, vmem_));
    EXPECT_EQ(vmem_.used(), 0U);
    for (std::size_t i = 1; i <= 64; ++i) {
      EXPECT_EQ(*(to - i), kUnwritten) << i << " before";
      EXPECT_EQ(to[bytes + i - 1], kUnwritten) << i << " behind";
    }
    return {to, to + bytes};
  }

  void expect_exact(const Sizes& s, program::ElementType lhs, bool lhs_rows,
                    program::ElementType rhs, bool rhs_rows, std::int64_t gap) {
    SCOPED_TRACE(fmt::format("{} x {} x {}, left {} along {}, right {} along {}, gap {}", s.m, s.n,
                             s.k, program::mlir_name(lhs), lhs_rows ? "rows" : "columns",
                             program::mlir_name(rhs), rhs_rows ? "rows" : "columns", gap));
    std::mt19937 random(static_cast<unsigned>(s.m * 31 + s.n * 7 + s.k));
    const Matrix a = matrix(s.m, s.k, lhs, lhs_rows, gap, random),
                 b = matrix(s.k, s.n, rhs, rhs_rows, gap, random);
    const std::vector<float> want = sums_of(a, b);
    std::vector<float> wide(want.size());
    std::vector<std::uint16_t> narrow(want.size()), want_narrow(want.size());
    const auto wide_bytes = multiply(a, b, program::ElementType::f32),
               narrow_bytes = multiply(a, b, program::ElementType::bf16);
    std::memcpy(wide.data(), wide_bytes.data(), wide_bytes.size());
    std::memcpy(narrow.data(), narrow_bytes.data(), narrow_bytes.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(wide[i], want[i]) << "element " << i;
      ASSERT_EQ(narrow[i], bf16_of(want[i])) << "element " << i;
    }
  }

  Vmem vmem_{32 << 20};
};

}  // namespace understudy::worker
