// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/compare.h"

#include <cmath>
#include <limits>
#include <span>

#include "fmt/format.h"
#include "gtest/gtest.h"

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

using program::Array;
using program::ElementType;
using program::Shape;

template <class T>
Array array_of(ElementType element, const Shape& shape, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {{element, shape}, {bytes.begin(), bytes.end()}};
}
Array floats(const std::vector<float>& values) {
  return array_of(ElementType::f32, {static_cast<std::int64_t>(values.size())}, values);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Compare, AllowsAbsolutePlusRelativeTolerance) {
  const Comparison seen =
      compare(2, floats({1.0F, 10.5F, 0.0F}), floats({1.0F, 10.0F, 0.25F}), {0.05, 0.25}, "e.npy");
  EXPECT_TRUE(seen.ok());
  EXPECT_EQ(seen.index, 2);
  EXPECT_EQ(seen.max_abs_error, 0.5);
  EXPECT_EQ(seen.max_rel_error, 1.0);
  EXPECT_EQ(compare(2, floats({1.0F, 10.5F}), floats({1.0F, 10.0F}), {0.02, 0.25}, "e").mismatches,
            1);
}

TEST(Compare, NamesTheElementFurthestBeyondItsTolerance) {
  const Comparison seen =
      compare(0, array_of<float>(ElementType::f32, {2, 2}, {1, 2, 3, 9}),
              array_of<float>(ElementType::f32, {2, 2}, {1, 2.5, 3, 4}), {0, 1}, "e.npy");
  EXPECT_EQ(seen.mismatches, 1);
  EXPECT_EQ(seen.place, "[1, 1]");
  EXPECT_EQ(seen.got, "9");
  EXPECT_EQ(seen.want, "4");
}

TEST(Compare, TakesNanForNanAndInfinityForInfinity) {
  EXPECT_TRUE(compare(0, floats({kNan, kInfinity, -kInfinity}),
                      floats({kNan, kInfinity, -kInfinity}), {}, "e")
                  .ok());
  EXPECT_EQ(compare(0, floats({kNan, 1.0F, kInfinity, -kInfinity}),
                    floats({1.0F, kNan, 1.0F, kInfinity}), {1, 1}, "e")
                .mismatches,
            4);
}

TEST(Compare, WidensBf16) {
  const auto bf16 = [](const std::vector<std::uint16_t>& bits) {
    return array_of(ElementType::bf16, {static_cast<std::int64_t>(bits.size())}, bits);
  };
  const Comparison seen = compare(0, bf16({0x3f80}), bf16({0x3f81}), {0, 0.01}, "e");
  EXPECT_TRUE(seen.ok());
  EXPECT_EQ(seen.max_abs_error, 0.0078125);
}

TEST(Compare, SeesNeighboursOfLargeIntegers) {
  const std::int64_t large = std::int64_t{1} << 62;
  const auto one = array_of<std::int64_t>(ElementType::i64, {1}, {large});
  const auto other = array_of<std::int64_t>(ElementType::i64, {1}, {large + 1});
  EXPECT_FALSE(compare(0, one, other, {0, 0}, "e").ok());
  EXPECT_TRUE(compare(0, one, one, {0, 0}, "e").ok());
}

TEST(Compare, MeasuresComplexNumbersByTheirDistance) {
  const auto one = array_of<float>(ElementType::c64, {1}, {3, 4});
  const auto other = array_of<float>(ElementType::c64, {1}, {0, 0});
  EXPECT_EQ(compare(0, one, other, {0, 5}, "e").max_abs_error, 5);
  EXPECT_TRUE(compare(0, one, other, {0, 5}, "e").ok());
}

TEST(Compare, TakesOneReplicasValuesForAll) {
  const auto got = array_of<float>(ElementType::f32, {2, 2}, {1, 2, 1, 3});
  EXPECT_EQ(compare(0, got, floats({1, 2}), {0, 0}, "e").mismatches, 1);
}

// Equal elements are skipped in runs; none may take a difference with it. The values repeat for two
// replicas, so that runs also end where these meet.
TEST(Compare, FindsOneDifferenceAmongManyEqualElements) {
  std::vector<float> want(700), both(1400);
  for (std::size_t i = 0; i < both.size(); ++i)
    both[i] = want[i % want.size()] = static_cast<float>(i % want.size());
  for (std::size_t place = 0; place < both.size(); ++place) {
    std::vector<float> got = both;
    got[place] += 0.5F;
    const Comparison seen =
        compare(0, array_of(ElementType::f32, {2, 700}, got), floats(want), {0, 0.25}, "e");
    ASSERT_EQ(seen.mismatches, 1) << place;
    ASSERT_EQ(seen.max_abs_error, 0.5) << place;
    ASSERT_EQ(seen.place, fmt::format("[{}, {}]", place / 700, place % 700));
  }
}

TEST(Compare, RefusesOtherShapesAndTypes) {
  try {
    compare(1, floats({1, 2}), array_of<double>(ElementType::f64, {2}, {1, 2}), {}, "e.npy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.text(),
              "error: e.npy: expected values for result 1 must be f32[2], but the file has f64[2]");
  }
}

TEST(ComparisonTable, ShowsWhereAResultDiffersMost) {
  EXPECT_EQ(comparison_table({compare(0, floats({1, 2}), floats({1, 2}), {2e-4, 2e-5}, "e"),
                              compare(1, floats({1, 2}), floats({1, 3}), {2e-4, 2e-5}, "e"),
                              compare(2, floats({}), floats({}), {2e-4, 2e-5}, "e")}),
            "result  type                  max abs    max rel     rtol     atol  verdict\n"
            "0       f32[2]                      0          0   0.0002    2e-05  ok\n"
            "1       f32[2]                      1      0.333   0.0002    2e-05  1 differ\n"
            "  largest difference at [1]: got 2, expected 3\n"
            "2       f32[0]                      0          0   0.0002    2e-05  ok");
}

}  // namespace
}  // namespace understudy::launcher
