// SPDX-License-Identifier: Apache-2.0
// argmax and argmin, as jax.numpy writes them, of types that are compared as wider ones, against
// their definition: the first NaN, else the first of the best.
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <random>

#include "gtest/gtest.h"

#include "program/executable/listing.h"
#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

constexpr int kHeight = 23, kWidth = 41;

std::string extremes_text(const char* type, bool largest, bool along_rows) {
  const bool is_float = type[0] == 'f';
  const std::string compared = is_float ? "" : type[0] == 'u' ? ", UNSIGNED" : ", SIGNED";
  const int results = along_rows ? kWidth : kHeight;
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}>, %s: tensor<{2}>) -> (tensor<{3}x{2}>, tensor<{3}xi32>) {{
  %n = stablehlo.iota dim = {4} : tensor<{0}x{1}xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %s), (%n init: %z) across dimensions = [{4}] :
      (tensor<{0}x{1}x{2}>, tensor<{0}x{1}xi32>, tensor<{2}>, tensor<i32>) -> (tensor<{3}x{2}>, tensor<{3}xi32>)
   reducer(%a: tensor<{2}>, %b: tensor<{2}>) (%i: tensor<i32>, %j: tensor<i32>)  {{
    %better = stablehlo.compare {5}, %a, %b{6} : (tensor<{2}>, tensor<{2}>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a{6} : (tensor<{2}>, tensor<{2}>) -> tensor<i1>
    %keeps = stablehlo.or %better, %nan : tensor<i1>
    %equal = stablehlo.compare EQ, %a, %b{6} : (tensor<{2}>, tensor<{2}>) -> tensor<i1>
    %first = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %equal, %first : tensor<i1>
    %place = stablehlo.or %keeps, %tie : tensor<i1>
    %value = stablehlo.select %keeps, %a, %b : tensor<i1>, tensor<{2}>
    %index = stablehlo.select %place, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %value, %index : tensor<{2}>, tensor<i32>
  }}
  return %r#0, %r#1 : tensor<{3}x{2}>, tensor<{3}xi32>
}})",
      kHeight, kWidth, type, results, along_rows ? 0 : 1, largest ? "GT" : "LT", compared);
}

// Of an f16 whose low eight bits are 0.
double value_of_f16(std::uint16_t code) {
  const int exponent = code >> 10 & 31, mantissa = code & 1023;
  const double magnitude = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
                           : exponent == 0 ? std::ldexp(mantissa, -24)
                                           : std::ldexp(1024 + mantissa, exponent - 25);
  return (code & 0x8000) != 0 ? -magnitude : magnitude;
}

void expect_positions(const char* type, const std::vector<std::uint16_t>& codes,
                      std::uint16_t start_of_largest, std::uint16_t start_of_smallest,
                      double (*value)(std::uint16_t)) {
  for (const bool largest : {true, false})
    for (const bool along_rows : {true, false}) {
      const std::string text = extremes_text(type, largest, along_rows);
      EXPECT_EQ(list(compiled(text)).find("= reduce{"), std::string::npos) << list(compiled(text));
      const std::vector start{largest ? start_of_largest : start_of_smallest};
      const auto got = run_program(text, {bytes_of(codes), bytes_of(start)});
      const auto values = values_of<std::uint16_t>(got[0]);
      const auto positions = values_of<std::int32_t>(got[1]);
      for (int r = 0; r < (along_rows ? kWidth : kHeight); ++r) {
        const auto at = [&](int k) {
          return codes[static_cast<std::size_t>(along_rows ? k * kWidth + r : r * kWidth + k)];
        };
        int best = 0;
        for (int k = 1; k < (along_rows ? kHeight : kWidth); ++k) {
          const double a = value(at(best)), b = value(at(k));
          if (!std::isnan(a) && (std::isnan(b) || (largest ? b > a : b < a))) best = k;
        }
        const auto row = static_cast<std::size_t>(r);
        EXPECT_EQ(positions[row], best) << type << largest << along_rows << r;
        if (std::isnan(value(at(best)))) {
          EXPECT_TRUE(std::isnan(value(values[row])));
        } else {
          EXPECT_EQ(value(values[row]), value(at(best))) << type << largest << along_rows << r;
        }
      }
    }
}

std::vector<std::uint16_t> random_codes(unsigned mask) {
  std::mt19937 random(9);
  std::vector<std::uint16_t> codes(std::size_t{kHeight} * kWidth);
  for (std::uint16_t& code : codes) code = static_cast<std::uint16_t>(random() & mask);
  return codes;
}

// Few of the codes that end with zeros are NaN, so that most rows have none.
TEST(ArgTypes, F16) {
  std::vector<std::uint16_t> codes = random_codes(0xff00);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (std::isnan(value_of_f16(codes[i])) && i % 200 != 0)
      codes[i] &= 0x83ff;  // subnormal or zero
  expect_positions("f16", codes, 0xfc00, 0x7c00, &value_of_f16);
}
TEST(ArgTypes, WholeNumbers) {
  expect_positions("i16", random_codes(0xff0f), 0x8000, 0x7fff, [](std::uint16_t code) {
    return static_cast<double>(static_cast<std::int16_t>(code));
  });
  expect_positions("ui16", random_codes(0xff0f), 0, 0xffff,
                   [](std::uint16_t code) { return static_cast<double>(code); });
}

}  // namespace
}  // namespace understudy::worker
