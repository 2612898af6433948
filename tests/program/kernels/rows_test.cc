// SPDX-License-Identifier: Apache-2.0
// Reductions of many rows at once, for every table.
#include <string>
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
    {0, 3},   {1, 0},  {5, 1},  {16, 1},  {33, 3},  {19, 8},  {35, 15},
    {16, 16}, {9, 17}, {3, 64}, {7, 100}, {6, 255}, {70, 5},  {2, 1000},
    {37, 2},  {37, 4}, {37, 8}, {37, 16}, {21, 32}, {19, 48}, {17, 320}};

// Rows together are the same steps as one row after the other, on any instruction set.
TEST_P(Rows, ReduceAsOneAfterTheOther) {
  for (const ElementType type : all_types()) {
    const ElementType wide = accumulator_type(type);
    for (int r = 1; r <= static_cast<int>(Reduction::logical_or); ++r) {
      const auto reduction = static_cast<Reduction>(r);
      const auto fold_rows = GetParam()->fold_rows(reduction, type);
      const auto add_rows = GetParam()->accumulate_rows(reduction, type);
      ASSERT_EQ(fold_rows == nullptr, add_rows == nullptr);
      if (fold_rows == nullptr) continue;
      const auto fold = portable().fold(reduction, type);
      const auto step = portable().accumulate(reduction, type);
      for (std::size_t c = 0; c < 2 * std::size(kRowSizes); ++c) {
        const auto& [rows, n] = kRowSizes[c / 2];
        const std::size_t stride = n + c % 2 * 2;  // rows one after the other, or apart
        const auto in = sample(type, rows * stride + 1, 40);
        const auto row = [&](std::size_t i) { return in.data() + i * stride * byte_size(type); };
        const std::string what = "reduction " + std::to_string(r) + " of " +
                                 std::string(mlir_name(type)) + ", " + std::to_string(rows) +
                                 " x " + std::to_string(n);
        auto together = sample(wide, rows, 41), each = together;
        fold_rows(in.data(), rows, stride, n, together.data());
        for (std::size_t i = 0; i < rows; ++i) fold(row(i), n, each.data() + i * byte_size(wide));
        ASSERT_EQ(together, each) << what;
        auto sums = sample(wide, n, 42), chain = sums;
        add_rows(in.data(), rows, stride, sums.data(), n);
        for (std::size_t i = 0; i < rows; ++i) step(chain.data(), row(i), chain.data(), n);
        ASSERT_EQ(sums, chain) << what;
      }
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

INSTANTIATE_TEST_SUITE_P(Isa, Rows, testing::ValuesIn(available()),
                         [](const auto& test) { return std::string(test.param->isa); });

}  // namespace
}  // namespace understudy::program::kernels
