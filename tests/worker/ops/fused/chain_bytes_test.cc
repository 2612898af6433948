// SPDX-License-Identifier: Apache-2.0
// Conversions of i8 and ui8 in chains give the bits of the kernels, as steps and as machine code.
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/program/kernels/samples.h"
#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// Bytes become other numbers, and numbers become bytes, within one chain: all of them, and floats
// at the ends of both types.
TEST(ChainCode, BytesAreConvertedInChains) {
  std::vector<float> floats;
  for (int n = -300; n <= 300; ++n)
    for (const float more : {-0.75F, -0.5F, 0.0F, 0.25F, 0.999F})
      floats.push_back(static_cast<float>(n) + more);
  for (const float one : {std::numeric_limits<float>::infinity(), 1e30F, 3e9F, 1e-40F, -0.0F})
    floats.insert(floats.end(), {one, -one});
  floats.push_back(std::numeric_limits<float>::quiet_NaN());
  floats.resize(4096, 0.0F);
  std::vector<std::uint8_t> bytes(floats.size());
  std::vector<std::int32_t> words(floats.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i);
    words[i] = static_cast<std::int32_t>(i * 0x01000193U);
  }
  std::vector<Bytes> arguments{program::kernels::bytes_of(floats),
                               program::kernels::bytes_of(bytes), program::kernels::bytes_of(words),
                               program::kernels::bytes_of(std::vector<std::uint8_t>{200}),
                               program::kernels::bytes_of(std::vector<std::uint8_t>(
                                   bytes.begin() + 120, bytes.begin() + 136))};
  for (Bytes& one : arguments) one.resize(one.size() + kSlack);
  for (const char* byte : {"i8", "ui8"})
    for (const char* type : {"f32", "bf16", "f16", "i32", "ui32"}) {
      const std::string text = fmt::format(
          R"(func.func public @main(%f: tensor<4096xf32>, %b: tensor<4096x{0}>, %w: tensor<4096xi32>,
      %q: tensor<{0}>, %r: tensor<16x{0}>)
    -> (tensor<4096x{1}>, tensor<4096x{0}>, tensor<4096x{0}>, tensor<16x256x{1}>) {{
  %x = stablehlo.convert %b : (tensor<4096x{0}>) -> tensor<4096x{1}>
  %c = stablehlo.broadcast_in_dim %q, dims = [] : (tensor<{0}>) -> tensor<4096x{0}>
  %d = stablehlo.convert %c : (tensor<4096x{0}>) -> tensor<4096x{1}>
  %y = stablehlo.add %x, %d : tensor<4096x{1}>
  %m = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<16x{0}>) -> tensor<16x256x{0}>
  %n = stablehlo.convert %m : (tensor<16x256x{0}>) -> tensor<16x256x{1}>
  %o = stablehlo.reshape %x : (tensor<4096x{1}>) -> tensor<16x256x{1}>
  %p = stablehlo.add %n, %o : tensor<16x256x{1}>
  %g = stablehlo.convert %f : (tensor<4096xf32>) -> tensor<4096x{2}>
  %z = stablehlo.convert %g : (tensor<4096x{2}>) -> tensor<4096x{0}>
  %v = stablehlo.add %w, %w : tensor<4096xi32>
  %u = stablehlo.convert %v : (tensor<4096xi32>) -> tensor<4096x{0}>
  return %y, %z, %u, %p : tensor<4096x{1}>, tensor<4096x{0}>, tensor<4096x{0}>, tensor<16x256x{1}>
}})",
          byte, type, type[0] == 'i' || type[0] == 'u' ? "f32" : type);
      expect_bits_of_kernels(text, arguments, fmt::format("{}, {}", byte, type));
    }
}

// Floats become integers of 32 bits, which saturate, and those floats: around the borders of both
// types, NaN, infinities and random bits.
TEST(ChainWords, ConversionsKeepTheirBits) {
  std::vector<float> floats;
  for (const float border : {0x1p31F, 0x1p32F, 0.0F, 1.0F, 0x1p24F})
    for (const float sign : {1.0F, -1.0F})
      for (const float x : {border, std::nextafter(border, 0.0F), std::nextafter(border, INFINITY)})
        floats.push_back(sign * x);
  for (const float x : {NAN, -NAN, INFINITY, -INFINITY, 0.5F, -0.5F, 2.5e9F, -0.99F})
    floats.push_back(x);
  std::mt19937 random(5);
  std::vector<std::uint32_t> words{0U, 1U, 0x7fffffffU, 0x80000000U, ~0U, 0x1000001U, 0xffffff7fU};
  while (floats.size() < 4096) floats.push_back(std::bit_cast<float>(std::uint32_t(random())));
  while (words.size() < 4096) words.push_back(std::uint32_t(random()) >> words.size() % 16);
  std::vector<Bytes> arguments{program::kernels::bytes_of(floats),
                               program::kernels::bytes_of(words)};
  for (Bytes& one : arguments) one.resize(one.size() + kSlack);
  for (const char* word : {"i32", "ui32"})
    for (const char* type : {"f32", "bf16", "f16"})
      expect_bits_of_kernels(
          fmt::format(
              R"(func.func public @main(%f: tensor<4096xf32>, %w: tensor<4096x{0}>) -> (tensor<4096x{0}>, tensor<4096xf32>) {{
  %g = stablehlo.convert %f : (tensor<4096xf32>) -> tensor<4096x{1}>
  %x = stablehlo.convert %g : (tensor<4096x{1}>) -> tensor<4096x{0}>
  %y = stablehlo.xor %x, %w : tensor<4096x{0}>
  %z = stablehlo.convert %w : (tensor<4096x{0}>) -> tensor<4096xf32>
  %s = stablehlo.negate %z : tensor<4096xf32>
  return %y, %s : tensor<4096x{0}>, tensor<4096xf32>
}})",
              word, type),
          arguments, fmt::format("{} of {}", word, type));
}

}  // namespace
}  // namespace understudy::worker
