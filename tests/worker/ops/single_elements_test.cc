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
      const auto number = static_cast<std::int64_t>(numbers[i * length + d]);
      inside = inside && number >= 0 && number < sizes[d];
      sum += std::clamp<std::int64_t>(number, 0, sizes[d] - 1) * strides[d];
    }
    return static_cast<std::size_t>(sum);
  }
};

template <class Index>
void check(ElementType type) {
  for (const std::size_t length : {std::size_t{1}, std::size_t{2}})
    for (const std::size_t count : {std::size_t{1}, std::size_t{511}, std::size_t{1300}})
      for (const std::int64_t stride : {std::int64_t{1}, std::int64_t{3}}) {
        SCOPED_TRACE(testing::Message()
                     << program::mlir_name(type) << " " << length << " " << count);
        const Case<Index> of(length, count, stride);
        std::vector<float> x(of.elements()), updates(count);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
        for (std::size_t i = 0; i < count; ++i) updates[i] = static_cast<float>(i % 13) + 0.5F;
        std::vector<float> gathered(count), wanted(count), sums = x, wanted_sums = x;
        for (std::size_t i = 0; i < count; ++i) {
          bool inside = false;
          const std::size_t at = of.offset(i, inside);
          wanted[i] = x[at];
          if (inside) wanted_sums[at] += updates[i];
        }
        ASSERT_TRUE(gather_elements(of.indices(type), reinterpret_cast<const std::byte*>(x.data()),
                                    sizeof(float), reinterpret_cast<std::byte*>(gathered.data())));
        EXPECT_EQ(gathered, wanted);
        ASSERT_TRUE(scatter_elements(of.indices(type), program::Reduction::sum, ElementType::f32,
                                     reinterpret_cast<const std::byte*>(updates.data()),
                                     reinterpret_cast<std::byte*>(sums.data())));
        EXPECT_EQ(sums, wanted_sums);
      }
}

TEST(SingleElements, OfSeveralBlocks) {
  check<std::int32_t>(ElementType::i32);
  check<std::uint32_t>(ElementType::ui32);
  check<std::int64_t>(ElementType::i64);
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
  ASSERT_TRUE(gather_elements(indices, reinterpret_cast<const std::byte*>(x.data()), sizeof(float),
                              reinterpret_cast<std::byte*>(gathered.data())));
  EXPECT_EQ(gathered, wanted);
}

}  // namespace
}  // namespace understudy::worker::ops
