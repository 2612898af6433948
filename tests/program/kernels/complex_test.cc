// SPDX-License-Identifier: Apache-2.0
// Vectorised functions of complex<f32>: each part is what the formula gives in double, rounded
// once, on every instruction set and in every place of a vector.
#include <bit>
#include <cmath>
#include <complex>
#include <random>

#include "gtest/gtest.h"

#include "tests/program/kernels/samples.h"

namespace understudy::program::kernels {
namespace {

using Narrow = std::complex<float>;
using Wide = std::complex<double>;
const std::size_t kCounts[] = {0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 33, 1003};

std::uint32_t code_of(double part) {
  const auto narrow = static_cast<float>(part);
  return narrow != narrow ? 0x7fc00000U : std::bit_cast<std::uint32_t>(narrow);
}
// std::complex's own product repairs infinities.
Wide product(Wide a, Wide b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

class ComplexFunctions : public testing::TestWithParam<const KernelTable*> {
 protected:
  template <class Wanted>
  void check(BinaryOp op, const Wanted& wanted) {
    const auto kernel = GetParam()->binary(op, ElementType::c64);
    for (const std::size_t n : kCounts) {
      const auto x = values_of<Narrow>(sample(ElementType::c64, n, 21));
      const auto y = values_of<Narrow>(sample(ElementType::c64, n, 22));
      std::vector<Narrow> found(n + 1, Narrow(5, 6));
      kernel(x.data(), y.data(), found.data(), n);
      EXPECT_EQ(found[n], Narrow(5, 6));
      for (std::size_t i = 0; i < n; ++i) expect_same(found[i], wanted(x[i], y[i]), i);
      auto in_place = y;
      kernel(x.data(), in_place.data(), in_place.data(), n);
      EXPECT_EQ(bytes_of(in_place), bytes_of(std::vector<Narrow>(found.begin(), found.end() - 1)));
    }
  }
  static void expect_same(Narrow found, Wide wanted, std::size_t i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(found.real()), code_of(wanted.real())) << i;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(found.imag()), code_of(wanted.imag())) << i;
  }
};

TEST_P(ComplexFunctions, SumsRoundOnce) {
  check(BinaryOp::add,
        [](Wide a, Wide b) { return Wide(a.real() + b.real(), a.imag() + b.imag()); });
  check(BinaryOp::subtract,
        [](Wide a, Wide b) { return Wide(a.real() - b.real(), a.imag() - b.imag()); });
}

// Two products and their sum for each part, as XLA expands it: x times its conjugate is real.
TEST_P(ComplexFunctions, ProductsRoundEachStep) {
  const auto rounded = [](float a, float b) {
    const volatile float product = a * b;
    return product;
  };
  const auto multiply = [&](Wide a, Wide b) {
    const Narrow x(a), y(b);
    return Wide(rounded(x.real(), y.real()) - rounded(x.imag(), y.imag()),
                rounded(x.real(), y.imag()) + rounded(x.imag(), y.real()));
  };
  check(BinaryOp::multiply, multiply);
  const auto x = values_of<Narrow>(sample(ElementType::c64, 99, 25));
  std::vector<Narrow> squares(x.size()), conjugates(x.size()), sizes(x.size());
  GetParam()->unary(UnaryOp::square, ElementType::c64)(x.data(), squares.data(), x.size());
  GetParam()->unary(UnaryOp::conj, ElementType::c64)(x.data(), conjugates.data(), x.size());
  GetParam()->binary(BinaryOp::multiply, ElementType::c64)(x.data(), conjugates.data(),
                                                           sizes.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    expect_same(squares[i], multiply(x[i], x[i]), i);
    const bool is_finite = std::isfinite(x[i].real()) && std::isfinite(x[i].imag());
    if (is_finite && std::isfinite(sizes[i].real())) {
      EXPECT_EQ(sizes[i].imag(), 0.0F) << i;
    }
  }
}

// Near 0, beyond the range of squares and for infinities it is not the quotient of two f32.
TEST_P(ComplexFunctions, DirectionsHaveLengthOne) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<Narrow> x = {{3, 4},      {-0.0F, 2}, {1e-40F, 1e-40F}, {3e38F, -3e38F},
                           {1e-30F, 0}, {0, 5e9},   {-7e25F, 7},      {1, -1}};
  for (int i = 0; i < 40; ++i)
    x.emplace_back(std::ldexp(1.0F + static_cast<float>(i) / 64, i * 5 - 100),
                   -std::ldexp(1.5F, i * 5 - 101));
  x.emplace_back(0.0F, 0.0F);
  x.emplace_back(infinity, 1.0F);
  const auto kernel = GetParam()->unary(UnaryOp::sign, ElementType::c64);
  std::vector<Narrow> found(x.size());
  kernel(x.data(), found.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    Narrow alone;  // as no part of a vector
    kernel(&x[i], &alone, 1);
    EXPECT_EQ(bytes_of(std::vector<Narrow>{alone}), bytes_of(std::vector<Narrow>{found[i]})) << i;
    if (!std::isfinite(x[i].real())) continue;
    const Wide exact(x[i]);
    const Wide wanted = exact == Wide(0) ? exact : exact / std::abs(exact);
    EXPECT_LT(std::abs(Wide(found[i]) - wanted), 1.2e-7) << i;
  }
}

// Of the divisors to which this formula applies.
TEST_P(ComplexFunctions, QuotientsRoundOnce) {
  constexpr std::size_t kCount = 997;
  const auto x = values_of<Narrow>(sample(ElementType::c64, kCount, 23));
  const auto y = values_of<Narrow>(sample(ElementType::c64, kCount, 24));
  std::vector<Narrow> found(kCount);
  GetParam()->binary(BinaryOp::divide, ElementType::c64)(x.data(), y.data(), found.data(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!std::isfinite(y[i].real()) || !std::isfinite(y[i].imag()) || y[i] == Narrow(0)) continue;
    const Wide b(y[i]), above = product(Wide(x[i]), std::conj(b));
    const double below = b.real() * b.real() + b.imag() * b.imag();
    expect_same(found[i], Wide(above.real() / below, above.imag() / below), i);
  }
}

// Quotients of numbers of all sizes, with zeros, infinities and NaN among the dividends; real
// divisors fill whole vectors, as the division by those may take another way; among them quotients
// in the middle of two f32.
TEST_P(ComplexFunctions, QuotientsOfAllSizesRoundOnce) {
  constexpr float kSpecial[] = {0.0F, -0.0F, std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
  constexpr std::size_t kRun = 48;
  std::mt19937 random(11);
  const auto part = [&] {
    const float size = std::ldexp(static_cast<float>(random() | 1U) / 4e9F,
                                  static_cast<int>(random() % 270) - 145);
    return random() % 2 == 0 ? size : -size;
  };
  std::vector<Narrow> x, y;
  for (std::size_t run = 0; run < 900; ++run)
    for (std::size_t i = 0; i < kRun; ++i) {
      const bool special = run % 3 == 0 && random() % 40 == 0;
      const float other = special ? kSpecial[random() % 4] : part();
      const float re = std::ldexp(1.0F + static_cast<float>(random() % 4096) / 4096, 3);
      // Powers of two as divisors: a quotient below the normal numbers may be the middle of two.
      if (run % 9 == 1) {
        const auto whole = static_cast<float>((1 << 23) + static_cast<int>(random() % (1 << 23)));
        x.emplace_back(std::ldexp(whole, -140), whole * re);
        y.emplace_back(std::ldexp(1.0F, static_cast<int>(random() % 25)), 0.0F);
      } else {
        x.emplace_back(random() % 2 == 0 ? Narrow(other, part()) : Narrow(part(), other));
        y.emplace_back(part(), run % 2 == 0 ? part() : run % 4 == 1 ? 0.0F : -0.0F);
      }
    }
  std::vector<Narrow> found(x.size());
  GetParam()->binary(BinaryOp::divide, ElementType::c64)(x.data(), y.data(), found.data(),
                                                         x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (y[i] == Narrow(0)) continue;
    const Wide b(y[i]), above = product(Wide(x[i]), std::conj(b));
    const double below = b.real() * b.real() + b.imag() * b.imag();
    expect_same(found[i], Wide(above.real() / below, above.imag() / below), i);
  }
}

// A number gives the same alone and in each place of a vector, beside numbers that go another way.
TEST_P(ComplexFunctions, PlacesDoNotMatter) {
  constexpr std::size_t kCount = 331;
  const auto x = values_of<Narrow>(sample(ElementType::c64, kCount, 25));
  const auto root = GetParam()->unary(UnaryOp::sqrt, ElementType::c64);
  const auto modulus = GetParam()->unary(UnaryOp::abs, ElementType::c64);
  for (std::size_t first = 0; first < 17; ++first) {
    const std::size_t n = kCount - first;
    std::vector<Narrow> roots(n), one(1);
    std::vector<float> sizes(n), size(1);
    root(x.data() + first, roots.data(), n);
    modulus(x.data() + first, sizes.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      root(x.data() + first + i, one.data(), 1);
      modulus(x.data() + first + i, size.data(), 1);
      const std::vector<Narrow> here{roots[i]};
      ASSERT_EQ(bytes_of(here), bytes_of(one)) << first << " " << i;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(sizes[i]), std::bit_cast<std::uint32_t>(size[0]));
    }
  }
}

TEST_P(ComplexFunctions, SpecialRootsAndSizes) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const std::vector<Narrow> x{{0.0F, -0.0F},  {-0.0F, 0.0F},  {nan, inf},  {-inf, 1.0F},
                              {3e38F, 3e38F}, {-4.0F, -0.0F}, {nan, 1.0F}, {1e-45F, 0.0F}};
  std::vector<Narrow> y(x.size());
  std::vector<float> size(x.size());
  GetParam()->unary(UnaryOp::sqrt, ElementType::c64)(x.data(), y.data(), x.size());
  GetParam()->unary(UnaryOp::abs, ElementType::c64)(x.data(), size.data(), x.size());
  expect_same(y[0], {0.0, -0.0}, 0);
  expect_same(y[1], {0.0, 0.0}, 1);
  expect_same(y[2], {inf, inf}, 2);
  expect_same(y[3], {0.0, inf}, 3);
  EXPECT_TRUE(std::isfinite(y[4].real()));
  expect_same(y[5], {0.0, -2.0}, 5);
  expect_same(y[6], {nan, nan}, 6);
  EXPECT_GT(y[7].real(), 0.0F);
  const std::vector<float> wanted{0.0F, 0.0F, inf, inf, inf, 4.0F, nan, 1e-45F};
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(size[i]), code_of(wanted[i])) << i;
}

// Roots in double are the processor's: of numbers of all sizes, and of right triangles whose
// longest side is in the middle of two f32.
TEST_P(ComplexFunctions, SizesRoundOnce) {
  std::vector<Narrow> x;
  std::mt19937 random(9);
  for (int i = 0; i < 20000; ++i) {
    const auto part = [&] {
      return std::ldexp(static_cast<float>(random()) / 4e9F,
                        static_cast<int>(random() % 240) - 130);
    };
    x.emplace_back(part(), i % 3 == 0 ? part() : x.empty() ? 1.0F : x.back().real() * 0.7F);
  }
  std::size_t ties = 0;
  for (std::int64_t a = 3000; a < 5700; a += 7)
    for (std::int64_t b = 2 + a % 2; b < a; b += 61) {
      const std::int64_t sides[] = {a * a - b * b, 2 * a * b}, longest = a * a + b * b;
      const Narrow one(static_cast<float>(sides[0]), static_cast<float>(sides[1]));
      if (static_cast<std::int64_t>(one.real()) != sides[0] ||
          static_cast<std::int64_t>(one.imag()) != sides[1])
        continue;
      ties += longest > (1 << 24) && longest < (1 << 25) && longest % 2 == 1;
      x.push_back(one);
    }
  EXPECT_GT(ties, 100U);
  std::vector<float> sizes(x.size());
  GetParam()->unary(UnaryOp::abs, ElementType::c64)(x.data(), sizes.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double re = x[i].real(), im = x[i].imag();
    ASSERT_EQ(sizes[i], static_cast<float>(std::sqrt(re * re + im * im))) << x[i];
  }
}

// Of parts in arrays of their own: numbers of all sizes among special ones.
TEST_P(ComplexFunctions, SizesOfPartsAreThoseOfNumbers) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const float special[] = {0.0F, -0.0F, inf, -inf, nan, 1e-45F, 3e38F, 1e-20F};
  std::mt19937 random(10);
  for (const std::size_t n : kCounts) {
    std::vector<Narrow> x(n);
    std::vector<float> re(n), im(n), wanted(n), found(n + 1, -1.0F);
    for (std::size_t i = 0; i < n; ++i) {
      const auto part = [&] {
        if (n > 9 && random() % 8 == 0) return special[random() % std::size(special)];
        return std::ldexp(static_cast<float>(random()) / -4e9F, static_cast<int>(random() % 9));
      };
      x[i] = {re[i] = part(), im[i] = part()};
    }
    GetParam()->unary(UnaryOp::abs, ElementType::c64)(x.data(), wanted.data(), n);
    GetParam()->binary(BinaryOp::hypot, ElementType::f32)(re.data(), im.data(), found.data(), n);
    EXPECT_EQ(found[n], -1.0F);
    found.pop_back();
    EXPECT_EQ(bytes_of(found), bytes_of(wanted)) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, ComplexFunctions, testing::ValuesIn(available()),
                         [](const auto& table) { return std::string(table.param->isa); });

}  // namespace
}  // namespace understudy::program::kernels
