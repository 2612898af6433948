// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters of single elements against their definition: several blocks of indices, some
// of them outside, of each type and length.
#include "worker/ops/indexing/single_elements.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"

#include "program/ir/element_type.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;

// Index vectors into an array of `sizes`, whose elements are strides[d] apart.
template <class Index>
struct Case {
  std::size_t length, count;
  std::int64_t sizes[2], strides[2];
  std::vector<Index> numbers;

  Case(std::size_t length_of, std::size_t count_of, std::int64_t stride)
      : length(length_of),
        count(count_of),
        sizes{40, 7},
        strides{stride * (length == 2 ? 7 : 1), stride} {
    std::mt19937 random(static_cast<unsigned>(count + length));
    for (std::size_t i = 0; i < count * length; ++i) {
      auto number = static_cast<std::int64_t>(random() % 50) - (std::is_signed_v<Index> ? 5 : 0);
      if (random() % 40 == 0) number = std::numeric_limits<Index>::max();
      numbers.push_back(static_cast<Index>(number));
    }
  }
  std::size_t elements() const {
    return static_cast<std::size_t>(sizes[0] * strides[0] + sizes[1] * strides[1]);
  }
  ElementIndices indices(ElementType type) const {
    ElementIndices made;
    made.at = reinterpret_cast<const std::byte*>(numbers.data());
    made.type = type;
    made.length = length;
    for (std::size_t d = 0; d < 2; ++d) {
      made.sizes[d] = sizes[d];
      made.strides[d] = strides[d];
    }
    made.count = static_cast<std::int64_t>(count);
    return made;
  }
  // Element `i`: clamped, and whether it is inside.
  std::size_t offset(std::size_t i, bool& inside) const {
    std::int64_t sum = 0;
    inside = true;
    for (std::size_t d = 0; d < length; ++d) {
      // No array reaches an unsigned number above the signed ones.
      const auto number = std::is_same_v<Index, std::uint64_t>
                              ? static_cast<std::int64_t>(std::min<std::uint64_t>(
                                    static_cast<std::uint64_t>(numbers[i * length + d]),
                                    std::numeric_limits<std::int64_t>::max()))
                              : static_cast<std::int64_t>(numbers[i * length + d]);
      inside = inside && number >= 0 && number < sizes[d];
      sum += std::clamp<std::int64_t>(number, 0, sizes[d] - 1) * strides[d];
    }
    return static_cast<std::size_t>(sum);
  }
};

// `run`: elements in a row that a scatter adds.
template <class Index>
void check(ElementType type, std::size_t length, std::size_t count, std::int64_t stride,
           std::size_t run) {
  SCOPED_TRACE(testing::Message() << program::mlir_name(type) << " " << length << " " << count
                                  << " by " << stride << ", runs of " << run);
  const Case<Index> of(length, count, stride);
  std::vector<float> x(of.elements() + run), updates(count * run);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = static_cast<float>(i % 13) + 0.5F;
  std::vector<float> gathered(count), wanted(count), sums = x, wanted_sums = x;
  for (std::size_t i = 0; i < count; ++i) {
    bool inside = false;
    const std::size_t at = of.offset(i, inside);
    wanted[i] = x[at];
    for (std::size_t r = 0; inside && r < run; ++r) wanted_sums[at + r] += updates[i * run + r];
  }
  ElementIndices indices = of.indices(type);
  gather_elements(indices, reinterpret_cast<const std::byte*>(x.data()), sizeof(float),
                  reinterpret_cast<std::byte*>(gathered.data()));
  EXPECT_EQ(gathered, wanted);
  indices.run = static_cast<std::int64_t>(run);
  ASSERT_TRUE(scatter_elements(indices, program::Reduction::sum, ElementType::f32,
                               reinterpret_cast<const std::byte*>(updates.data()),
                               reinterpret_cast<std::byte*>(sums.data())));
  EXPECT_EQ(sums, wanted_sums);
}

template <class Index>
void check(ElementType type) {
  for (const std::size_t length : {1, 2})
    for (const std::size_t count : {1, 511, 1300})
      for (const std::int64_t stride : {1, 3})
        for (const std::size_t run : {1, 3}) check<Index>(type, length, count, stride, run);
}

TEST(SingleElements, OfSeveralBlocks) {
  check<std::int32_t>(ElementType::i32);
  check<std::uint32_t>(ElementType::ui32);
  check<std::int64_t>(ElementType::i64);
}

TEST(SingleElements, IndicesOfOtherTypes) {
  check<std::int8_t>(ElementType::i8);
  check<std::uint8_t>(ElementType::ui8);
  check<std::int16_t>(ElementType::i16);
  check<std::uint16_t>(ElementType::ui16);
  check<std::uint64_t>(ElementType::ui64);
}

// A gather may move along with its results.
TEST(SingleElements, MoveAlong) {
  Case<std::int32_t> of(1, 1300, 1);
  std::vector<float> x(of.count * 3 + of.elements()), gathered(of.count), wanted(of.count);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < of.count; ++i) {
    bool inside = false;
    wanted[i] = x[of.offset(i, inside) + 3 * i];
  }
  ElementIndices indices = of.indices(ElementType::i32);
  indices.along = 3;
  gather_elements(indices, reinterpret_cast<const std::byte*>(x.data()), sizeof(float),
                  reinterpret_cast<std::byte*>(gathered.data()));
  EXPECT_EQ(gathered, wanted);
}

}  // namespace
}  // namespace understudy::worker::ops
