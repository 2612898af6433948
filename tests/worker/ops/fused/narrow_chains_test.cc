// SPDX-License-Identifier: Apache-2.0
// Chains of integers of 8 and 16 bits, in lanes of their size, give the bits of the kernels.
#include <fmt/format.h>
#include <numeric>

#include "tests/worker/ops/fused/checked_chains.h"
#include "tests/worker/ops/fused/random_chains.h"

namespace understudy::worker {
namespace {

constexpr const char* kTypes[] = {"i8", "ui8", "i16", "ui16"};

std::uint64_t instruction_sets_with_code() {
  std::uint64_t sets = 0;
  for (const auto* kernels : program::kernels::available())
    sets += ops::has_machine_code(*kernels) ? 1 : 0;
  return sets;
}

// Shapes with fewer lanes than an iteration has, with the end within one, and of several tiles.
TEST(NarrowChains, RandomChainsKeepTheirBits) {
  constexpr int kShapes[][2] = {{1, 300}, {3, 7}, {1, 64}, {5, 100}, {1, 9001}, {40, 129}};
  std::uint64_t count = 0;
  for (unsigned seed = 1; seed <= 90; ++seed) {
    const auto [rows, columns] = kShapes[seed % 6];
    count += check_chains(RandomChain(seed, rows, columns, RandomChain::Numbers::narrow)
                              .text(5 + static_cast<int>(seed) % 40),
                          seed);
  }
  EXPECT_GT(count, 60 * instruction_sets_with_code());
}

TEST(NarrowChains, MoreValuesThanRegistersKeepTheirBits) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    check_chains(RandomChain(seed, 3, 512, RandomChain::Numbers::narrow).text(200), seed);
}

// All numbers of a type, which begin at 0 and end with -1.
Bytes all_numbers(const std::string& type, std::size_t n) {
  Bytes bytes;
  if (type.ends_with("16")) {
    std::vector<std::uint16_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::uint16_t{0});
    bytes = program::kernels::bytes_of(numbers);
  } else {
    std::vector<std::uint8_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::uint8_t{0});
    bytes = program::kernels::bytes_of(numbers);
  }
  bytes.resize(bytes.size() + kSlack);
  return bytes;
}

// Two steps, of which the first has all numbers, in lanes of its own size and in lanes of two
// bytes. It may read `number` as %c. `is_kept`: no pass removes it, so that they are a chain.
void check_step(const std::string& type, const std::string& step, int number, bool is_kept) {
  constexpr std::size_t kNumbers = 65536;
  const std::string array = fmt::format("tensor<{}x{}>", kNumbers, type);
  for (const std::string& wide : {type, std::string("i16")}) {
    const std::string text = fmt::format(
        R"(func.func public @main(%x: {0}) -> ({0}, tensor<{2}x{1}>) {{
  %c = stablehlo.constant dense<{4}> : {0}
  %y = stablehlo.{3} : {0}
  %z = stablehlo.xor %y, %x : {0}
  %w = stablehlo.convert %z : ({0}) -> tensor<{2}x{1}>
  return %y, %w : {0}, tensor<{2}x{1}>
}})",
        array, wide, kNumbers, step, number);
    expect_bits_on_each(text, {all_numbers(type, kNumbers)},
                        fmt::format("{} of {} and {}", step, type, number),
                        [&](const auto& chip, const auto& kernels, std::size_t hot) {
                          const ChainCompilation& chains = chip.execution.chains;
                          EXPECT_EQ(chains.refused, 0U) << step << type;
                          if (!is_kept) return;
                          EXPECT_EQ(chains.compiled > 0, hot == 0 && ops::has_machine_code(kernels))
                              << step << type;
                        });
  }
}

TEST(NarrowChains, FunctionsOfAllNumbersKeepTheirBits) {
  for (const std::string type : kTypes)
    for (const std::string op : {"negate", "not", "popcnt", "count_leading_zeros", "abs", "sign"}) {
      if ((op == "abs" || op == "sign") && type[0] == 'u') continue;
      check_step(type, fmt::format("{} %x", op), 0, true);
    }
}

TEST(NarrowChains, ShiftsOfAllNumbersKeepTheirBits) {
  for (const std::string type : kTypes)
    for (const char* op : {"shift_left", "shift_right_logical", "shift_right_arithmetic"})
      for (const int by : {0, 1, 3, 7, 8, 9, 15, 16, 100})
        check_step(type, fmt::format("{} %x, %c", op), by, by > 0 && by < 8);
}

// A result in the place of an operand: the last iteration begins within the one before it, and does
// not read what that one has stored.
TEST(NarrowChains, OverwriteTheirOperands) {
  for (const char* type : kTypes) {
    const std::string text = fmt::format(
        R"(func.func public @main(%x: tensor<5001x{0}> {{tf.aliasing_output = 0 : i32}}, %y: tensor<5001x{0}>)
    -> tensor<5001x{0}> {{
  %a = stablehlo.multiply %x, %x : tensor<5001x{0}>
  %b = stablehlo.add %a, %y : tensor<5001x{0}>
  return %b : tensor<5001x{0}>
}})",
        type);
    expect_same_bits(text);
    EXPECT_EQ(check_chains(text, 3), instruction_sets_with_code());
  }
}

// Slices of rows, values of rows and of columns are read where they are, of rows shorter and longer
// than an iteration and than a tile.
TEST(NarrowChains, ReadSlicesAndValuesOfRowsInPlace) {
  for (const char* type : kTypes)
    for (const auto& [rows, columns] :
         {std::pair{40, 9}, std::pair{37, 50}, std::pair{90, 64}, std::pair{33, 130},
          std::pair{17, 1000}, std::pair{5, 5003}}) {
      const std::string text = fmt::format(
          R"(func.func public @main(%x: tensor<{0}x{1}x{4}>, %r: tensor<{3}x{4}>, %c: tensor<{2}x{4}>)
    -> (tensor<{2}x{3}x{4}>, tensor<{2}x{3}x{4}>) {{
  %a = stablehlo.slice %x [1:{0}, 0:{3}] : (tensor<{0}x{1}x{4}>) -> tensor<{2}x{3}x{4}>
  %b = stablehlo.slice %x [0:{2}, 1:{1}] : (tensor<{0}x{1}x{4}>) -> tensor<{2}x{3}x{4}>
  %d = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<{3}x{4}>) -> tensor<{2}x{3}x{4}>
  %e = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<{2}x{4}>) -> tensor<{2}x{3}x{4}>
  %f = stablehlo.maximum %a, %b : tensor<{2}x{3}x{4}>
  %g = stablehlo.multiply %f, %e : tensor<{2}x{3}x{4}>
  %h = stablehlo.add %g, %d : tensor<{2}x{3}x{4}>
  %i = stablehlo.minimum %h, %a : tensor<{2}x{3}x{4}>
  %j = stablehlo.xor %i, %e : tensor<{2}x{3}x{4}>
  return %h, %j : tensor<{2}x{3}x{4}>, tensor<{2}x{3}x{4}>
}})",
          rows, columns, rows - 1, columns - 1, type);
      expect_same_bits(text);
      EXPECT_EQ(check_chains(text, 5), instruction_sets_with_code()) << rows << " x " << columns;
    }
}

}  // namespace
}  // namespace understudy::worker
