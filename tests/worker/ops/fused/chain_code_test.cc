// SPDX-License-Identifier: Apache-2.0
// Chains as machine code give the bits of their steps and of the kernels: random programs over
// special values, with more values than registers, on every instruction set.
#include "worker/ops/chain_code/chain_code.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/program/kernels/samples.h"
#include "tests/worker/ops/fused/checked_chains.h"
#include "tests/worker/ops/fused/random_chains.h"

namespace understudy::worker {
namespace {

TEST(ChainCode, RandomChainsKeepTheirBits) {
  std::uint64_t count = 0;
  for (unsigned seed = 1; seed <= 60; ++seed)
    count += check_chains(RandomChain(seed, 1, 300).text(5 + static_cast<int>(seed) % 40), seed);
  std::uint64_t sets = 0;
  for (const auto* kernels : program::kernels::available())
    sets += ops::has_machine_code(*kernels) ? 1 : 0;
  if (sets > 0) {
    // Of 48 each; the others have too many functions that are kernels, most of them conversions.
    EXPECT_GT(count, 24 * sets);
  }
}

TEST(ChainCode, RandomChainsOfRowsKeepTheirBits) {
  constexpr int kColumns[] = {256, 100, 400};  // the last end within a piece
  for (unsigned seed = 1; seed <= 36; ++seed)
    check_chains(RandomChain(seed, 5, kColumns[seed % 3]).text(30), seed);
}

TEST(ChainCode, MoreValuesThanRegistersKeepTheirBits) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    check_chains(RandomChain(seed, 3, 512).text(200), seed);
}

// Floats of 16 bits are machine code as well, one chain for all steps, and a NaN that signals is
// loaded, selected, converted and stored with its bits: of arrays, rows, columns and constants.
TEST(ChainCode, HalvesBecomeOneChain) {
  for (const auto& [type, other, signaling] :
       {std::array{"bf16", "f16", "0xFF81"}, std::array{"f16", "bf16", "0xFC01"}}) {
    const std::string all = fmt::format("tensor<900x128x{}>", type);
    const std::string text = fmt::format(
        R"(func.func public @main(%x: {0}, %y: tensor<128x{1}>, %z: tensor<900x{1}>,
      %p: tensor<900x128xi1>, %q: tensor<900x128xi1>)
      -> ({0}, tensor<900x128xf32>, tensor<900x128x{2}>, {0}, {0}, tensor<900x128xf32>) {{
  %nan = stablehlo.constant dense<{3}> : {0}
  %row = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<128x{1}>) -> {0}
  %column = stablehlo.broadcast_in_dim %z, dims = [0] : (tensor<900x{1}>) -> {0}
  %t = stablehlo.multiply %x, %row : {0}
  %a = stablehlo.select %p, %x, %t : tensor<900x128xi1>, {0}
  %b = stablehlo.select %q, %column, %a : tensor<900x128xi1>, {0}
  %f = stablehlo.convert %b : ({0}) -> tensor<900x128xf32>
  %o = stablehlo.convert %b : ({0}) -> tensor<900x128x{2}>
  %c = stablehlo.select %p, %t, %nan : tensor<900x128xi1>, {0}
  %n = stablehlo.negate %b : {0}
  %d = stablehlo.select %q, %n, %c : tensor<900x128xi1>, {0}
  %e = stablehlo.select %p, %row, %t : tensor<900x128xi1>, {0}
  %g = stablehlo.convert %x : ({0}) -> tensor<900x128xf32>
  return %b, %f, %o, %d, %e, %g : {0}, tensor<900x128xf32>, tensor<900x128x{2}>, {0}, {0}, tensor<900x128xf32>
}})",
        all, type, other, signaling);
    std::uint64_t sets = 0;
    for (const auto* kernels : program::kernels::available())
      sets += ops::has_machine_code(*kernels) ? 1 : 0;
    for (unsigned seed = 1; seed <= 3; ++seed) EXPECT_EQ(check_chains(text, seed), sets) << type;
  }
}

constexpr std::size_t kDividends = 4096;  // several tiles

// Numbers where a quotient changes, next to them, and extreme ones. T: of 32 bits.
template <class T>
std::vector<T> dividends(T divisor, unsigned seed) {
  std::vector<T> all{0, 1, static_cast<T>(~0U), std::numeric_limits<T>::min(),
                     std::numeric_limits<T>::max()};
  std::mt19937 random(seed);
  while (all.size() < kDividends) {
    const auto any = static_cast<T>(random());
    const auto quotient = divisor == T{0} ? std::int64_t{any} : std::int64_t{any} / divisor;
    const std::int64_t multiple = quotient * divisor;
    for (const std::int64_t more : {-1, 0, 1}) all.push_back(static_cast<T>(multiple + more));
  }
  all.resize(kDividends);
  return all;
}

template <class T>
void check_division(T divisor) {
  const auto type = std::is_signed_v<T> ? "i32" : "ui32";
  const std::string text = fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}>) -> (tensor<{0}x{1}>, tensor<{0}x{1}>) {{
  %c = stablehlo.constant dense<{2}> : tensor<{0}x{1}>
  %q = stablehlo.divide %x, %c : tensor<{0}x{1}>
  %r = stablehlo.remainder %x, %c : tensor<{0}x{1}>
  %y = stablehlo.xor %q, %r : tensor<{0}x{1}>
  return %q, %y : tensor<{0}x{1}>, tensor<{0}x{1}>
}})",
      kDividends, type, divisor);
  const program::Executable executable = compiled(text, true);
  const std::vector<T> x = dividends(divisor, 5);
  std::vector<T> quotients, both;
  for (const std::int64_t one : x) {
    quotients.push_back(static_cast<T>(divisor == T{0} ? -1 : one / divisor));
    const auto rest = static_cast<T>(divisor == T{0} ? one : one % divisor);
    both.push_back(static_cast<T>(quotients.back() ^ rest));
  }
  Bytes argument = program::kernels::bytes_of(x);
  argument.resize(argument.size() + kSlack);
  for (const auto* kernels : program::kernels::available()) {
    OneChip chip(executable, *kernels, Mxu::Make::portable);
    chip.execution.chains.hot_elements = 0;
    std::vector<Bytes> results = chip.run({argument});
    for (Bytes& one : results) one.resize(kDividends * sizeof(T));
    EXPECT_TRUE(results[0] == program::kernels::bytes_of(quotients)) << divisor << kernels->isa;
    EXPECT_TRUE(results[1] == program::kernels::bytes_of(both)) << divisor << kernels->isa;
    if (ops::has_machine_code(*kernels)) {
      EXPECT_EQ(chip.execution.chains.compiled, 1U) << divisor;
    }
  }
}

TEST(ChainCode, DividesByConstants) {
  for (const std::uint32_t size :
       {0U,          1U,          2U,          3U,          5U,          6U,
        7U,          10U,         11U,         641U,        1000U,       65535U,
        65536U,      65537U,      0x40000000U, 0x40000001U, 0x7ffffffeU, 0x7fffffffU,
        0x80000000U, 0x80000001U, 0xaaaaaaabU, 0xfffffffeU})
    for (const std::uint32_t divisor : {size, 0U - size}) {
      check_division(static_cast<std::int32_t>(divisor));
      check_division(divisor);
    }
}

// Also a division alone, whose divisor is a constant or not.
TEST(ChainCode, DividesByOneNumberAlone) {
  for (const char* type : {"i32", "ui32"})
    for (const char* operation : {"divide", "remainder"})
      for (const char* divisor : {"10", "0", "7"})
        expect_same_bits(fmt::format(
            R"(func.func public @main(%x: tensor<70001x{0}>, %d: tensor<{0}>) -> (tensor<70001x{0}>, tensor<70001x{0}>) {{
  %c = stablehlo.constant dense<{2}> : tensor<70001x{0}>
  %q = stablehlo.{1} %x, %c : tensor<70001x{0}>
  %s = stablehlo.broadcast_in_dim %d, dims = [] : (tensor<{0}>) -> tensor<70001x{0}>
  %r = stablehlo.{1} %x, %s : tensor<70001x{0}>
  return %q, %r : tensor<70001x{0}>, tensor<70001x{0}>
}})",
            type, operation, divisor));
}

// Every 65521st pattern of f32: all exponents, both signs, NaN.
// By one of two numbers: powers of two are multiplied by their reciprocals, others divide.
TEST(ChainCode, DividesBySelections) {
  for (const char* type : {"f32", "bf16", "f16"})
    for (const auto& [one, other] :
         {std::pair{"2.0", "1.0"}, {"-0.25", "8.0"}, {"2.0", "3.0"}, {"3.0", "1.0"}})
      expect_same_bits(fmt::format(
          R"(func.func public @main(%x: tensor<10000x{0}>, %y: tensor<10000x{0}>) -> tensor<10000x{0}> {{
  %a = stablehlo.constant dense<{1}> : tensor<10000x{0}>
  %b = stablehlo.constant dense<{2}> : tensor<10000x{0}>
  %p = stablehlo.compare GT, %x, %y : (tensor<10000x{0}>, tensor<10000x{0}>) -> tensor<10000xi1>
  %d = stablehlo.select %p, %a, %b : tensor<10000xi1>, tensor<10000x{0}>
  %q = stablehlo.divide %x, %d : tensor<10000x{0}>
  return %q : tensor<10000x{0}>
}})",
          type, one, other));
}

TEST(ChainCode, FunctionsKeepTheirBits) {
  constexpr std::uint32_t kStep = 65521, kCount = 0xffffffffU / kStep / 128 * 128;
  std::vector<std::uint32_t> patterns(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) patterns[i] = i * kStep;
  Bytes argument = program::kernels::bytes_of(patterns);
  argument.resize(argument.size() + kSlack);
  for (const char* op :
       {"stablehlo.exponential %d", "stablehlo.exponential_minus_one %d", "stablehlo.tanh %d",
        "stablehlo.logistic %d", "stablehlo.log_plus_one %d", "stablehlo.rsqrt %d",
        "stablehlo.sqrt %d", "stablehlo.floor %d", "stablehlo.sign %d"}) {
    const std::string text = fmt::format(
        R"(func.func public @main(%x: tensor<{0}xf32>) -> (tensor<{0}xf32>, tensor<{0}xf32>) {{
  %d = stablehlo.add %x, %x : tensor<{0}xf32>
  %y = {1} : tensor<{0}xf32>
  %n = stablehlo.negate %y : tensor<{0}xf32>
  return %n, %d : tensor<{0}xf32>, tensor<{0}xf32>
}})",
        kCount, op);
    const program::Executable executable = compiled(text, true);
    for (const auto* kernels : program::kernels::available()) {
      std::vector<Bytes> results[2];
      for (const std::size_t hot : {std::size_t{0}, SIZE_MAX}) {
        OneChip chip(executable, *kernels, Mxu::Make::portable);
        chip.execution.chains.hot_elements = hot;
        results[hot == 0] = chip.run({argument});
      }
      EXPECT_TRUE(results[0] == results[1]) << op << ", " << kernels->isa;
    }
  }
}

// Of every number from 1 to 4: all other roots have the bits of one of these.
TEST(ChainCode, RootsAreThoseOfTheProcessor) {
  constexpr std::uint32_t kFirst = 0x3f800000U, kEnd = 0x40800000U, kCount = 1U << 20;
  const std::string text = fmt::format(
      R"(func.func public @main(%x: tensor<{0}xf32>) -> (tensor<{0}xf32>, tensor<{0}xf32>) {{
  %y = stablehlo.rsqrt %x : tensor<{0}xf32>
  %z = stablehlo.sqrt %x : tensor<{0}xf32>
  %n = stablehlo.negate %y : tensor<{0}xf32>
  %s = stablehlo.subtract %z, %y : tensor<{0}xf32>
  return %n, %s : tensor<{0}xf32>, tensor<{0}xf32>
}})",
      kCount);
  const program::Executable executable = compiled(text, true);
  std::vector<float> wanted[2];
  for (std::uint32_t start = kFirst; start < kEnd; start += kCount) {
    std::vector<std::uint32_t> x(kCount);
    for (std::vector<float>& one : wanted) one.clear();
    for (std::uint32_t i = 0; i < kCount; ++i) {
      x[i] = start + i;
      const float root = std::sqrt(std::bit_cast<float>(x[i]));
      wanted[0].push_back(-(1.0F / root));
      wanted[1].push_back(root - 1.0F / root);
    }
    Bytes argument = program::kernels::bytes_of(x);
    argument.resize(argument.size() + kSlack);
    OneChip chip(executable, program::kernels::select(""), Mxu::Make::portable);
    chip.execution.chains.hot_elements = 0;
    std::vector<Bytes> results = chip.run({argument});
    EXPECT_EQ(chip.execution.chains.compiled,
              ops::has_machine_code(program::kernels::select("")) ? 1U : 0U);
    for (std::size_t i = 0; i < 2; ++i) {
      results[i].resize(kCount * sizeof(float));
      EXPECT_TRUE(results[i] == program::kernels::bytes_of(wanted[i])) << start;
    }
  }
}

// Quotients by a constant are refined from a product where that is quicker, as it is for several in
// one chain. Of every significand for the first two divisors, of a part of them for others; of
// other sizes, at the borders, and of special numbers.
TEST(ChainCode, QuotientsByConstantsAreThoseOfTheProcessor) {
  constexpr std::uint32_t kCount = 1U << 18;
  constexpr std::uint32_t kDivisors[] = {0x437f0000U, 0x3fb504f3U, 0x40400000U, 0x3fffffffU,
                                         0x3f800001U, 0x35800001U, 0x497fffffU, 0x3ea8f5c3U,
                                         0xc0e00000U, 0x00400000U, 0x7e000001U, 0x40490fdbU};
  for (std::size_t d = 0; d < std::size(kDivisors); d += 2) {
    const float first = std::bit_cast<float>(kDivisors[d]);
    const float second = std::bit_cast<float>(kDivisors[d + 1]);
    const std::string text = fmt::format(
        R"(func.func public @main(%x: tensor<{0}xf32>, %i: tensor<{0}xi32>) -> (tensor<{0}xf32>, tensor<{0}xf32>) {{
  %c = stablehlo.constant dense<0x{1:08X}> : tensor<{0}xf32>
  %d = stablehlo.constant dense<0x{2:08X}> : tensor<{0}xf32>
  %q = stablehlo.divide %x, %c : tensor<{0}xf32>
  %r = stablehlo.divide %x, %d : tensor<{0}xf32>
  %w = stablehlo.convert %i : (tensor<{0}xi32>) -> tensor<{0}xf32>
  %v = stablehlo.divide %w, %c : tensor<{0}xf32>
  %s = stablehlo.negate %q : tensor<{0}xf32>
  %t = stablehlo.subtract %r, %v : tensor<{0}xf32>
  return %s, %t : tensor<{0}xf32>, tensor<{0}xf32>
}})",
        kCount, kDivisors[d], kDivisors[d + 1]);
    const program::Executable executable = compiled(text, true);
    for (std::uint32_t start = 0; start < 1U << 23; start += (d == 0 ? 1 : 8) * kCount) {
      std::vector<std::uint32_t> x(kCount), whole(kCount);
      std::vector<float> wanted[2];
      for (std::uint32_t i = 0; i < kCount; ++i) {
        // Every significand with usual exponents and signs; every 16th number may be any one.
        const std::uint32_t hash = (start + i) * 2654435761U;
        x[i] = i % 16 == 15 && start == 0
                   ? hash
                   : start + i + ((100U + hash % 60) << 23) + (hash & 0x80000000U);
        if (i < 8) x[i] = (i % 2 == 0 ? 0U : 0x80000000U) + (i < 4 ? 0U : 0x12000000U + start);
        whole[i] = i % 4 == 0 ? hash : hash >> (hash % 30);
        const float value = std::bit_cast<float>(x[i]);
        const float other = static_cast<float>(static_cast<std::int32_t>(whole[i]));
        wanted[0].push_back(-(value / first));
        wanted[1].push_back(value / second - other / first);
      }
      std::vector<Bytes> arguments{program::kernels::bytes_of(x),
                                   program::kernels::bytes_of(whole)};
      for (Bytes& one : arguments) one.resize(one.size() + kSlack);
      OneChip chip(executable, program::kernels::select(""), Mxu::Make::portable);
      chip.execution.chains.hot_elements = 0;
      const std::vector<Bytes> results = chip.run(arguments);
      EXPECT_EQ(chip.execution.chains.compiled > 0,
                ops::has_machine_code(program::kernels::select("")));
      std::size_t wrong = 0, nans = 0;
      for (std::size_t r = 0; r < 2; ++r)
        for (std::uint32_t i = 0; i < kCount; ++i) {
          float got = 0;
          std::memcpy(&got, results[r].data() + i * sizeof(float), sizeof(float));
          const bool are_nan = std::isnan(got) && std::isnan(wanted[r][i]);
          nans += are_nan ? 1 : 0;
          wrong += !are_nan && std::bit_cast<std::uint32_t>(got) !=
                                   std::bit_cast<std::uint32_t>(wanted[r][i])
                       ? 1
                       : 0;
        }
      EXPECT_EQ(wrong, 0U) << first << ", " << second << " from " << start;
      EXPECT_LT(nans, kCount / 100);
    }
  }
}

TEST(ChainCode, IsMadeOnceTheChainIsHot) {
  const std::string text = R"(func.func public @main(%x: tensor<1024xf32>, %n: tensor<i32>)
      -> tensor<1024xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %c = stablehlo.constant dense<0.5> : tensor<1024xf32>
  %r:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<1024xf32> cond {
    %p = stablehlo.compare GE, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %a = stablehlo.multiply %y, %c : tensor<1024xf32>
    %b = stablehlo.add %a, %x : tensor<1024xf32>
    %d = stablehlo.maximum %b, %c : tensor<1024xf32>
    %e = stablehlo.subtract %d, %y : tensor<1024xf32>
    %f = stablehlo.multiply %e, %e : tensor<1024xf32>
    %g = stablehlo.minimum %f, %c : tensor<1024xf32>
    %h = stablehlo.add %g, %a : tensor<1024xf32>
    stablehlo.return %j, %h : tensor<i32>, tensor<1024xf32>
  }
  return %r#1 : tensor<1024xf32>
})";
  const program::Executable executable = compiled(text, true);
  const auto& kernels = program::kernels::select("");
  const auto runs = [&](std::int32_t n) {
    std::vector<Bytes> arguments{program::kernels::sample(program::ElementType::f32, 1024, 1),
                                 program::kernels::bytes_of(std::vector<std::int32_t>{n})};
    for (Bytes& one : arguments) one.resize(one.size() + kSlack);
    OneChip chip(executable, kernels, Mxu::Make::portable);
    chip.execution.chains.hot_elements = 10 * 1024;
    chip.run(arguments);
    return chip.execution.chains.compiled;
  };
  EXPECT_EQ(runs(9), 0U);
  EXPECT_EQ(runs(10), ops::has_machine_code(kernels) ? 1U : 0U);
  EXPECT_EQ(runs(30), ops::has_machine_code(kernels) ? 1U : 0U);
}

}  // namespace
}  // namespace understudy::worker
