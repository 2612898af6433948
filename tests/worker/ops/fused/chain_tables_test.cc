// SPDX-License-Identifier: Apache-2.0
// Functions of one number of 8 or 16 bits that machine code reads from tables give the bits of the
// kernels for every number, and are found where a chain has them.
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

#include "tests/program/kernels/samples.h"
#include "tests/worker/ops/fused/same_bits.h"
#include "worker/ops/chain_code/look_up_cost.h"

namespace understudy::worker {
namespace {

constexpr std::size_t kNumbers = 1 << 16;

// Every pattern of 16 bits, from `first` on. A chain over them sees numbers, NaN of all kinds, and
// infinities.
Bytes all_halves(std::uint16_t first = 0) {
  std::vector<std::uint16_t> numbers(kNumbers);
  std::iota(numbers.begin(), numbers.end(), first);
  Bytes bytes = program::kernels::bytes_of(numbers);
  bytes.resize(bytes.size() + kSlack);
  return bytes;
}
// Every pattern of 8 bits, many times.
Bytes all_bytes() {
  std::vector<std::uint8_t> numbers(kNumbers);
  std::iota(numbers.begin(), numbers.end(), std::uint8_t{0});
  Bytes bytes = program::kernels::bytes_of(numbers);
  bytes.resize(bytes.size() + kSlack);
  return bytes;
}

// `tables`: how many the machine code of AVX-512 reads.
void check(const std::string& text, const std::vector<Bytes>& arguments, std::uint64_t tables) {
  expect_bits_on_each(text, arguments, text, [&](const auto& chip, const auto& kernels, auto hot) {
    const bool may_have =
        hot == 0 && ops::has_machine_code(kernels) && std::string_view(kernels.isa) == "avx512";
    const std::uint64_t found = chip.execution.chains.tables;
    // Where look-ups are slow, only long functions have tables.
    if (may_have && ops::chain_code::look_up_cost() > ops::chain_code::kQuickLookUp)
      EXPECT_LE(found, tables) << text;
    else
      EXPECT_EQ(found, may_have ? tables : 0U) << kernels.isa << text;
  });
}

std::string of_one(const std::string& type, const std::string& steps,
                   const std::string& result = "") {
  const std::string out = result.empty() ? type : result;
  return fmt::format(R"(func.func public @main(%x: tensor<65536x{0}>) -> tensor<65536x{1}> {{
{2}  return %y : tensor<65536x{1}>
}})",
                     type, out, steps);
}

// x * logistic(x), and a constant.
std::string scaled_silu(const std::string& type) {
  return of_one(type, fmt::format(R"(  %c = stablehlo.constant dense<1.5> : tensor<65536x{0}>
  %l = stablehlo.logistic %x : tensor<65536x{0}>
  %p = stablehlo.multiply %x, %l : tensor<65536x{0}>
  %y = stablehlo.multiply %p, %c : tensor<65536x{0}>
)",
                                  type));
}

TEST(ChainTables, HaveTheResultsOfAllNumbers) {
  for (const char* const type : {"bf16", "f16"}) check(scaled_silu(type), {all_halves()}, 1);
}

TEST(ChainTables, AreFunctionsOfOneStep) {
  for (const char* const name : {"exponential", "tanh", "log", "sine", "rsqrt", "cbrt"})
    check(of_one("bf16", fmt::format("  %y = stablehlo.{} %x : tensor<65536xbf16>\n", name)),
          {all_halves()}, 1);
}

TEST(ChainTables, HaveOtherTypes) {
  const std::string words =
      R"(  %w = stablehlo.convert %x : (tensor<65536xbf16>) -> tensor<65536xf32>
  %e = stablehlo.exponential %w : tensor<65536xf32>
  %l = stablehlo.log_plus_one %e : tensor<65536xf32>
  %y = stablehlo.sqrt %l : tensor<65536xf32>
)";
  check(of_one("bf16", words, "f32"), {all_halves()}, 1);
  for (const char* const type : {"ui8", "i8"}) {
    const std::string bytes =
        fmt::format(R"(  %w = stablehlo.convert %x : (tensor<65536x{0}>) -> tensor<65536xf32>
  %t = stablehlo.tanh %w : tensor<65536xf32>
  %c = stablehlo.cosine %t : tensor<65536xf32>
  %s = stablehlo.constant dense<100.0> : tensor<65536xf32>
  %m = stablehlo.multiply %c, %s : tensor<65536xf32>
  %y = stablehlo.convert %m : (tensor<65536xf32>) -> tensor<65536x{0}>
)",
                    type);
    check(of_one(type, bytes), {all_bytes()}, 1);
  }
}

// A short function takes no longer than to look it up.
TEST(ChainTables, LeaveOutWhatIsShort) {
  const std::string steps = R"(  %c = stablehlo.constant dense<1.5> : tensor<65536xbf16>
  %a = stablehlo.add %x, %c : tensor<65536xbf16>
  %y = stablehlo.maximum %a, %x : tensor<65536xbf16>
)";
  check(of_one("bf16", steps), {all_halves()}, 0);
}

std::string of_two(const std::string& steps, const std::string& results) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<65536xbf16>, %z: tensor<65536xbf16>, %s: tensor<bf16>) ->
    ({1}) {{
  %c = stablehlo.constant dense<1.5> : tensor<65536xbf16>
{0}}})",
      steps, results);
}
std::vector<Bytes> two_arguments() {
  Bytes scalar = program::kernels::bytes_of(std::vector<std::uint16_t>{0x3fc1});
  scalar.resize(scalar.size() + kSlack);
  return {all_halves(), all_halves(0x3e85), scalar};
}

// The number is the result of a step, or there are two of them.
TEST(ChainTables, AreWithinLargerChains) {
  const std::string all = "tensor<65536xbf16>";
  check(of_two(R"(  %a = stablehlo.add %x, %z : tensor<65536xbf16>
  %t = stablehlo.tanh %a : tensor<65536xbf16>
  %p = stablehlo.multiply %a, %t : tensor<65536xbf16>
  %q = stablehlo.subtract %p, %c : tensor<65536xbf16>
  %y = stablehlo.multiply %q, %z : tensor<65536xbf16>
  return %y : tensor<65536xbf16>
)",
               all),
        two_arguments(), 1);
  check(of_two(R"(  %t = stablehlo.tanh %x : tensor<65536xbf16>
  %e = stablehlo.exponential %z : tensor<65536xbf16>
  %p = stablehlo.multiply %t, %e : tensor<65536xbf16>
  %y = stablehlo.logistic %p : tensor<65536xbf16>
  return %y : tensor<65536xbf16>
)",
               all),
        two_arguments(), 3);
}

// What comes from a scalar argument changes from run to run; the function before it does not.
TEST(ChainTables, AreNoFunctionsOfArguments) {
  check(
      of_two(
          R"(  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<bf16>) -> tensor<65536xbf16>
  %t = stablehlo.tanh %x : tensor<65536xbf16>
  %m = stablehlo.multiply %t, %b : tensor<65536xbf16>
  %y = stablehlo.add %m, %z : tensor<65536xbf16>
  return %y : tensor<65536xbf16>
)",
          "tensor<65536xbf16>"),
      two_arguments(), 1);
}

// Several results of one number, one of them a pred that selects elsewhere, and NaN that a
// selection keeps. What selects from a stored result reads it there.
TEST(ChainTables, GiveSeveralResults) {
  const std::string all = "tensor<65536xbf16>";
  check(of_two(R"(  %l = stablehlo.logistic %x : tensor<65536xbf16>
  %p = stablehlo.multiply %x, %l : tensor<65536xbf16>
  %g = stablehlo.compare GT, %p, %c : (tensor<65536xbf16>, tensor<65536xbf16>) -> tensor<65536xi1>
  %k = stablehlo.select %g, %x, %p : tensor<65536xi1>, tensor<65536xbf16>
  %y = stablehlo.add %k, %z : tensor<65536xbf16>
  %h = stablehlo.select %g, %z, %l : tensor<65536xi1>, tensor<65536xbf16>
  return %l, %p, %y, %h : tensor<65536xbf16>, tensor<65536xbf16>, tensor<65536xbf16>, tensor<65536xbf16>
)",
               all + ", " + all + ", " + all + ", " + all),
        two_arguments(), 2);
}

// Machine code settles the NaN of a selection later than the steps do: the number is settled.
TEST(ChainTables, ShowTheNaNOfSelections) {
  for (const char* const other : {"%m", "%c"})
    check(
        of_two(
            fmt::format(
                R"(  %g = stablehlo.compare LT, %x, %z : (tensor<65536xbf16>, tensor<65536xbf16>) -> tensor<65536xi1>
  %a = stablehlo.add %x, %z : tensor<65536xbf16>
  %m = stablehlo.multiply %x, %z : tensor<65536xbf16>
  %v = stablehlo.select %g, {}, %a : tensor<65536xi1>, tensor<65536xbf16>
  %e = stablehlo.exponential %v : tensor<65536xbf16>
  %n = stablehlo.negate %v : tensor<65536xbf16>
  %h = stablehlo.compare GT, %v, %c : (tensor<65536xbf16>, tensor<65536xbf16>) -> tensor<65536xi1>
  %y = stablehlo.select %h, %e, %n : tensor<65536xi1>, tensor<65536xbf16>
  return %y : tensor<65536xbf16>
)",
                other),
            "tensor<65536xbf16>"),
        two_arguments(), 1);
}

// At most.
TEST(ChainTables, AreThree) {
  const std::string all = "tensor<65536xbf16>";
  check(of_two(R"(  %r = stablehlo.divide %c, %x : tensor<65536xbf16>
  %p = stablehlo.multiply %r, %z : tensor<65536xbf16>
  %q = stablehlo.tanh %p : tensor<65536xbf16>
  %a = stablehlo.add %q, %z : tensor<65536xbf16>
  %b = stablehlo.sine %a : tensor<65536xbf16>
  %d = stablehlo.add %b, %z : tensor<65536xbf16>
  %e = stablehlo.exponential %d : tensor<65536xbf16>
  %f = stablehlo.add %e, %z : tensor<65536xbf16>
  %y = stablehlo.cosine %f : tensor<65536xbf16>
  return %y : tensor<65536xbf16>
)",
               all),
        two_arguments(), 3);
}

// A loop writes its results where it reads its numbers.
TEST(ChainTables, ReadNumbersBeforeTheyAreOverwritten) {
  check(of_two(R"(  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %z) : tensor<i32>, tensor<65536xbf16>, tensor<65536xbf16>
  cond {
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.sine %a : tensor<65536xbf16>
    %u = stablehlo.exponential %t : tensor<65536xbf16>
    %v = stablehlo.multiply %u, %b : tensor<65536xbf16>
    %w = stablehlo.subtract %u, %a : tensor<65536xbf16>
    stablehlo.return %next, %v, %w : tensor<i32>, tensor<65536xbf16>, tensor<65536xbf16>
  }
  %y = stablehlo.add %r#1, %r#2 : tensor<65536xbf16>
  return %y, %r#1 : tensor<65536xbf16>, tensor<65536xbf16>
)",
               "tensor<65536xbf16>, tensor<65536xbf16>"),
        two_arguments(), 2);
}

}  // namespace
}  // namespace understudy::worker
