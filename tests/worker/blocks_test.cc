// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/blocks.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace understudy::worker {
namespace {

using program::ElementType;
using program::TensorType;

std::vector<std::int32_t> cut(const TensorType& type, std::int64_t dimension, std::size_t count,
                              const std::vector<std::int32_t>& array) {
  std::vector<std::int32_t> blocks(array.size());
  cut_into_blocks(Cut(type, dimension, count), std::as_bytes(std::span(array)),
                  std::as_writable_bytes(std::span(blocks)));
  return blocks;
}

TEST(Blocks, CutsAlongEachDimension) {
  const TensorType type{ElementType::i32, {2, 4}};
  const std::vector<std::int32_t> array = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(cut(type, 0, 2, array), array);
  EXPECT_EQ(cut(type, 1, 2, array), (std::vector<std::int32_t>{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(cut(type, 1, 4, array), (std::vector<std::int32_t>{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(Blocks, JoiningUndoesCutting) {
  for (const std::int64_t dimension : {0, 1, 2}) {
    const TensorType type{ElementType::i32, {4, 6, 2}};
    std::vector<std::int32_t> array(48), back(48);
    std::iota(array.begin(), array.end(), 0);
    const std::vector<std::int32_t> blocks = cut(type, dimension, 2, array);
    join_blocks(Cut(type, dimension, 2), std::as_bytes(std::span(blocks)),
                std::as_writable_bytes(std::span(back)));
    EXPECT_EQ(back, array) << dimension;
  }
}

TEST(Blocks, CutOfTheFirstDimensionIsTrivial) {
  EXPECT_TRUE(Cut({ElementType::f32, {4, 3}}, 0, 2).is_trivial());
  EXPECT_TRUE(Cut({ElementType::f32, {1, 4}}, 1, 2).is_trivial());
  EXPECT_TRUE(Cut({ElementType::f32, {3, 4}}, 1, 1).is_trivial());
  EXPECT_FALSE(Cut({ElementType::f32, {3, 4}}, 1, 2).is_trivial());
}

TEST(Blocks, EmptyArraysAreLeftAlone) {
  EXPECT_EQ(Cut({ElementType::f32, {0, 4}}, 1, 2).block_bytes(), 0U);
  EXPECT_TRUE(cut({ElementType::i32, {2, 0}}, 1, 2, {}).empty());
}

}  // namespace
}  // namespace understudy::worker
