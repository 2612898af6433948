// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/memory/strided_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "configs/base/error.h"

namespace understudy::pjrt {
namespace {

using testing::ElementsAre;
using Strides = std::vector<std::int64_t>;

std::vector<std::int32_t> counted(std::size_t count) {
  std::vector<std::int32_t> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

std::vector<std::int32_t> copied(const std::vector<std::int64_t>& shape, const std::int32_t* from,
                                 const Strides& strides, std::size_t count) {
  std::vector<std::int32_t> to(count, -1);
  copy_strided(shape, 4, reinterpret_cast<const std::byte*>(from), strides,
               reinterpret_cast<std::byte*>(to.data()), dense_strides(shape, 4));
  return to;
}

TEST(StridedCopy, CopiesDenseArraysAsTheyAre) {
  const auto values = counted(24);
  EXPECT_EQ(copied({2, 3, 4}, values.data(), dense_strides(Strides{2, 3, 4}, 4), 24), values);
}

TEST(StridedCopy, TransposesAColumnMajorView) {
  const auto values = counted(6);
  EXPECT_THAT(copied({2, 3}, values.data(), {4, 8}, 6), ElementsAre(0, 2, 4, 1, 3, 5));
}

TEST(StridedCopy, ReadsReversedAndBroadcastViews) {
  const auto values = counted(4);
  EXPECT_THAT(copied({4}, values.data() + 3, {-4}, 4), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(copied({2, 2}, values.data(), {0, 4}, 4), ElementsAre(0, 1, 0, 1));
}

TEST(StridedCopy, TakesScalarsAndEmptyArrays) {
  const auto values = counted(1);
  EXPECT_THAT(copied({}, values.data(), {}, 1), ElementsAre(0));
  EXPECT_THAT(copied({0, 3}, values.data(), {12, 4}, 1), ElementsAre(-1));
}

TEST(StridedCopy, ReadsLayoutsFromTheFastestDimensionOn) {
  EXPECT_THAT(strides_of_layout(Strides{2, 3}, Strides{1, 0}, 4), ElementsAre(12, 4));
  EXPECT_THAT(strides_of_layout(Strides{2, 3}, Strides{0, 1}, 4), ElementsAre(4, 8));
  EXPECT_THROW(strides_of_layout(Strides{2, 3}, Strides{0, 0}, 4), Error);
  EXPECT_THROW(strides_of_layout(Strides{2, 3}, Strides{0}, 4), Error);
}

}  // namespace
}  // namespace understudy::pjrt
