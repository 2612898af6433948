// SPDX-License-Identifier: Apache-2.0
// Numbers and runs of numbers that a scatter combines with those of its operand, against the
// definition of a step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"

#include "worker/ops/indexing/combine_runs.h"
#include "worker/ops/indexing/element_offsets.h"
#include "worker/ops/indexing/single_elements.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;
using program::Reduction;

// The definition of a step on one number.
template <class T>
T combined_numbers(Reduction reduction, T a, T b) {
  if (reduction == Reduction::sum) return static_cast<T>(a + b);
  if constexpr (std::is_integral_v<T>) {
    if (reduction == Reduction::product)
      return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    if (reduction == Reduction::logical_and) return static_cast<T>(a & b);
    if (reduction == Reduction::logical_or) return static_cast<T>(a | b);
    if (reduction == Reduction::logical_xor) return static_cast<T>(a ^ b);
  }
  if (reduction == Reduction::product) return a * b;
  if (a != a || b != b) return a + b;
  if constexpr (std::is_floating_point_v<T>)
    if (a == b) return std::signbit(a) == (reduction == Reduction::maximum) ? b : a;
  return (reduction == Reduction::maximum) == (a > b) ? a : b;
}
template <class T>
std::vector<T> some_numbers() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return {-Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 0, -T{0}, 1, -1, 2.5F};
  return {0, 1, 3, 7, Limits::max(), Limits::lowest()};
}

// Also of NaN.
template <class T>
bool have_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
}

// A NaN becomes the one pattern, in vectors and behind them; what is outside stays.
template <class T>
void check_combined_runs() {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> some = some_numbers<T>();
  for (const Reduction reduction :
       {Reduction::minimum, Reduction::maximum, Reduction::sum, Reduction::product}) {
    if (std::is_same_v<T, std::int32_t> && reduction == Reduction::sum) break;
    for (std::size_t run = 1; run < 70; ++run) {
      std::mt19937 random(static_cast<unsigned>(run));
      const std::uint32_t offsets[] = {3, kOutside, 1, 3};
      std::vector<T> x(4 * run), y(run + 4);
      for (T& number : x) number = some[random() % some.size()];
      for (T& number : y) number = some[random() % some.size()];
      std::vector<T> wanted = y;
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t r = 0; r < run && offsets[i] != kOutside; ++r) {
          T& to = wanted[offsets[i] + r];
          to = combined_numbers(reduction, to, x[i * run + r]);
          if (to != to) to = Limits::quiet_NaN();
        }
      combine_runs(reduction, offsets, 4, run, x.data(), y.data());
      EXPECT_TRUE(have_same_bits(y, wanted)) << run << " by " << static_cast<int>(reduction);
    }
  }
}
TEST(CombinedElements, Runs) {
  check_combined_runs<float>();
  check_combined_runs<double>();
  check_combined_runs<std::int32_t>();
  check_combined_runs<std::uint32_t>();
}

// Runs of integers by functions of bits, of every size.
template <class T>
void check_runs_of_bits(ElementType type) {
  for (const Reduction reduction :
       {Reduction::logical_and, Reduction::logical_or, Reduction::logical_xor})
    for (const std::int64_t run : {1, 2, 7, 8, 64}) {
      const auto length = static_cast<std::size_t>(run);
      const std::int32_t numbers[] = {2, -1, 0, 2};
      std::mt19937 random(7);
      std::vector<T> x(4 * length), y(3 * length);
      for (T& number : x) number = static_cast<T>(random());
      for (T& number : y) number = static_cast<T>(random());
      std::vector<T> wanted = y;
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t r = 0; r < length && numbers[i] >= 0; ++r) {
          T& to = wanted[static_cast<std::size_t>(numbers[i]) * length + r];
          to = combined_numbers(reduction, to, x[i * length + r]);
        }
      ElementIndices indices;
      indices.at = reinterpret_cast<const std::byte*>(numbers);
      indices.sizes[0] = 3;
      indices.strides[0] = run;
      indices.count = 4;
      indices.run = run;
      ASSERT_TRUE(scatter_elements(indices, reduction, type,
                                   reinterpret_cast<const std::byte*>(x.data()),
                                   reinterpret_cast<std::byte*>(y.data())));
      EXPECT_EQ(y, wanted) << static_cast<int>(reduction) << ", " << run;
    }
}
TEST(CombinedElements, RunsByFunctionsOfBits) {
  check_runs_of_bits<std::uint8_t>(ElementType::ui8);
  check_runs_of_bits<std::int16_t>(ElementType::i16);
  check_runs_of_bits<std::int32_t>(ElementType::i32);
  check_runs_of_bits<std::uint32_t>(ElementType::ui32);
  check_runs_of_bits<std::uint64_t>(ElementType::ui64);
}

// Blocks of numbers that seldom meet their equals, and of such that often do; a special number is
// in one of so many places.
template <class T>
void check_elements(ElementType type, const std::vector<Reduction>& reductions = {
                                          Reduction::minimum, Reduction::maximum}) {
  constexpr std::size_t kSize = 90, kCount = 2000;
  const std::vector<T> some = some_numbers<T>();
  for (const Reduction reduction : reductions)
    for (const unsigned apart : {1U, 2U, 40U, 1000U}) {
      std::mt19937 random(apart);
      const auto number = [&] {
        return random() % apart == 0 ? some[random() % some.size()]
                                     : static_cast<T>(static_cast<T>(random() % 100000) - T(50000));
      };
      std::vector<T> x(kSize), updates(kCount);
      std::vector<std::int32_t> numbers(kCount);
      for (T& one : x) one = number();
      for (T& one : updates) one = number();
      for (std::int32_t& at : numbers) at = static_cast<std::int32_t>(random() % (kSize + 2)) - 1;
      std::vector<T> wanted = x;
      for (std::size_t i = 0; i < kCount; ++i) {
        if (numbers[i] < 0 || numbers[i] >= static_cast<std::int32_t>(kSize)) continue;
        T& to = wanted[static_cast<std::size_t>(numbers[i])];
        to = combined_numbers(reduction, to, updates[i]);
        if (to != to) to = std::numeric_limits<T>::quiet_NaN();
      }
      ElementIndices indices;
      indices.at = reinterpret_cast<const std::byte*>(numbers.data());
      indices.type = ElementType::i32;
      indices.sizes[0] = kSize;
      indices.strides[0] = 1;
      indices.count = kCount;
      ASSERT_TRUE(scatter_elements(indices, reduction, type,
                                   reinterpret_cast<const std::byte*>(updates.data()),
                                   reinterpret_cast<std::byte*>(x.data())));
      EXPECT_TRUE(have_same_bits(x, wanted)) << static_cast<int>(reduction) << ", " << apart;
    }
}
TEST(CombinedElements, Extremes) {
  check_elements<float>(ElementType::f32);
  check_elements<double>(ElementType::f64);
  check_elements<std::int32_t>(ElementType::i32);
}
TEST(CombinedElements, IntegersOf8And16Bits) {
  const std::vector<Reduction> all{
      Reduction::sum,         Reduction::product,    Reduction::minimum,    Reduction::maximum,
      Reduction::logical_and, Reduction::logical_or, Reduction::logical_xor};
  check_elements<std::int8_t>(ElementType::i8, all);
  check_elements<std::uint8_t>(ElementType::ui8, all);
  check_elements<std::int16_t>(ElementType::i16, all);
  check_elements<std::uint16_t>(ElementType::ui16, all);
  check_elements<std::uint32_t>(
      ElementType::ui32, {Reduction::logical_and, Reduction::logical_or, Reduction::logical_xor});
}

}  // namespace
}  // namespace understudy::worker::ops
