// SPDX-License-Identifier: Apache-2.0
// The bounds that docs/numerics.md promises hold on a sample of arguments, for every table of
// kernels that this CPU has. The page is read here, so that page and kernels cannot drift apart.
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "configs/base/file.h"
#include "program/ir/element_type.h"
#include "program/kernels/kernels.h"
#include "program/lowering/lowering.h"
#include "tests/numerics/references.h"

namespace understudy::numerics {
namespace {

using program::ElementType;
using Bytes = std::vector<std::byte>;

constexpr ElementType kTypes[] = {ElementType::f32,  ElementType::f64, ElementType::f16,
                                  ElementType::bf16, ElementType::c64, ElementType::c128};

struct Bound {
  std::string function;
  ElementType type;
  double units;  // of the last place
};

std::string stripped(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// The cells of the table between the two marks.
std::vector<Bound> bounds_of_the_page() {
  const std::string page = read_text_file(UNDERSTUDY_SOURCE_DIR "/docs/numerics.md");
  const std::size_t begin = page.find("<!-- table of measure.py -->");
  std::istringstream lines(page.substr(begin, page.find("<!-- end of the table -->") - begin));
  std::vector<Bound> bounds;
  std::string line;
  for (int number = 0; std::getline(lines, line); ++number) {
    if (number < 3) continue;  // the mark and the head
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, '|');
    std::getline(cells, cell, '|');
    const std::string function = stripped(cell);
    for (const ElementType type : kTypes) {
      std::getline(cells, cell, '|');
      if (!stripped(cell).empty()) bounds.push_back({function, type, std::stod(cell)});
    }
  }
  return bounds;
}

ElementType part_of(ElementType type) {
  return type == ElementType::c64    ? ElementType::f32
         : type == ElementType::c128 ? ElementType::f64
                                     : type;
}

// The last place of results of about this size.
Real unit_at(Real size, ElementType type) {
  struct Format {
    int bits, least;
  };
  static const std::map<ElementType, Format> kFormats = {{ElementType::f32, {24, -126}},
                                                         {ElementType::f64, {53, -1022}},
                                                         {ElementType::f16, {11, -14}},
                                                         {ElementType::bf16, {8, -126}}};
  const Format& format = kFormats.at(part_of(type));
  int exponent = 0;
  std::frexp(size, &exponent);
  return std::ldexp(1.0L, std::max(exponent - 1, format.least) - (format.bits - 1));
}

// `values` rounded to the type's parts.
Bytes stored(const std::vector<double>& values, ElementType type) {
  Bytes bytes(values.size() * program::byte_size(part_of(type)));
  program::kernels::select("portable")
      .convert(ElementType::f64, part_of(type))(values.data(), bytes.data(), values.size());
  return bytes;
}
std::vector<double> numbers(const Bytes& bytes, ElementType type) {
  std::vector<double> values(bytes.size() / program::byte_size(part_of(type)));
  program::kernels::select("portable")
      .convert(part_of(type), ElementType::f64)(bytes.data(), values.data(), values.size());
  return values;
}

std::vector<double> drawn(const Range& range, std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> inside(range.low, range.high);
  std::uniform_real_distribution<double> exponent(-12, 0);
  std::vector<double> values;
  while (values.size() < n) {
    const double value = inside(random);
    // Every other one nearer to zero by up to 2^-12, where that is inside.
    const double small = std::ldexp(value, static_cast<int>(exponent(random)));
    const bool use_small = values.size() % 2 == 1 && small > range.low;
    values.push_back(use_small ? small : value);
  }
  return values;
}

Real distance(double got, Real exact) {
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) == std::isnan(exact) ? 0 : 1e30L;
  if (std::isinf(exact)) return got == static_cast<double>(exact) ? 0 : 1e30L;
  if (std::isinf(got)) return 0;  // whether it overflows rightly, tests of single values say
  return std::fabs(static_cast<Real>(got) - exact);
}

// Near irrational zeros no relative bound holds: the last place of values of this size counts.
Real least_size(std::string_view function) {
  return function == "digamma" || function == "polygamma" ? 0.25L : 0;
}

struct Worst {
  Real least = 0;
  Real units = 0;
  std::string at;
  void see(Real miss, Real size, ElementType type, double a, double b) {
    const Real here = miss / unit_at(std::max(std::fabs(size), least), type);
    if (here <= units) return;
    units = here;
    at = fmt::format("({:.17g}, {:.17g})", a, b);
  }
};

class Bounds : public testing::TestWithParam<const program::kernels::KernelTable*> {
 protected:
  static constexpr std::size_t kCount = 3000;

  // kCount arguments as they are stored, and the function of each.
  std::pair<std::vector<double>, std::vector<double>> images(
      const Bound& bound, const std::vector<double>& arguments) const {
    const Bytes in = stored(arguments, bound.type);
    Bytes out(in.size());
    GetParam()->unary(*program::passes::unary_op_of(bound.function), bound.type)(
        in.data(), out.data(), kCount);
    return {numbers(in, bound.type), numbers(out, bound.type)};
  }

  Worst of_one(const Bound& bound) const {
    const auto [x, y] = images(bound, drawn(range_of(bound.function), kCount, 1));
    Worst worst{.least = least_size(bound.function), .at = ""};
    for (std::size_t i = 0; i < kCount; ++i) {
      const Real exact = real_function(bound.function)(x[i]);
      worst.see(distance(y[i], exact), exact, bound.type, x[i], 0);
    }
    return worst;
  }

  Worst of_two(const Bound& bound) const {
    std::vector<double> first = drawn(range_of(bound.function), kCount, 2);
    if (bound.function == "polygamma") {
      for (double& n : first) n = std::floor(std::fabs(n) / 5);
    }
    const Bytes a = stored(first, bound.type);
    const Range second = bound.function == "atan2" ? Range{-10, 10} : Range{0.2, 10};
    const Bytes b = stored(drawn(second, kCount, 3), bound.type);
    Bytes out(a.size());
    GetParam()->binary(*program::passes::binary_op_of(bound.function), bound.type)(
        a.data(), b.data(), out.data(), kCount);
    const auto x = numbers(a, bound.type);
    const auto w = numbers(b, bound.type);
    const auto y = numbers(out, bound.type);
    Worst worst{.least = least_size(bound.function), .at = ""};
    for (std::size_t i = 0; i < kCount; ++i) {
      const Real exact = real_function2(bound.function)(x[i], w[i]);
      worst.see(distance(y[i], exact), exact, bound.type, x[i], w[i]);
    }
    return worst;
  }

  Worst of_complex(const Bound& bound) const {
    const auto [x, y] = images(bound, drawn(range_of(""), 2 * kCount, 4));
    Worst worst{.least = least_size(bound.function), .at = ""};
    for (std::size_t i = 0; i < x.size(); i += 2) {
      const std::complex<Real> exact = complex_function(bound.function)({x[i], x[i + 1]});
      const Real miss = std::hypot(distance(y[i], exact.real()), distance(y[i + 1], exact.imag()));
      worst.see(miss, std::abs(exact), bound.type, x[i], x[i + 1]);
    }
    return worst;
  }
};

TEST_P(Bounds, OfThePageHold) {
  const std::vector<Bound> bounds = bounds_of_the_page();
  EXPECT_GE(bounds.size(), 150U);
  for (const Bound& bound : bounds) {
    const Worst worst = program::is_complex(bound.type)             ? of_complex(bound)
                        : real_function2(bound.function) != nullptr ? of_two(bound)
                                                                    : of_one(bound);
    // Long double itself is off by up to about 2^-11 of a last place of f64.
    EXPECT_LE(static_cast<double>(worst.units), bound.units + 0.001)
        << bound.function << " of " << mlir_name(bound.type) << " at " << worst.at;
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, Bounds, testing::ValuesIn(program::kernels::available()),
                         [](const auto& chosen) { return std::string(chosen.param->isa); });

}  // namespace
}  // namespace understudy::numerics
