// SPDX-License-Identifier: Apache-2.0
// Groups of channels: reductions over pixels and the channels of each group, in two steps, and
// values of groups repeated over both.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <random>

#include "gtest/gtest.h"

#include "program/executable/listing.h"
#include "tests/worker/ops/fused/same_bits.h"
#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

constexpr std::size_t kImages = 3, kPixels = 20, kGroups = 5, kChannels = 4;
constexpr std::size_t kAll = kImages * kPixels * kGroups * kChannels;

std::string reduction(const char* type, const char* operation) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<3x4x5x5x4x{0}>, %z: tensor<{0}>) -> tensor<3x5x{0}> {{
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.{1} across dimensions = [1, 2, 4] : (tensor<3x4x5x5x4x{0}>, tensor<{0}>) -> tensor<3x5x{0}>
  return %s : tensor<3x5x{0}>
}})",
      type, operation);
}

// A reduction of so many elements, each into the result that `result_of` says.
struct Reduction {
  std::string (*text)(const char* type, const char* operation);
  std::size_t elements, results;
  std::size_t (*result_of)(std::size_t element);
};
const Reduction kOfGroups{reduction, kAll, kImages* kGroups, [](std::size_t i) {
                            return i / (kPixels * kGroups * kChannels) * kGroups +
                                   i / kChannels % kGroups;
                          }};

// Of whole numbers, whose sums are exact in any order.
template <class T>
void expect_reductions(const char* type, const Reduction& reduction) {
  std::mt19937 random(5);
  std::vector<T> x(reduction.elements);
  for (T& one : x) one = static_cast<T>(static_cast<std::int64_t>(random() % 2001) - 1000);
  const auto expect = [&](const char* operation, T start, const std::function<T(T, T)>& combine) {
    std::vector<T> wanted(reduction.results, start);
    for (std::size_t i = 0; i < x.size(); ++i) {
      T& result = wanted[reduction.result_of(i)];
      result = combine(result, x[i]);
    }
    EXPECT_EQ(values_of<T>(run_program(reduction.text(type, operation),
                                       {bytes_of(x), bytes_of<T>({start})})[0]),
              wanted)
        << type << " " << operation;
  };
  for (const int start : {-2000, -900, 0, 900, 2000}) {
    const auto from = static_cast<T>(start);
    expect("add", from, [](T a, T b) { return a + b; });
    expect("maximum", from, [](T a, T b) { return std::max(a, b); });
    expect("minimum", from, [](T a, T b) { return std::min(a, b); });
  }
}
void expect_reductions_of_all(const Reduction& reduction) {
  expect_reductions<float>("f32", reduction);
  expect_reductions<double>("f64", reduction);
  expect_reductions<std::int32_t>("i32", reduction);
  expect_reductions<std::int64_t>("i64", reduction);
}

TEST(Groups, AreReducedInTwoSteps) {
  const std::string text = list(compiled(reduction("f32", "add")));
  EXPECT_NE(text.find("reduce{sum over [1,2]}"), std::string::npos) << text;
  EXPECT_NE(text.find("reduce{sum over [2]}"), std::string::npos) << text;
  expect_reductions_of_all(kOfGroups);
}

// Of channels: batches, then pixels.
std::string of_channels(const char* type, const char* operation) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<3x5x16x20x{0}>, %z: tensor<{0}>) -> tensor<5x{0}> {{
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.{1} across dimensions = [0, 2, 3] : (tensor<3x5x16x20x{0}>, tensor<{0}>) -> tensor<5x{0}>
  return %s : tensor<5x{0}>
}})",
      type, operation);
}
constexpr std::size_t kBatches = 3, kFeatures = 5, kImage = 16 * 20;

const Reduction kOfChannels{of_channels, kBatches* kFeatures* kImage, kFeatures,
                            [](std::size_t i) { return i / kImage % kFeatures; }};

TEST(Groups, LongRunsAreReducedFirst) {
  const std::string text = list(compiled(of_channels("f32", "add")));
  EXPECT_NE(text.find("reduce{sum over [2,3]}"), std::string::npos) << text;
  EXPECT_NE(text.find("reduce{sum over [0]}"), std::string::npos) << text;
  expect_reductions_of_all(kOfChannels);
  const std::vector<float> zeros(kBatches * kFeatures * kImage, -0.0F);
  for (const float sum : values_of<float>(
           run_program(of_channels("f32", "add"), {bytes_of(zeros), bytes_of<float>({-0.0F})})[0]))
    EXPECT_EQ(std::bit_cast<std::uint32_t>(sum), 0x80000000U);
}

// What computes the elements is part of the loop that adds them up.
TEST(Groups, LongRunsFuseWithTheirOperands) {
  const std::string text =
      R"(func.func public @main(%x: tensor<3x5x16x20xf32>) -> tensor<5xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.tanh %x : tensor<3x5x16x20xf32>
  %m = stablehlo.multiply %t, %x : tensor<3x5x16x20xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<3x5x16x20xf32>, tensor<f32>) -> tensor<5xf32>
  return %s : tensor<5xf32>
})";
  EXPECT_EQ(list(compiled(text)).find("f32[3,5,16,20] = fused"), std::string::npos);
  expect_same_bits(text);
}

// Neither step adds a zero of the other sign.
TEST(Groups, SumsOfNegativeZerosAreNegative) {
  const std::vector<float> zeros(kAll, -0.0F);
  for (const float sum : values_of<float>(
           run_program(reduction("f32", "add"), {bytes_of(zeros), bytes_of<float>({-0.0F})})[0]))
    EXPECT_EQ(std::bit_cast<std::uint32_t>(sum), 0x80000000U);
}

// Long runs, and few rows, are reduced in one step.
TEST(Groups, OtherReductionsStayWhole) {
  for (const char* shape : {"3x20x5x40", "3x10x5x4", "3x20x1x4"}) {
    const std::string text = list(compiled(fmt::format(
        R"(func.func public @main(%x: tensor<{0}xf32>, %z: tensor<f32>) -> tensor<3x{1}xf32> {{
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1, 3] : (tensor<{0}xf32>, tensor<f32>) -> tensor<3x{1}xf32>
  return %s : tensor<3x{1}xf32>
}})",
        shape, std::string_view(shape) == "3x20x1x4" ? 1 : 5)));
    EXPECT_EQ(text.find("reduce{"), text.rfind("reduce{")) << text;
  }
}

// One value of each group, over all pixels and channels.
TEST(Groups, RepeatedValuesKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "i8", "complex<f64>"})
    for (const auto& [images, pixels, groups, channels] :
         {std::tuple{3, 20, 5, 4}, {1, 100, 8, 4}, {2, 16, 2, 32}, {2, 3, 5, 4}, {3, 20, 5, 40}}) {
      const std::string text = fmt::format(
          R"(func.func public @main(%x: tensor<{0}x{1}x{2}x{3}x{4}>, %m: tensor<{0}x{2}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}> {{
  %r = stablehlo.broadcast_in_dim %m, dims = [0, 2] : (tensor<{0}x{2}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}>
  %y = stablehlo.add %x, %r : tensor<{0}x{1}x{2}x{3}x{4}>
  return %y : tensor<{0}x{1}x{2}x{3}x{4}>
}})",
          images, pixels, groups, channels, type);
      expect_same_bits(text, 0, {"split-repeats"});
      expect_same_bits(text, 0, {"split-repeats", "fuse-elementwise"});
    }
}

// The factors of a Kronecker product: elements repeated in repeated rows, and groups likewise.
TEST(Groups, FactorsOfKroneckerProductsKeepTheirBits) {
  for (const auto& [rows, columns, high, wide] :
       {std::tuple{20, 17, 8, 8}, {9, 40, 16, 4}, {3, 5, 9, 33}, {1, 12, 10, 3}}) {
    const std::string text = fmt::format(
        R"(func.func public @main(%a: tensor<{0}x{1}xf32>, %b: tensor<{2}x{3}xf32>) -> tensor<{0}x{2}x{1}x{3}xf32> {{
  %x = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<{0}x{1}xf32>) -> tensor<{0}x{2}x{1}x{3}xf32>
  %y = stablehlo.broadcast_in_dim %b, dims = [1, 3] : (tensor<{2}x{3}xf32>) -> tensor<{0}x{2}x{1}x{3}xf32>
  %r = stablehlo.multiply %x, %y : tensor<{0}x{2}x{1}x{3}xf32>
  return %r : tensor<{0}x{2}x{1}x{3}xf32>
}})",
        rows, columns, high, wide);
    expect_same_bits(text, 0, {"split-repeats"});
    expect_same_bits(text, 0, {"split-repeats", "fuse-elementwise"});
  }
}

}  // namespace
}  // namespace understudy::worker
