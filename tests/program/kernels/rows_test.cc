// SPDX-License-Identifier: Apache-2.0
// Reductions of many rows at once, for every table.
#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "tests/program/kernels/samples.h"

namespace understudy::program::kernels {
namespace {

class Rows : public testing::TestWithParam<const KernelTable*> {
 protected:
  static const KernelTable& portable() { return *available().front(); }
};

// Rows, elements of a row.
constexpr std::pair<std::size_t, std::size_t> kRowSizes[] = {
    {0, 3},   {1, 0},    {5, 1},    {16, 1},   {33, 3},   {19, 8},  {35, 15}, {16, 16}, {9, 17},
    {3, 64},  {7, 100},  {6, 255},  {70, 5},   {2, 1000}, {37, 2},  {37, 4},  {37, 8},  {37, 16},
    {21, 32}, {19, 48},  {17, 320}, {18, 270}, {17, 288}, {70, 10}, {1, 31},  {33, 33}, {14, 127},
    {24, 99}, {31, 250}, {1, 333},  {29, 333}, {13, 309}, {3, 303}, {50, 7},  {40, 13}, {60, 3},
    {43, 4},  {43, 6},   {81, 11},  {70, 12},  {150, 8},  {99, 2},  {98, 3},  {97, 5},  {131, 9},
    {65, 16}, {64, 7},   {2, 14},   {66, 9},   {45, 14},  {90, 16}};

// Rows together are the same steps as one row after the other, on any instruction set.
TEST_P(Rows, ReduceAsOneAfterTheOther) {
  for (const ElementType type : all_types()) {
    const ElementType wide = accumulator_type(type);
    for (int r = 1; r <= static_cast<int>(last_of(Reduction{})); ++r) {
      const auto reduction = static_cast<Reduction>(r);
      const auto fold_rows = GetParam()->fold_rows(reduction, type);
      const auto add_rows = GetParam()->accumulate_rows(reduction, type);
      ASSERT_EQ(fold_rows == nullptr, add_rows == nullptr);
      if (fold_rows == nullptr) continue;
      const auto fold = portable().fold(reduction, type);
      const auto step = portable().accumulate(reduction, type);
      const bool has_finite = is_float(type) || is_complex(type);
      for (std::size_t c = 0; c < 4 * std::size(kRowSizes); ++c) {
        const auto& [rows, n] = kRowSizes[c / 4];
        const std::size_t stride = n + c % 2 * 2;  // rows one after the other, or apart
        if (c % 4 >= 2 && !has_finite) continue;
        // Any values, whose long sums are NaN, or such that last bits count.
        const auto in = c % 4 < 2 ? sample(type, rows * stride + 1, 40)
                                  : finite_sample(type, rows * stride + 1, 40, reduction);
        const auto row = [&](std::size_t i) { return in.data() + i * stride * byte_size(type); };
        const std::string what = "reduction " + std::to_string(r) + " of " +
                                 std::string(mlir_name(type)) + ", " + std::to_string(rows) +
                                 " x " + std::to_string(n);
        auto together = sample(wide, rows, 41), each = together;
        fold_rows(in.data(), rows, stride, n, together.data());
        for (std::size_t i = 0; i < rows; ++i) fold(row(i), n, each.data() + i * byte_size(wide));
        ASSERT_EQ(together, each) << what;
        auto sums = sample(wide, n, 42), chain = sums;
        add_rows(in.data(), {1, 0, rows, stride, n}, sums.data());
        for (std::size_t i = 0; i < rows; ++i) step(chain.data(), row(i), chain.data(), n);
        ASSERT_EQ(sums, chain) << what;
      }
    }
  }
}

// Nothing is added behind the end of a row: a sum of negative zeros has their sign.
TEST_P(Rows, OfNegativeZerosKeepTheirSign) {
  for (const ElementType type : {ElementType::f32, ElementType::f64})
    for (const std::size_t n : {1, 3, 16, 17, 31, 100, 255, 256, 257, 333})
      for (const std::size_t rows : {1, 2, 7, 17}) {
        const auto zeros = [&](std::size_t count) {
          return type == ElementType::f32 ? bytes_of(std::vector<float>(count, -0.0F))
                                          : bytes_of(std::vector<double>(count, -0.0));
        };
        auto sums = zeros(rows);
        GetParam()->fold_rows(Reduction::sum, type)(zeros(rows * n).data(), rows, n, n,
                                                    sums.data());
        EXPECT_EQ(sums, zeros(rows)) << mlir_name(type) << " " << rows << " x " << n;
      }
}

// Nothing is read behind the last row, whatever its length: the pages there are not to be read.
TEST_P(Rows, AreReadUpToTheirEnd) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  constexpr std::size_t kPages = 16;
  void* const pages = mmap(nullptr, (kPages + 1) * page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  std::byte* const end = static_cast<std::byte*>(pages) + kPages * page;
  ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
  for (const ElementType type :
       {ElementType::f32, ElementType::bf16, ElementType::f16, ElementType::f64, ElementType::i32,
        ElementType::ui32, ElementType::i8, ElementType::ui16, ElementType::pred})
    for (const Reduction reduction : {Reduction::sum, Reduction::product, Reduction::maximum})
      for (std::size_t n = 1; n < 350; n += n < 40 ? 1 : 13)
        for (const std::size_t rows : {1, 2, 7, 17}) {
          const ElementType wide = accumulator_type(type);
          const auto numbers = [&](ElementType of, std::size_t count) {
            return is_float(of) ? finite_sample(of, count, 45, reduction) : sample(of, count, 45);
          };
          const auto in = numbers(type, rows * n);
          std::byte* const at = end - in.size();
          std::copy(in.begin(), in.end(), at);
          auto together = numbers(wide, rows), each = together;
          GetParam()->fold_rows(reduction, type)(at, rows, n, n, together.data());
          for (std::size_t r = 0; r < rows; ++r)
            portable().fold(reduction, type)(in.data() + r * n * byte_size(type), n,
                                             each.data() + r * byte_size(wide));
          ASSERT_EQ(together, each) << mlir_name(type) << " " << rows << " x " << n;
        }
  munmap(pages, (kPages + 1) * page);
}

// Blocks of rows, of which each has its accumulators behind those of the one before.
TEST_P(Rows, AreAddedUpBlockByBlock) {
  constexpr std::size_t kBlocks = 5;
  for (const ElementType type :
       {ElementType::f32, ElementType::bf16, ElementType::f64, ElementType::i8, ElementType::c64})
    for (const Reduction reduction : {Reduction::sum, Reduction::maximum}) {
      const ElementType wide = accumulator_type(type);
      const auto add_blocks = GetParam()->accumulate_rows(reduction, type);
      if (add_blocks == nullptr) continue;
      const auto step = portable().accumulate(reduction, type);
      for (const auto& [rows, n] : kRowSizes) {
        const std::size_t stride = n + 1, apart = rows * stride + 3;
        const auto in = is_float(type) || is_complex(type)
                            ? finite_sample(type, kBlocks * apart + 1, 43, reduction)
                            : sample(type, kBlocks * apart + 1, 43);
        auto together = sample(wide, kBlocks * n, 44), chain = together;
        add_blocks(in.data(), {kBlocks, apart, rows, stride, n}, together.data());
        for (std::size_t b = 0; b < kBlocks; ++b) {
          auto* const to = chain.data() + b * n * byte_size(wide);
          for (std::size_t r = 0; r < rows; ++r)
            step(to, in.data() + (b * apart + r * stride) * byte_size(type), to, n);
        }
        ASSERT_EQ(together, chain) << mlir_name(type) << " " << rows << " x " << n;
      }
    }
}

// The lanes and their tree, as docs/numerics.md has them.
TEST_P(Rows, FoldLanesByTheirTree) {
  for (const Reduction reduction : {Reduction::sum, Reduction::product})
    for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::bf16,
                                   ElementType::f16, ElementType::c64, ElementType::c128}) {
      const ElementType wide = accumulator_type(type);
      const std::size_t bytes = byte_size(wide);
      const auto step = portable().accumulate(reduction, type);
      const auto join = portable().accumulate(reduction, wide);
      for (const std::size_t n :
           {0, 1, 7, 16, 100, 255, 256, 257, 270, 288, 319, 320, 1024, 4099}) {
        const std::size_t long_lanes = wide == ElementType::f32    ? 64
                                       : wide == ElementType::c128 ? 16
                                                                   : 32;
        const std::size_t lanes = n < 256 ? 16 : long_lanes;
        const auto in = finite_sample(type, n, 60, reduction);
        std::vector<std::byte> sums(lanes * bytes);
        for (std::size_t l = 0; l < lanes; ++l)
          write_identity(reduction, wide, sums.data() + l * bytes);
        for (std::size_t i = 0; i < n; i += lanes)
          step(sums.data(), in.data() + i * byte_size(type), sums.data(), std::min(lanes, n - i));
        for (std::size_t half = lanes / 2; half > 0; half /= 2)
          join(sums.data(), sums.data() + half * bytes, sums.data(), half);
        auto expected = finite_sample(wide, 1, 61, reduction), fold = expected;
        join(expected.data(), sums.data(), expected.data(), 1);
        GetParam()->fold(reduction, type)(in.data(), n, fold.data());
        ASSERT_EQ(fold, expected) << mlir_name(type) << " " << n;
      }
    }
}

// The order of a minimum or maximum cannot be seen, whatever the lanes of a fold do.
TEST_P(Rows, HaveExtremesOfAnyOrder) {
  for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::bf16,
                                 ElementType::f16, ElementType::i8, ElementType::ui32}) {
    const ElementType wide = accumulator_type(type);
    for (const Reduction reduction : {Reduction::minimum, Reduction::maximum}) {
      const auto step = portable().accumulate(reduction, type);
      for (unsigned seed = 50; seed < 250; ++seed) {
        const std::size_t n = seed * 7 % 700;
        const auto in = sample(type, n, seed);
        auto fold = sample(wide, 1, seed + 1), chain = fold;
        GetParam()->fold(reduction, type)(in.data(), n, fold.data());
        for (std::size_t i = 0; i < n; ++i)
          step(chain.data(), in.data() + i * byte_size(type), chain.data(), 1);
        if (n == 0) continue;  // a fold settles the accumulator's NaN, no step does not
        ASSERT_EQ(fold, chain) << mlir_name(type) << " seed " << seed;
      }
    }
  }
}

using Bytes = std::vector<std::byte>;

// What rows of floats have in common: signs, and a special element in one place.
struct Pattern {
  bool negative;
  enum Special { none, other_sign, zero, infinity, nan } special;
  bool special_negative;
};

class Floats {
 public:
  Floats(ElementType type, unsigned seed) : type_(type), bytes_(byte_size(type)), random_(seed) {}

  // Finite numbers of one sign, with the special element at `place`.
  Bytes row(std::size_t n, const Pattern& pattern, std::size_t place) {
    Bytes all(n * bytes_);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t b = 0; b < bytes_; ++b)
        all[i * bytes_ + b] = static_cast<std::byte>(random_() & 0xffU);
      set_top(all, i, top_of(all, i) & 0x3fU, pattern.negative);
    }
    if (n == 0) return all;
    switch (pattern.special) {
      case Pattern::none:
        break;
      case Pattern::other_sign:
        set_top(all, place, top_of(all, place), !pattern.negative);
        break;
      case Pattern::zero:
        fill(all, place, 0, 0, pattern.special_negative);
        break;
      case Pattern::infinity:
        fill_infinity(all, place, pattern.special_negative);
        break;
      case Pattern::nan:
        fill(all, place, 0x7f, 0xff, pattern.special_negative);
        break;
    }
    return all;
  }
  static Bytes infinity(ElementType type, bool negative) {
    Bytes one(byte_size(type));
    Floats(type, 0).fill_infinity(one, 0, negative);
    return one;
  }

 private:
  unsigned top_of(const Bytes& all, std::size_t i) const {
    return static_cast<unsigned>(all[(i + 1) * bytes_ - 1]) & 0x7fU;
  }
  void set_top(Bytes& all, std::size_t i, unsigned bits, bool negative) const {
    all[(i + 1) * bytes_ - 1] = static_cast<std::byte>(bits | (negative ? 0x80U : 0U));
  }
  void fill(Bytes& all, std::size_t i, unsigned top, unsigned rest, bool negative) const {
    for (std::size_t b = 0; b < bytes_; ++b) all[i * bytes_ + b] = static_cast<std::byte>(rest);
    set_top(all, i, top, negative);
  }
  void fill_infinity(Bytes& all, std::size_t i, bool negative) const {
    fill(all, i, type_ == ElementType::f16 ? 0x7c : 0x7f, 0, negative);
    const unsigned next = type_ == ElementType::f16 ? 0 : type_ == ElementType::f64 ? 0xf0 : 0x80;
    all[(i + 1) * bytes_ - 2] = static_cast<std::byte>(next);
  }

  ElementType type_;
  std::size_t bytes_;
  std::mt19937 random_;
};

std::vector<Pattern> patterns() {
  std::vector<Pattern> all;
  for (const bool negative : {false, true}) {
    all.push_back({negative, Pattern::none, false});
    all.push_back({negative, Pattern::other_sign, false});
    for (const auto special : {Pattern::zero, Pattern::infinity, Pattern::nan})
      for (const bool sign : {false, true}) all.push_back({negative, special, sign});
  }
  return all;
}
constexpr ElementType kFloats[] = {ElementType::f32, ElementType::f64, ElementType::bf16,
                                   ElementType::f16};

// Numbers of one sign, where lanes are decided in other ways; several blocks, and ends that do not
// fill a vector.
TEST_P(Rows, HaveExtremesOfOneSign) {
  for (const ElementType type : kFloats) {
    const ElementType wide = accumulator_type(type);
    for (const Reduction reduction : {Reduction::minimum, Reduction::maximum}) {
      const auto step = portable().accumulate(reduction, type);
      Floats floats(type, 7);
      for (const std::size_t n : {1, 8, 16, 17, 31, 32, 33, 64, 65, 1025, 4097, 9001})
        for (const Pattern& pattern : patterns())
          for (const std::size_t place : {std::size_t{0}, n / 2, n - 1}) {
            const Bytes in = floats.row(n, pattern, place);
            Bytes fold = Floats::infinity(wide, reduction == Reduction::maximum), chain = fold;
            GetParam()->fold(reduction, type)(in.data(), n, fold.data());
            for (std::size_t i = 0; i < n; ++i)
              step(chain.data(), in.data() + i * byte_size(type), chain.data(), 1);
            ASSERT_EQ(fold, chain) << mlir_name(type) << " " << n << " at " << place << ", special "
                                   << pattern.special << ", negative " << pattern.negative;
          }
    }
  }
}

// The same of columns.
TEST_P(Rows, HaveExtremesOfColumnsOfOneSign) {
  for (const ElementType type : kFloats) {
    const ElementType wide = accumulator_type(type);
    for (const Reduction reduction : {Reduction::minimum, Reduction::maximum}) {
      const auto step = portable().accumulate(reduction, type);
      Floats floats(type, 8);
      for (const std::size_t rows : {1, 2, 9, 40})
        for (const Pattern& pattern : patterns()) {
          constexpr std::size_t kColumns = 331;
          const Bytes in = floats.row(rows * kColumns, pattern, (rows - 1) * kColumns + 130);
          Bytes start;
          for (std::size_t i = 0; i < kColumns; ++i) {
            const Bytes one = Floats::infinity(wide, reduction == Reduction::maximum);
            start.insert(start.end(), one.begin(), one.end());
          }
          Bytes together = start, chain = start;
          GetParam()->accumulate_rows(reduction, type)(
              in.data(), {1, 0, static_cast<std::size_t>(rows), kColumns, kColumns},
              together.data());
          for (std::size_t r = 0; r < rows; ++r)
            step(chain.data(), in.data() + r * kColumns * byte_size(type), chain.data(), kColumns);
          ASSERT_EQ(together, chain) << mlir_name(type) << " rows " << rows << ", special "
                                     << pattern.special << ", negative " << pattern.negative;
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, Rows, testing::ValuesIn(available()),
                         [](const auto& test) { return std::string(test.param->isa); });

}  // namespace
}  // namespace understudy::program::kernels
