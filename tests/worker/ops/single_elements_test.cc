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
#include "worker/chip/numbers.h"
#include "worker/ops/indexing/element_offsets.h"
#include "worker/ops/indexing/gather_vectors.h"
#include "worker/ops/indexing/move_runs.h"

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
        for (const std::size_t run : {1, 3, 5, 16, 27})
          check<Index>(type, length, count, stride, run);
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

// Numbers whose type ends before the operand does, of elements of each size.
template <class Index, class Element>
void check_small(ElementType type, std::int64_t size) {
  SCOPED_TRACE(testing::Message() << program::mlir_name(type) << " into " << size << " of "
                                  << sizeof(Element));
  std::mt19937 random(7);
  std::vector<Index> numbers(1003);
  for (Index& number : numbers) number = static_cast<Index>(random());
  std::vector<Element> x(static_cast<std::size_t>(size)), gathered(numbers.size()), wanted;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Element>(i * 7);
  for (const Index number : numbers)
    wanted.push_back(x[static_cast<std::size_t>(std::min<std::int64_t>(number, size - 1))]);
  ElementIndices indices;
  indices.at = reinterpret_cast<const std::byte*>(numbers.data());
  indices.type = type;
  indices.sizes[0] = size;
  indices.strides[0] = 1;
  indices.count = static_cast<std::int64_t>(numbers.size());
  gather_elements(indices, reinterpret_cast<const std::byte*>(x.data()), sizeof(Element),
                  reinterpret_cast<std::byte*>(gathered.data()));
  EXPECT_EQ(gathered, wanted);
}
TEST(SingleElements, SmallNumbers) {
  for (const std::int64_t size : {200, 255, 256, 300}) {
    check_small<std::uint8_t, std::uint16_t>(ElementType::ui8, size);
    check_small<std::uint8_t, std::uint32_t>(ElementType::ui8, size);
    check_small<std::uint8_t, std::uint64_t>(ElementType::ui8, size);
  }
  for (const std::int64_t size : {65535, 65536}) {
    check_small<std::uint16_t, std::uint32_t>(ElementType::ui16, size);
    check_small<std::uint16_t, std::uint64_t>(ElementType::ui16, size);
  }
}

// Tables that registers hold, of elements of each size and numbers of each type, some outside.
template <class Index, class Element>
void check_few(ElementType type) {
  for (const std::int64_t size : {1, 2, 7, 8, 9, 15, 16, 17})
    for (const std::size_t count : {1, 15, 16, 17, 64, 101}) {
      SCOPED_TRACE(testing::Message() << program::mlir_name(type) << " " << count << " into "
                                      << size << " of " << sizeof(Element));
      std::mt19937 random(static_cast<unsigned>(count));
      std::vector<Index> numbers(count);
      for (Index& number : numbers)
        number = static_cast<Index>(random() % 5 == 0 ? random() : random() % 20);
      numbers[0] = std::numeric_limits<Index>::min();
      numbers.back() = std::numeric_limits<Index>::max();
      std::vector<Element> x(static_cast<std::size_t>(size)), wanted;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Element>(~(i * 77));
      for (const Index number : numbers)
        wanted.push_back(x[static_cast<std::size_t>(
            std::clamp<std::int64_t>(static_cast<std::int64_t>(number), 0, size - 1))]);
      std::vector<Element> gathered(count + 1, Element{9});
      ElementIndices indices;
      indices.at = reinterpret_cast<const std::byte*>(numbers.data());
      indices.type = type;
      indices.sizes[0] = size;
      indices.strides[0] = 1;
      indices.count = static_cast<std::int64_t>(count);
      gather_elements(indices, reinterpret_cast<const std::byte*>(x.data()), sizeof(Element),
                      reinterpret_cast<std::byte*>(gathered.data()));
      wanted.push_back(Element{9});  // behind the results
      EXPECT_EQ(gathered, wanted);
      if constexpr (sizeof(Index) == sizeof(Element)) {  // over the numbers
        gather_elements(indices, reinterpret_cast<const std::byte*>(x.data()), sizeof(Element),
                        reinterpret_cast<std::byte*>(numbers.data()));
        EXPECT_EQ(std::memcmp(numbers.data(), wanted.data(), count * sizeof(Element)), 0);
      }
    }
}
template <class Element>
void check_few() {
  check_few<std::int8_t, Element>(ElementType::i8);
  check_few<std::uint8_t, Element>(ElementType::ui8);
  check_few<std::int16_t, Element>(ElementType::i16);
  check_few<std::uint16_t, Element>(ElementType::ui16);
  check_few<std::int32_t, Element>(ElementType::i32);
  check_few<std::uint32_t, Element>(ElementType::ui32);
  check_few<std::int64_t, Element>(ElementType::i64);
}
TEST(SingleElements, OfSmallTables) {
  check_few<std::uint8_t>();
  check_few<std::uint16_t>();
  check_few<std::uint32_t>();
  check_few<std::uint64_t>();
}

// The same elements of lines.
template <class Element>
void check_lines() {
  for (const std::int64_t count : {1, 7, 8, 37}) {
    constexpr std::int64_t kLines = 3, kLength = 20;
    std::mt19937 random(static_cast<unsigned>(count));
    std::vector<std::int32_t> offsets(static_cast<std::size_t>(count));
    for (std::int32_t& offset : offsets) offset = static_cast<std::int32_t>(random() % kLength);
    std::vector<Element> x(kLines * kLength), wanted;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Element>(i * 3);
    for (std::int64_t line = 0; line < kLines; ++line)
      for (const std::int32_t offset : offsets)
        wanted.push_back(x[static_cast<std::size_t>(line * kLength + offset)]);
    std::vector<Element> taken(wanted.size());
    take_lines(offsets.data(), count, kLines, kLength, sizeof(Element),
               reinterpret_cast<const std::byte*>(x.data()),
               reinterpret_cast<std::byte*>(taken.data()));
    EXPECT_EQ(taken, wanted) << count;
  }
}
TEST(SingleElements, OfLines) {
  check_lines<std::uint8_t>();
  check_lines<std::uint16_t>();
  check_lines<std::uint32_t>();
  check_lines<std::uint64_t>();
}

// Runs of any number of bytes, to their last one.
TEST(SingleElements, MovedRuns) {
  for (std::size_t bytes = 1; bytes < 150; ++bytes) {
    const std::vector<std::int64_t> offsets{5, 0, -1, 9, 2};
    std::vector<std::byte> x(20 * bytes), gathered(5 * bytes), wanted = gathered,
                                                               scattered(x.size()), put = scattered;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::byte>(i * 31 + i / 256);
    std::vector<std::int64_t> inside = offsets;
    inside[2] = 19;
    for (std::size_t i = 0; i < 5; ++i) {
      std::memcpy(wanted.data() + i * bytes, x.data() + static_cast<std::size_t>(inside[i]) * bytes,
                  bytes);
      if (offsets[i] >= 0)
        std::memcpy(put.data() + static_cast<std::size_t>(offsets[i]) * bytes, x.data() + i * bytes,
                    bytes);
    }
    gather_runs_of_bytes(inside, bytes, bytes, x.data(), gathered.data());
    EXPECT_EQ(gathered, wanted) << bytes;
    scatter_runs_of_bytes(offsets, bytes, bytes, x.data(), scattered.data());
    EXPECT_EQ(scattered, put) << bytes;
  }
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
