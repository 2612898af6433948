// SPDX-License-Identifier: Apache-2.0
// Windows one element apart, combined in registers: the bits of one element after the other.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

#include "worker/chip/numbers.h"
#include "worker/ops/window/sliding_folds.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;
using program::Reduction;

template <class T>
T value_at(std::mt19937& random) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T kSpecial[] = {-0.0, 0.0, std::numeric_limits<T>::infinity(),
                              -std::numeric_limits<T>::quiet_NaN()};
    if (random() % 64 == 0) return kSpecial[random() % 4];
    return static_cast<T>(static_cast<double>(random() % 2001) / 1000 - 1);
  } else {
    return static_cast<T>(random());
  }
}

template <class T>
void expect_same_bits(Reduction reduction, ElementType element) {
  const SlidingFold fold = sliding_fold(reduction, element);
  ASSERT_NE(fold, nullptr);
  std::mt19937 random(7);
  for (const std::size_t n : {0, 1, 3, 15, 16, 17, 31, 64, 127, 128, 129, 200, 600}) {
    std::vector<T> x(n + 50), out(n), wanted;
    std::ranges::generate(x, [&] { return value_at<T>(random); });
    std::ranges::generate(out, [&] { return value_at<T>(random); });
    std::vector<std::int64_t> offsets(1 + random() % 9);
    for (std::int64_t& offset : offsets) offset = static_cast<std::int64_t>(random() % 50);
    for (std::size_t i = 0; i < n; ++i) {
      T sum = out[i];
      for (const std::int64_t offset : offsets) {
        const T next = x[i + static_cast<std::size_t>(offset)];
        sum = settled(reduction == Reduction::sum ? static_cast<T>(sum + next)
                                                  : static_cast<T>(sum * next));
      }
      wanted.push_back(sum);
    }
    fold(reinterpret_cast<const std::byte*>(x.data()), offsets,
         reinterpret_cast<std::byte*>(out.data()), n);
    EXPECT_TRUE(n == 0 || std::memcmp(out.data(), wanted.data(), n * sizeof(T)) == 0) << n;
  }
}

TEST(SlidingFold, HasTheBitsOfSingleSteps) {
  for (const Reduction reduction : {Reduction::sum, Reduction::product}) {
    expect_same_bits<float>(reduction, ElementType::f32);
    expect_same_bits<double>(reduction, ElementType::f64);
    expect_same_bits<std::uint32_t>(reduction, ElementType::i32);
    expect_same_bits<std::uint64_t>(reduction, ElementType::ui64);
  }
}

TEST(SlidingFold, RoundsNoSmallFloatsAndOrdersNoZeros) {
  EXPECT_EQ(sliding_fold(Reduction::sum, ElementType::bf16), nullptr);
  EXPECT_EQ(sliding_fold(Reduction::maximum, ElementType::f32), nullptr);
}

}  // namespace
}  // namespace understudy::worker::ops
