// SPDX-License-Identifier: Apache-2.0
// Vectorised functions of integers, and exact functions of f32, give what C++ and libm give, on
// every instruction set.
#include <bit>

#include "gtest/gtest.h"

#include "tests/program/kernels/samples.h"

namespace understudy::program::kernels {
namespace {

constexpr std::size_t kWholeNumbers = 4099;  // a tail after whole vectors

template <class T>
struct Pair {
  ElementType type;
  std::vector<T> a, b;
};

// Numbers of all sizes, the borders of the type, multiples of the divisor and their neighbours.
template <class T>
Pair<T> pairs_of(ElementType type) {
  std::mt19937_64 random(11);
  constexpr unsigned kBits = 8 * sizeof(T);
  const T borders[] = {0,
                       1,
                       static_cast<T>(-1),
                       std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::max(),
                       kBits - 1,
                       kBits};
  Pair<T> pair{type, {}, {}};
  for (std::size_t i = 0; i < kWholeNumbers; ++i) {
    T a = static_cast<T>(random() >> random() % kBits);
    T b = static_cast<T>(random() >> random() % kBits);
    if (random() % 4 == 0) b = borders[random() % std::size(borders)];
    if (random() % 4 == 0) a = borders[random() % std::size(borders)];
    if (random() % 4 == 0) {
      const auto whole = static_cast<std::uint64_t>(b) * (random() % 100);
      a = static_cast<T>(whole - random() % 2);
    }
    pair.a.push_back(a);
    pair.b.push_back(b);
  }
  return pair;
}

class WholeNumbers : public testing::TestWithParam<const KernelTable*> {
 protected:
  template <class T, class Wanted>
  void check(BinaryOp op, const Pair<T>& pair, const Wanted& wanted) {
    std::vector<T> found(kWholeNumbers);
    GetParam()->binary(op, pair.type)(pair.a.data(), pair.b.data(), found.data(), kWholeNumbers);
    for (std::size_t i = 0; i < kWholeNumbers; ++i)
      ASSERT_EQ(found[i], static_cast<T>(wanted(pair.a[i], pair.b[i])))
          << mlir_name(pair.type) << " of " << +pair.a[i] << " and " << +pair.b[i];
  }
  template <class T, class Wanted>
  void check(UnaryOp op, const Pair<T>& pair, const Wanted& wanted) {
    std::vector<T> found(kWholeNumbers);
    GetParam()->unary(op, pair.type)(pair.a.data(), found.data(), kWholeNumbers);
    for (std::size_t i = 0; i < kWholeNumbers; ++i)
      ASSERT_EQ(found[i], static_cast<T>(wanted(pair.a[i])))
          << mlir_name(pair.type) << " of " << +pair.a[i];
  }

  template <class T>
  void check_type(ElementType type) {
    using U = std::make_unsigned_t<T>;
    using S = std::make_signed_t<T>;
    constexpr std::uint64_t kBits = 8 * sizeof(T);
    const auto pair = pairs_of<T>(type);
    const auto overflows = [](T a, T b) {
      return std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
    };
    check(BinaryOp::divide, pair, [&](T a, T b) {
      return b == 0 ? static_cast<T>(-1) : overflows(a, b) ? a : static_cast<T>(a / b);
    });
    check(BinaryOp::remainder, pair, [&](T a, T b) {
      return b == 0 ? a : overflows(a, b) ? T{0} : static_cast<T>(a % b);
    });
    check(BinaryOp::shift_left, pair, [](T a, T b) {
      return static_cast<U>(b) >= kBits ? 0 : static_cast<std::uint64_t>(a) << static_cast<U>(b);
    });
    check(BinaryOp::shift_right_logical, pair, [](T a, T b) {
      return static_cast<U>(b) >= kBits ? U{0} : static_cast<U>(a) >> static_cast<U>(b);
    });
    check(BinaryOp::shift_right_arithmetic, pair, [](T a, T b) {
      const auto by = static_cast<U>(b) >= kBits ? kBits - 1 : static_cast<U>(b);
      return static_cast<S>(a) >> by;
    });
    check(UnaryOp::popcnt, pair, [](T a) { return std::popcount(static_cast<U>(a)); });
    check(UnaryOp::count_leading_zeros, pair,
          [](T a) { return std::countl_zero(static_cast<U>(a)); });
    check(BinaryOp::power, pair, [](T base, T exponent) {
      if (exponent < 0)
        return base == 1 ? 1 : base != static_cast<T>(-1) ? 0 : exponent % 2 ? -1 : 1;
      std::uint64_t product = 1, square = static_cast<std::uint64_t>(base);
      for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left /= 2, square *= square)
        if (left % 2 != 0) product *= square;
      return static_cast<int>(static_cast<T>(product));
    });
  }
};

TEST_P(WholeNumbers, GiveTheIntegersOfCpp) {
  check_type<std::int8_t>(ElementType::i8);
  check_type<std::uint8_t>(ElementType::ui8);
  check_type<std::int16_t>(ElementType::i16);
  check_type<std::uint16_t>(ElementType::ui16);
  check_type<std::int32_t>(ElementType::i32);
  check_type<std::uint32_t>(ElementType::ui32);
}

// All pairs have one divisor: quotients on both sides of whole ones, and the borders of the type.
template <class T>
void divide_by_one_number(const KernelTable& table, ElementType type) {
  Pair<T> pair = pairs_of<T>(type);
  const std::vector<T> divisors = pair.b;
  for (std::size_t d = 0; d < 60; ++d) {
    const T b = divisors[d];
    pair.b.assign(kWholeNumbers, b);
    for (std::size_t i = 0; i < kWholeNumbers; i += 3)
      pair.a[i] = static_cast<T>(static_cast<std::uint64_t>(b) * (i / 3) - i % 2);
    for (std::size_t i = 0; i < 7; ++i) pair.a[i] = divisors[i];
    for (const BinaryOp op : {BinaryOp::divide, BinaryOp::remainder}) {
      std::vector<T> found(kWholeNumbers);
      table.binary(op, type)(pair.a.data(), pair.b.data(), found.data(), kWholeNumbers);
      for (std::size_t i = 0; i < kWholeNumbers; ++i) {
        const T a = pair.a[i];
        const std::int64_t x = a, y = b;
        const std::int64_t wanted =
            op == BinaryOp::divide ? (y == 0 ? -1 : x / y) : (y == 0 ? x : x % y);
        ASSERT_EQ(found[i], static_cast<T>(wanted)) << +a << " and " << +b;
      }
    }
  }
}
TEST_P(WholeNumbers, AreDividedByOneNumber) {
  divide_by_one_number<std::int32_t>(*GetParam(), ElementType::i32);
  divide_by_one_number<std::uint32_t>(*GetParam(), ElementType::ui32);
}

TEST_P(WholeNumbers, CountTheBitsOf64BitNumbers) {
  const auto pair = pairs_of<std::uint64_t>(ElementType::ui64);
  check(UnaryOp::popcnt, pair, [](std::uint64_t a) { return std::popcount(a); });
  check(UnaryOp::count_leading_zeros, pair, [](std::uint64_t a) { return std::countl_zero(a); });
}

// Quotients of all sizes, whole multiples, zeros of both signs, infinities and NaN.
TEST_P(WholeNumbers, RemaindersAndNeighboursOfF32AreThoseOfLibm) {
  std::vector<float> a = values_of<float>(sample(ElementType::f32, kWholeNumbers, 5));
  const std::vector<float> b = values_of<float>(sample(ElementType::f32, kWholeNumbers, 6));
  for (std::size_t i = 0; i < kWholeNumbers; i += 3) a[i] = b[i] * static_cast<float>(i);
  const auto check_bits = [&](BinaryOp op, auto wanted) {
    std::vector<float> found(kWholeNumbers);
    GetParam()->binary(op, ElementType::f32)(a.data(), b.data(), found.data(), kWholeNumbers);
    for (std::size_t i = 0; i < kWholeNumbers; ++i) {
      const float one = wanted(a[i], b[i]);
      ASSERT_EQ(std::bit_cast<std::uint32_t>(found[i]),
                one != one ? 0x7fc00000U : std::bit_cast<std::uint32_t>(one))
          << a[i] << " and " << b[i];
    }
  };
  check_bits(BinaryOp::remainder, [](float x, float y) { return std::fmod(x, y); });
  check_bits(BinaryOp::next_after, [](float x, float y) { return std::nextafter(x, y); });
}

INSTANTIATE_TEST_SUITE_P(Tables, WholeNumbers, testing::ValuesIn(available()),
                         [](const auto& table) { return std::string(table.param->isa); });

}  // namespace
}  // namespace understudy::program::kernels
