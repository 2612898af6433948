// SPDX-License-Identifier: Apache-2.0
// What the kernels compute: StableHLO's rules for integers and special values.
#include <algorithm>
#include <numeric>

#include "gtest/gtest.h"

#include "tests/program/kernels/samples.h"

namespace understudy::program::kernels {
namespace {

using E = ElementType;

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

TEST(IntegerKernels, DivisionByZeroGivesAllOnesAndRemainderTheDividend) {
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::divide, E::i32, 7, 0), -1);
  EXPECT_EQ(binary<std::uint8_t>(BinaryOp::divide, E::ui8, 7, 0), 255);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::remainder, E::i32, 7, 0), 7);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::divide, E::i32, INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::remainder, E::i32, INT32_MIN, -1), 0);
  EXPECT_EQ(binary<std::int64_t>(BinaryOp::divide, E::i64, -7, 2), -3);
  EXPECT_EQ(binary<std::int64_t>(BinaryOp::remainder, E::i64, -7, 2), -1);
}

TEST(IntegerKernels, WrapAtTheirWidth) {
  EXPECT_EQ(binary<std::int8_t>(BinaryOp::add, E::i8, 127, 1), -128);
  EXPECT_EQ(binary<std::int8_t>(BinaryOp::add, E::i4, 7, 1), -8);
  EXPECT_EQ(binary<std::uint8_t>(BinaryOp::subtract, E::ui4, 0, 1), 15);
  EXPECT_EQ(binary<std::int8_t>(BinaryOp::multiply, E::i2, -2, -1), -2);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::multiply, E::i32, 65536, 65537), 65536);
  EXPECT_EQ(unary<std::int8_t>(UnaryOp::negate, E::i8, -128), -128);
  EXPECT_EQ(unary<std::int64_t>(UnaryOp::abs, E::i64, INT64_MIN), INT64_MIN);
}

TEST(IntegerKernels, ShiftsByTheWidthOrMoreLeaveNothingButTheSign) {
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::shift_left, E::i32, 1, 31), INT32_MIN);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::shift_left, E::i32, 1, 32), 0);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::shift_left, E::i32, 1, -1), 0);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::shift_right_arithmetic, E::i32, -8, 1), -4);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::shift_right_arithmetic, E::i32, -8, 40), -1);
  EXPECT_EQ(binary<std::int8_t>(BinaryOp::shift_right_logical, E::i8, -1, 1), 127);
  EXPECT_EQ(binary<std::int8_t>(BinaryOp::shift_right_logical, E::i4, -1, 1), 7);
  EXPECT_EQ(binary<std::uint64_t>(BinaryOp::shift_right_logical, E::ui64, ~0ULL, 64), 0U);
}

TEST(IntegerKernels, PowersBySquaringAndTruncatedReciprocals) {
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::power, E::i32, -3, 5), -243);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::power, E::i32, 2, -1), 0);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::power, E::i32, -1, -3), -1);
  EXPECT_EQ(binary<std::int32_t>(BinaryOp::power, E::i32, -1, -4), 1);
  EXPECT_EQ(binary<std::uint8_t>(BinaryOp::power, E::ui8, 3, 6), 217);
}

TEST(IntegerKernels, CountBitsWithinTheWidth) {
  EXPECT_EQ(unary<std::int8_t>(UnaryOp::popcnt, E::i4, -1), 4);
  EXPECT_EQ(unary<std::int8_t>(UnaryOp::count_leading_zeros, E::i4, 1), 3);
  EXPECT_EQ(unary<std::uint16_t>(UnaryOp::count_leading_zeros, E::ui16, 0), 16);
  EXPECT_EQ(unary<std::int64_t>(UnaryOp::popcnt, E::i64, -1), 64);
  EXPECT_EQ(unary<std::uint8_t>(UnaryOp::logical_not, E::pred, 1), 0);
  EXPECT_EQ(unary<std::uint8_t>(UnaryOp::logical_not, E::ui4, 1), 14);
}

TEST(PredKernels, AddAndMultiplyAreOrAndAnd) {
  EXPECT_EQ(binary<std::uint8_t>(BinaryOp::add, E::pred, 1, 1), 1);
  EXPECT_EQ(binary<std::uint8_t>(BinaryOp::multiply, E::pred, 1, 0), 0);
  EXPECT_EQ(binary<std::uint8_t>(BinaryOp::logical_xor, E::pred, 1, 1), 0);
}

TEST(FloatKernels, MaximumAndMinimumCarryNanAndOrderZeros) {
  EXPECT_TRUE(std::isnan(binary(BinaryOp::maximum, E::f32, 1.0F, kNan)));
  EXPECT_TRUE(std::isnan(binary(BinaryOp::minimum, E::f32, kNan, 1.0F)));
  EXPECT_FALSE(std::signbit(binary(BinaryOp::maximum, E::f32, -0.0F, 0.0F)));
  EXPECT_FALSE(std::signbit(binary(BinaryOp::maximum, E::f32, 0.0F, -0.0F)));
  EXPECT_TRUE(std::signbit(binary(BinaryOp::minimum, E::f64, 0.0, -0.0)));
  EXPECT_EQ(binary(BinaryOp::maximum, E::f32, -2.0F, -3.0F), -2.0F);
}

TEST(FloatKernels, SignsAndRoundsKeepZerosAndNans) {
  EXPECT_TRUE(std::signbit(unary(UnaryOp::sign, E::f32, -0.0F)));
  EXPECT_TRUE(std::isnan(unary(UnaryOp::sign, E::f32, kNan)));
  EXPECT_EQ(unary(UnaryOp::sign, E::f64, -3.0), -1.0);
  EXPECT_EQ(unary(UnaryOp::round_nearest_even, E::f32, 2.5F), 2.0F);
  EXPECT_EQ(unary(UnaryOp::round_nearest_afz, E::f32, 2.5F), 3.0F);
  EXPECT_EQ(unary(UnaryOp::round_nearest_afz, E::f32, -2.5F), -3.0F);
  EXPECT_EQ(unary(UnaryOp::floor, E::f32, -0.5F), -1.0F);
  EXPECT_TRUE(std::signbit(unary(UnaryOp::ceil, E::f32, -0.5F)));
}

TEST(FloatKernels, TakeSpecialValuesToTheirLimits) {
  EXPECT_EQ(unary(UnaryOp::exponential, E::f32, -kInf), 0.0F);
  EXPECT_EQ(unary(UnaryOp::exponential, E::f32, 1000.0F), kInf);
  EXPECT_EQ(unary(UnaryOp::exponential_minus_one, E::f32, -kInf), -1.0F);
  EXPECT_EQ(unary(UnaryOp::log, E::f32, 0.0F), -kInf);
  EXPECT_EQ(unary(UnaryOp::log, E::f32, kInf), kInf);
  EXPECT_TRUE(std::isnan(unary(UnaryOp::log, E::f32, -1.0F)));
  EXPECT_EQ(unary(UnaryOp::log_plus_one, E::f32, -1.0F), -kInf);
  EXPECT_EQ(unary(UnaryOp::tanh, E::f32, kInf), 1.0F);
  EXPECT_TRUE(std::signbit(unary(UnaryOp::tanh, E::f32, -0.0F)));
  EXPECT_EQ(unary(UnaryOp::logistic, E::f32, -kInf), 0.0F);
  EXPECT_EQ(unary(UnaryOp::rsqrt, E::f32, 0.0F), kInf);
  EXPECT_EQ(unary(UnaryOp::rsqrt, E::f32, kInf), 0.0F);
  EXPECT_EQ(unary(UnaryOp::cbrt, E::f32, -kInf), -kInf);
  EXPECT_EQ(unary(UnaryOp::erf, E::f32, -kInf), -1.0F);
  EXPECT_EQ(unary(UnaryOp::erf_inv, E::f32, 1.0F), kInf);
  EXPECT_TRUE(std::isnan(unary(UnaryOp::erf_inv, E::f32, 1.5F)));
  EXPECT_TRUE(std::isnan(unary(UnaryOp::sine, E::f32, kInf)));
  EXPECT_EQ(unary(UnaryOp::exponential, E::bf16, std::uint16_t{0x7fc0}), 0x7fc0);
}

TEST(FloatKernels, PowersFollowTheRulesOfTheStandard) {
  EXPECT_EQ(binary(BinaryOp::power, E::f32, 0.0F, 0.0F), 1.0F);
  EXPECT_EQ(binary(BinaryOp::power, E::f32, kNan, 0.0F), 1.0F);
  EXPECT_EQ(binary(BinaryOp::power, E::f32, 1.0F, kNan), 1.0F);
  EXPECT_EQ(binary(BinaryOp::power, E::f32, -2.0F, 3.0F), -8.0F);
  EXPECT_TRUE(std::isnan(binary(BinaryOp::power, E::f32, -2.0F, 0.5F)));
  EXPECT_EQ(binary(BinaryOp::power, E::f32, 2.0F, 200.0F), kInf);
  EXPECT_EQ(binary(BinaryOp::power, E::f32, 0.5F, 200.0F), 0.0F);
  EXPECT_EQ(binary(BinaryOp::power, E::f32, -0.0F, -1.0F), -kInf);
}

TEST(FloatKernels, RemainderHasTheSignOfTheDividend) {
  EXPECT_EQ(binary(BinaryOp::remainder, E::f32, -5.5F, 2.0F), -1.5F);
  EXPECT_EQ(binary(BinaryOp::remainder, E::f32, 5.5F, -2.0F), 1.5F);
  EXPECT_TRUE(std::isnan(binary(BinaryOp::remainder, E::f32, 5.5F, 0.0F)));
}

TEST(Comparisons, TreatNanAsUnorderedUnlessTheOrderIsTotal) {
  const float x[] = {kNan, -kNan, -0.0F, 1.0F};
  const float y[] = {kNan, -kInf, 0.0F, kNan};
  std::uint8_t out[4];
  table().compare(Direction::lt, false, E::f32)(x, y, out, 4);
  EXPECT_EQ(std::vector<int>(out, out + 4), (std::vector<int>{0, 0, 0, 0}));
  table().compare(Direction::lt, true, E::f32)(x, y, out, 4);
  EXPECT_EQ(std::vector<int>(out, out + 4), (std::vector<int>{0, 1, 1, 1}));
  table().compare(Direction::ne, false, E::f32)(x, y, out, 4);
  EXPECT_EQ(std::vector<int>(out, out + 4), (std::vector<int>{1, 1, 0, 1}));
}

TEST(Conversions, SaturateFloatsAndWrapIntegers) {
  EXPECT_EQ((converted<std::int32_t>(E::f32, E::i32, 3e9F)), INT32_MAX);
  EXPECT_EQ((converted<std::int32_t>(E::f32, E::i32, -kInf)), INT32_MIN);
  EXPECT_EQ((converted<std::int32_t>(E::f32, E::i32, kNan)), 0);
  EXPECT_EQ((converted<std::int32_t>(E::f32, E::i32, -2.9F)), -2);
  EXPECT_EQ((converted<std::uint8_t>(E::f32, E::ui8, -1.0F)), 0);
  EXPECT_EQ((converted<std::int64_t>(E::f64, E::i64, 1e19)), INT64_MAX);
  EXPECT_EQ((converted<std::int8_t>(E::f32, E::i4, 100.0F)), 7);
  EXPECT_EQ((converted<std::int8_t>(E::i32, E::i8, 300)), 44);
  EXPECT_EQ((converted<std::int8_t>(E::i32, E::i4, 9)), -7);
  EXPECT_EQ((converted<std::uint32_t>(E::i8, E::ui32, std::int8_t{-1})), 0xffffffffU);
  EXPECT_EQ((converted<std::uint8_t>(E::f32, E::pred, 0.1F)), 1);
  EXPECT_EQ((converted<float>(E::pred, E::f32, std::uint8_t{1})), 1.0F);
}

TEST(Conversions, RoundOnceFromWiderTypes) {
  // Just above the middle of two bf16 values, by less than an f32 can tell.
  EXPECT_EQ((converted<std::uint16_t>(E::f64, E::bf16, 1.00390625 + 1e-12)), 0x3f81);
  EXPECT_EQ((converted<std::uint16_t>(E::f64, E::bf16, 1.00390625)), 0x3f80);
  EXPECT_EQ((converted<std::uint16_t>(E::f64, E::f16, 1.00048828125 + 1e-12)), 0x3c01);
  EXPECT_EQ((converted<std::uint16_t>(E::i64, E::bf16, (1LL << 60) + (1LL << 52))), 0x5d80);
  EXPECT_EQ((converted<std::uint16_t>(E::i64, E::bf16, (1LL << 60) + (1LL << 52) + 1)), 0x5d81);
  EXPECT_EQ((converted<std::uint16_t>(E::i32, E::bf16, (1 << 30) + (1 << 22))), 0x4e80);
  EXPECT_EQ((converted<std::uint16_t>(E::i32, E::bf16, (1 << 30) + (1 << 22) + 1)), 0x4e81);
  EXPECT_EQ((converted<std::uint16_t>(E::i32, E::bf16, std::numeric_limits<int>::min())), 0xcf00);
  EXPECT_EQ((converted<std::uint16_t>(E::ui32, E::bf16, 0xff800000U)), 0x4f80);
  EXPECT_EQ((converted<std::uint16_t>(E::ui32, E::bf16, 0xff7fffffU)), 0x4f7f);
  EXPECT_EQ((converted<std::uint16_t>(E::f32, E::f16, 65520.0F)), 0x7c00);
  EXPECT_EQ((converted<std::uint16_t>(E::f32, E::f16, 65519.0F)), 0x7bff);
  EXPECT_EQ((converted<std::uint16_t>(E::f32, E::f16, 5.9604645e-8F)), 1);
}

TEST(Conversions, KeepF16DenormalsAndNans) {
  EXPECT_EQ((converted<float>(E::f16, E::f32, std::uint16_t{1})), 5.9604645e-8F);
  EXPECT_EQ((converted<float>(E::f16, E::f32, std::uint16_t{0x8000})), -0.0F);
  EXPECT_EQ((converted<float>(E::f16, E::f32, std::uint16_t{0xfc00})), -kInf);
  EXPECT_TRUE(std::isnan(converted<float>(E::f16, E::f32, std::uint16_t{0x7e00})));
}

// (type, what ml_dtypes 0.6 makes of the inputs below)
struct Narrowed {
  ElementType type;
  std::vector<int> codes;
};
const float kInputs[] = {0.0F,   -0.0F,   kInf,  -kInf, kNan, 1e30F, -1e30F,
                         1e-40F, -1e-40F, -1.0F, 1.0F,  3.0F, 1.5F,  0.75F};

TEST(Conversions, NarrowToTheSmallFloatsAsMlDtypesDoes) {
  const std::vector<Narrowed> cases = {
      {E::f8e4m3, {0, 0x80, 0x78, 0xf8, 0x7c, 0x78, 0xf8, 0, 0x80, 0xb8, 0x38, 0x44, 0x3c, 0x34}},
      {E::f8e3m4, {0, 0x80, 0x70, 0xf0, 0x78, 0x70, 0xf0, 0, 0x80, 0xb0, 0x30, 0x48, 0x38, 0x28}},
      {E::f8e4m3fn, {0, 0x80, 0x7f, 0xff, 0x7f, 0x7f, 0xff, 0, 0x80, 0xb8, 0x38, 0x44, 0x3c, 0x34}},
      {E::f8e4m3b11fnuz, {0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0, 0xd8, 0x58, 0x64, 0x5c, 0x54}},
      {E::f8e4m3fnuz, {0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0, 0xc0, 0x40, 0x4c, 0x44, 0x3c}},
      {E::f8e5m2, {0, 0x80, 0x7c, 0xfc, 0x7e, 0x7c, 0xfc, 0, 0x80, 0xbc, 0x3c, 0x42, 0x3e, 0x3a}},
      {E::f8e5m2fnuz, {0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0, 0xc0, 0x40, 0x46, 0x42, 0x3e}},
      {E::f8e8m0fnu, {255, 255, 255, 255, 255, 0xe3, 255, 0, 255, 255, 0x7f, 0x81, 0x80, 0x7f}},
      {E::f6e2m3fn, {0, 0x20, 0x1f, 0x3f, 0x20, 0x1f, 0x3f, 0, 0x20, 0x28, 8, 0x14, 0xc, 6}},
      {E::f6e3m2fn, {0, 0x20, 0x1f, 0x3f, 0x20, 0x1f, 0x3f, 0, 0x20, 0x2c, 0xc, 0x12, 0xe, 0xa}},
      {E::f4e2m1fn, {0, 8, 7, 0xf, 8, 7, 0xf, 0, 8, 0xa, 2, 5, 3, 2}},
  };
  for (const Narrowed& wanted : cases) {
    for (std::size_t i = 0; i < std::size(kInputs); ++i) {
      EXPECT_EQ(int(converted<std::uint8_t>(E::f32, wanted.type, kInputs[i])), wanted.codes[i])
          << mlir_name(wanted.type) << " of " << kInputs[i];
    }
  }
}

// Every finite code comes back, and between two neighbours the nearer (or even) one is taken.
TEST(Conversions, SmallFloatsRoundToTheNearestOfTheirValues) {
  for (const ElementType type : all_types()) {
    if (!is_float(type) || byte_size(type) != 1 || type == E::f8e8m0fnu) continue;
    std::vector<std::pair<float, int>> values;
    for (unsigned code = 0; code < 256; ++code) {
      if (!valid_code(type, code)) continue;
      const auto value = converted<float>(type, E::f32, static_cast<std::uint8_t>(code));
      if (!std::isfinite(value) || value < 0 || std::signbit(value)) continue;
      values.emplace_back(value, int(code));
      EXPECT_EQ(unsigned(converted<std::uint8_t>(E::f32, type, value)), code) << mlir_name(type);
    }
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const auto [low, low_code] = values[i];
      const auto [high, high_code] = values[i + 1];
      const float middle = low + (high - low) / 2;
      const int even = low_code % 2 == 0 ? low_code : high_code;
      EXPECT_EQ(int(converted<std::uint8_t>(E::f32, type, middle)), even) << mlir_name(type);
      EXPECT_EQ(int(converted<std::uint8_t>(E::f32, type, std::nextafter(middle, 0.0F))), low_code);
      EXPECT_EQ(int(converted<std::uint8_t>(E::f32, type, std::nextafter(middle, kInf))),
                high_code);
    }
  }
}

TEST(Conversions, NarrowEveryBf16AsItsF32) {
  constexpr std::size_t kCount = 1 << 16;
  std::vector<std::uint16_t> x(kCount);
  std::iota(x.begin(), x.end(), std::uint16_t{0});
  for (const KernelTable* const table : available()) {
    std::vector<float> wide(kCount);
    table->convert(E::bf16, E::f32)(x.data(), wide.data(), kCount);
    for (const E type :
         {E::f8e5m2, E::f8e4m3fn, E::f8e4m3, E::f8e3m4, E::f8e4m3b11fnuz, E::f8e4m3fnuz,
          E::f8e5m2fnuz, E::f8e8m0fnu, E::f6e2m3fn, E::f6e3m2fn, E::f4e2m1fn}) {
      std::vector<std::uint8_t> direct(kCount), through(kCount);
      table->convert(E::bf16, type)(x.data(), direct.data(), kCount);
      table->convert(E::f32, type)(wide.data(), through.data(), kCount);
      for (std::size_t i = 0; i < kCount; ++i)
        ASSERT_EQ(direct[i], through[i]) << table->isa << " " << static_cast<int>(type) << " " << i;
    }
  }
}

TEST(Fold, KeepsBf16SumsInF32) {
  const std::vector<std::uint16_t> ones(1000, 0x3f80);
  float sum = 0;
  table().fold(Reduction::sum, E::bf16)(ones.data(), ones.size(), &sum);
  EXPECT_EQ(sum, 1000.0F);
}

TEST(Fold, AddsInSixteenLanesAndAFixedTree) {
  std::vector<float> x(100);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0F / static_cast<float>(i + 1);
  float lanes[16] = {};
  for (std::size_t i = 0; i < x.size(); ++i) lanes[i % 16] += x[i];
  for (std::size_t half = 8; half > 0; half /= 2) {
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  }
  float sum = 0.5F;
  table().fold(Reduction::sum, E::f32)(x.data(), x.size(), &sum);
  EXPECT_EQ(sum, 0.5F + lanes[0]);
}

}  // namespace
}  // namespace understudy::program::kernels
