// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/copy.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "gtest/gtest.h"

#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::Shape;

std::vector<std::byte> random_bytes(std::size_t n, std::mt19937& random) {
  std::vector<std::byte> bytes(n);
  for (std::size_t i = 0; i < n; i += 4) {
    const auto some = static_cast<std::uint32_t>(random());
    std::memcpy(bytes.data() + i, &some, std::min<std::size_t>(4, n - i));
  }
  return bytes;
}

std::int64_t size_of(const Shape& sizes) {
  std::int64_t n = 1;
  for (const std::int64_t size : sizes) n *= size;
  return n;
}

// How a copy reads and writes: strides in elements and the offsets that keep it in its arrays.
struct Layout {
  Shape strides;
  std::int64_t base = 0, extent = 1;
};
// Dense in a random order of the dimensions, spread by `spacing`, some dimensions reversed or, if
// allowed, repeated.
Layout random_layout(const Shape& sizes, bool may_repeat, std::mt19937& random) {
  std::vector<std::size_t> order(sizes.size());
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
  std::shuffle(order.begin(), order.end(), random);
  Layout layout{Shape(sizes.size()), 0, 1};
  std::int64_t step = 1 + static_cast<std::int64_t>(random() % 5 == 0 ? random() % 3 : 0);
  for (const std::size_t d : order) {
    if (may_repeat && random() % 4 == 0) continue;  // stride 0
    const bool reversed = random() % 4 == 0;
    const std::int64_t last = std::max<std::int64_t>(sizes[d] - 1, 0) * step;
    layout.strides[d] = reversed ? -step : step;
    if (reversed) layout.base += last;
    layout.extent += last;
    step *= sizes[d] + static_cast<std::int64_t>(random() % 4 == 0);
  }
  return layout;
}

// Runs a plan between arrays that start `shift` bytes into their memory, and compares every byte,
// also those that the plan must leave alone, with an index-by-index copy.
void check(const Shape& sizes, const Layout& from, const Layout& to, std::size_t bytes,
           std::size_t shift, std::mt19937& random) {
  const auto wide = static_cast<std::int64_t>(bytes);
  const auto in = random_bytes(static_cast<std::size_t>(from.extent * wide) + shift, random);
  auto got = random_bytes(static_cast<std::size_t>(to.extent * wide) + shift + 64, random);
  auto expected = got;
  CopyPlan(sizes, from.strides, to.strides, bytes)
      .run(in.data() + shift + from.base * wide, got.data() + shift + to.base * wide);
  Counter counter(sizes);
  for (bool more = !counter.empty(); more; more = counter.next()) {
    std::int64_t a = from.base, b = to.base;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      a += counter.at()[d] * from.strides[d];
      b += counter.at()[d] * to.strides[d];
    }
    std::memcpy(expected.data() + shift + b * wide, in.data() + shift + a * wide, bytes);
  }
  ASSERT_TRUE(got == expected) << "elements of " << bytes << " bytes, shift " << shift;
}

TEST(CopyPlan, CopiesBetweenAnyStridesAndTouchesNothingElse) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    Shape sizes(random() % 5);
    for (auto& size : sizes) size = static_cast<std::int64_t>(random() % (random() % 3 ? 9 : 70));
    if (size_of(sizes) > 40000) continue;
    const std::size_t bytes = std::size_t{1} << random() % 5;
    const Layout from = random_layout(sizes, true, random);
    check(sizes, from, random_layout(sizes, false, random), bytes, random() % 64, random);
  }
}

// Plain two-dimensional arrays around the sizes of registers and blocks.
TEST(CopyPlan, TransposesReversesAndRepeatsAroundBlockSizes) {
  std::mt19937 random(12);
  for (const std::size_t bytes : {1, 2, 4, 8, 16})
    for (const std::int64_t rows : {1, 2, 3, 15, 16, 17, 31, 33, 127, 129})
      for (const std::int64_t columns : {1, 2, 3, 4, 8, 15, 17, 32, 65, 130, 257}) {
        const Shape sizes{rows, columns};
        const std::int64_t n = rows * columns;
        const Layout dense{{columns, 1}, 0, n};
        check(sizes, {{1, rows}, 0, n}, dense, bytes, 0, random);
        check(sizes, {{columns, -1}, columns - 1, n}, dense, bytes, 4, random);
        for (const std::int64_t step : {2, 3, 4, 5, 6, 7, 8, 9})
          check(sizes, {{step * columns, step}, 0, step * (n - 1) + 1}, dense, bytes, 0, random);
        check(sizes, {{1, 0}, 0, rows}, dense, bytes, 8, random);
        check({n, 3}, {{1, 0}, 0, n}, {{3, 1}, 0, 3 * n}, bytes, 0, random);
        check(sizes, {{0, 1}, 0, columns}, dense, bytes, 0, random);
        check(sizes, dense, {{2 * columns, 2}, 0, 2 * n - 1}, bytes, 0, random);
      }
}

// Channels of images before or behind their pixels: a few long lines element by element, and back.
TEST(CopyPlan, TransposesAFewLines) {
  std::mt19937 random(17);
  for (const std::size_t bytes : {1, 2, 4, 8})
    for (std::int64_t count = 2; count <= 9; ++count)
      for (const std::int64_t n : {1, 3, 7, 8, 15, 16, 17, 31, 33, 100, 1003})
        for (const std::int64_t more : {0, 5}) {
          const Layout dense{{count, 1}, 0, count * n};
          const Layout lines{{1, n + more}, 0, count * (n + more)};
          check({n, count}, lines, dense, bytes, 0, random);
          const Layout apart{{n + more, 1}, 0, count * (n + more)};
          check({count, n}, {{1, count}, 0, count * n}, apart, bytes, 4, random);
        }
}

// Short rows of longer ones, dense: what they write beyond their ends stays inside of the array.
TEST(CopyPlan, ShortPartsOfRows) {
  std::mt19937 random(15);
  for (const std::size_t bytes : {1, 2, 4, 8})
    for (const std::int64_t rows : {1, 2, 3, 5, 18, 67})
      for (std::int64_t columns = 1; columns <= 40; ++columns)
        for (const std::int64_t more : {1, 2, 13, 64})
          for (const std::int64_t before : {std::int64_t{0}, more / 2, more})
            check({rows, columns},
                  {{columns + more, 1}, before, (rows - 1) * (columns + more) + before + columns},
                  {{columns, 1}, 0, rows * columns}, bytes, 0, random);
}

// Pixels of an image that is flipped, and rows of a larger one in reversed order.
TEST(CopyPlan, ReversesShortRows) {
  std::mt19937 random(16);
  for (const std::size_t bytes : {1, 2, 4, 8})
    for (const std::int64_t rows : {1, 2, 3, 5, 6, 11, 18, 67})
      for (std::int64_t columns = 1; columns <= 20; ++columns)
        for (const std::int64_t more : {0, 1, 5}) {
          const std::int64_t step = columns + more, last = (rows - 1) * step;
          check({rows, columns}, {{-step, 1}, last, last + columns},
                {{columns, 1}, 0, rows * columns}, bytes, 0, random);
        }
}

// Channels of pixels in reversed order.
TEST(CopyPlan, ReversesWithinShortRows) {
  std::mt19937 random(19);
  for (const std::size_t bytes : {1, 2, 4, 8, 16})
    for (const std::int64_t rows : {1, 2, 3, 7, 16, 17, 35, 131})
      for (std::int64_t columns = 2; columns <= 9; ++columns) {
        const std::int64_t n = rows * columns;
        check({rows, columns}, {{columns, -1}, columns - 1, n}, {{columns, 1}, 0, n}, bytes, 0,
              random);
      }
}

// Arrays of this size are written around the caches.
TEST(CopyPlan, LargeCopiesStream) {
  std::mt19937 random(13);
  const std::int64_t rows = 521, columns = 4160;  // 17 MiB of f64
  const std::int64_t n = rows * columns;
  const Layout dense{{columns, 1}, 0, n};
  const Shape sizes{rows, columns};
  check(sizes, dense, dense, 8, 0, random);
  check(sizes, dense, {{columns + 2, 1}, 3, n + 2 * rows + 3}, 8, 4, random);
  check(sizes, {{columns, -1}, columns - 1, n}, dense, 8, 0, random);
  check(sizes, {{1, 0}, 0, rows}, dense, 8, 4, random);
  check({columns, rows}, {{1, columns}, 0, n}, {{rows, 1}, 0, n}, 8, 0, random);
  check({columns, 512}, {{1, columns}, 0, n}, {{512, 1}, 0, n}, 8, 0, random);
  check({n / 2, 2}, {{1, 0}, 0, n / 2}, {{2, 1}, 0, n}, 8, 4, random);
  check({65, rows, 64}, {{64, columns, 1}, 0, n}, {{rows * 64, 64, 1}, 0, n}, 8, 0, random);
}

TEST(CopyPlan, LargeTransposesOfAFewLines) {
  std::mt19937 random(18);
  for (const std::size_t bytes : {1, 4})
    for (const std::int64_t count : {4, 6, 8}) {
      const std::int64_t n = (std::int64_t{17} << 20) / count / static_cast<std::int64_t>(bytes);
      check({n, count}, {{1, n}, 0, count * n}, {{count, 1}, 0, count * n}, bytes, 0, random);
      check({count, n}, {{1, count}, 0, count * n}, {{n, 1}, 0, count * n}, bytes, 0, random);
    }
}

// Runs shorter than a line of the cache: a few written rows at a time, and many.
TEST(CopyPlan, LargeCopiesOfShortRuns) {
  std::mt19937 random(14);
  for (const std::size_t bytes : {4, 8})
    for (const Shape& sizes : {Shape{1200, 16, 8, 6}, Shape{8, 6, 1200, 16, 3}}) {
      Layout from{Shape(sizes.size()), 0, size_of(sizes)}, to = from;
      std::int64_t step = 1;
      for (std::size_t d = sizes.size(); d-- > 0; step *= sizes[d]) to.strides[d] = step;
      // The two dimensions before the runs are exchanged.
      from.strides = to.strides;
      const std::size_t last = sizes.size() - 1;
      from.strides[last - 2] = sizes[last];
      from.strides[last - 1] = sizes[last] * sizes[last - 2];
      check(sizes, from, to, bytes, 0, random);
    }
}

TEST(Replicate, RepeatsElementsOfAnySize) {
  std::mt19937 random(14);
  for (const std::size_t bytes : {1, 2, 4, 8, 16, 40, 20000})
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3},
                                    std::size_t{700}, std::size_t{17 << 20} / bytes}) {
      if (count * bytes > 18 << 20) continue;
      const auto element = random_bytes(bytes, random);
      std::vector<std::byte> out(count * bytes + 8, std::byte{7});
      replicate(element.data(), bytes, out.data(), count);
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(std::memcmp(out.data() + i * bytes, element.data(), bytes), 0) << i;
      EXPECT_EQ(out[count * bytes], std::byte{7});
    }
}

}  // namespace
}  // namespace understudy::worker::ops
