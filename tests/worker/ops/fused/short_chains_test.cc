// SPDX-License-Identifier: Apache-2.0
// Loops of the program whose bodies are one chain: also over less than a piece of elements they run
// as machine code, and again with the addresses of the run before (worker/ops/fused/last_run.h).
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <string_view>

#include "tests/program/kernels/samples.h"
#include "tests/worker/ops/fused/same_bits.h"
#include "worker/ops/chain_code/chain_code.h"

namespace understudy::worker {
namespace {

using program::ElementType;

// Thirty times: integers with divisions, comparisons and selections, beside floats with a function.
std::string loop_over(std::size_t elements) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}xi32>, %y: tensor<{0}xf32>)
      -> (tensor<{0}xi32>, tensor<{0}xf32>, tensor<{0}xi1>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<30> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<{0}xi32>
  %three = stablehlo.constant dense<3> : tensor<{0}xi32>
  %none = stablehlo.constant dense<0> : tensor<{0}xi32>
  %half = stablehlo.constant dense<0.5> : tensor<{0}xf32>
  %odd = stablehlo.compare LT, %y, %half : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xi1>
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %p = %odd)
      : tensor<i32>, tensor<{0}xi32>, tensor<{0}xf32>, tensor<{0}xi1> cond {{
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.remainder %a, %two : tensor<{0}xi32>
    %e = stablehlo.compare EQ, %d, %none : (tensor<{0}xi32>, tensor<{0}xi32>) -> tensor<{0}xi1>
    %f = stablehlo.divide %a, %two : tensor<{0}xi32>
    %g = stablehlo.multiply %a, %three : tensor<{0}xi32>
    %h = stablehlo.add %g, %two : tensor<{0}xi32>
    %k = stablehlo.select %e, %f, %h : tensor<{0}xi1>, tensor<{0}xi32>
    %l = stablehlo.tanh %b : tensor<{0}xf32>
    %m = stablehlo.multiply %l, %half : tensor<{0}xf32>
    %n = stablehlo.add %m, %y : tensor<{0}xf32>
    %o = stablehlo.select %p, %n, %l : tensor<{0}xi1>, tensor<{0}xf32>
    %q = stablehlo.xor %p, %e : tensor<{0}xi1>
    stablehlo.return %j, %k, %o, %q : tensor<i32>, tensor<{0}xi32>, tensor<{0}xf32>, tensor<{0}xi1>
  }}
  return %r#1, %r#2, %r#3 : tensor<{0}xi32>, tensor<{0}xf32>, tensor<{0}xi1>
}})",
      elements);
}

// A body that is nothing but one chain: of its last run the addresses are kept.
std::string chain_over(std::size_t elements) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}xf32>, %y: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<30> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<{0}xf32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<{0}xf32> cond {{
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.multiply %a, %half : tensor<{0}xf32>
    %c = stablehlo.subtract %b, %y : tensor<{0}xf32>
    %d = stablehlo.compare LT, %c, %half : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xi1>
    %e = stablehlo.abs %c : tensor<{0}xf32>
    %f = stablehlo.select %d, %e, %a : tensor<{0}xi1>, tensor<{0}xf32>
    stablehlo.return %j, %f : tensor<i32>, tensor<{0}xf32>
  }}
  return %r#1 : tensor<{0}xf32>
}})",
      elements);
}

// A program of f32 with another type.
std::string in_type(std::string text, const std::string& type) {
  for (std::size_t at = text.find("xf32"); at != std::string::npos; at = text.find("xf32"))
    text.replace(at, 4, "x" + type);
  return text;
}

std::vector<Bytes> arguments_of(const program::Executable& executable, unsigned seed) {
  std::vector<Bytes> arguments;
  for (const program::TensorType& type : executable.arguments) {
    arguments.push_back(
        program::kernels::sample(type.element, static_cast<std::size_t>(type.elements()), seed++));
    arguments.back().resize(arguments.back().size() + kSlack);
  }
  return arguments;
}

void expect_bits(const std::string& text, std::size_t elements, bool has_chains = true) {
  const program::Executable fused = compiled(text, true);
  const program::Executable plain = compiled(text, false);
  const std::vector<Bytes> arguments = arguments_of(fused, static_cast<unsigned>(elements));
  OneChip wanted(plain, program::kernels::select("portable"), Mxu::Make::portable);
  const std::vector<Bytes> results = wanted.run(arguments);
  for (const auto* kernels : program::kernels::available()) {
    const auto chains = kernels->chains();
    const bool whole = elements % (elements < chains.piece ? chains.vector : chains.piece) == 0;
    for (const std::size_t hot : {std::size_t{0}, 20 * chains.piece, SIZE_MAX}) {
      OneChip chip(fused, *kernels, Mxu::Make::portable);
      chip.execution.chains.hot_elements = hot;
      EXPECT_EQ(chip.run(arguments), results) << elements << kernels->isa << hot;
      if (!has_chains) {
        EXPECT_EQ(chip.execution.chains.compiled, 0U) << elements << kernels->isa;
      }
      if (has_chains && whole && elements > 8 && ops::has_machine_code(*kernels) && hot == 0) {
        EXPECT_GE(chip.execution.chains.compiled, 1U) << elements << kernels->isa;
      }
    }
  }
}

TEST(ShortChains, LoopsKeepTheirBits) {
  for (const std::size_t elements :
       {1, 7, 8, 15, 16, 24, 32, 48, 63, 64, 96, 112, 128, 256, 1000, 1024}) {
    expect_bits(loop_over(elements), elements);
    expect_bits(chain_over(elements), elements);
  }
}

// A vector of f16 at a time.
TEST(ShortChains, OfF16KeepTheirBits) {
  for (const std::size_t elements : {8, 16, 24, 48, 64, 100, 128, 1024})
    expect_bits(in_type(chain_over(elements), "f16"), elements);
}

// Chains of f64 do not exist, and one that calls a kernel for each of its few links is not worth
// its code: both run as steps.
TEST(ShortChains, OthersRunAsTheirSteps) {
  for (const std::size_t elements : {16, 1024}) {
    expect_bits(in_type(chain_over(elements), "f64"), elements, false);
    std::string calls = chain_over(elements);
    calls.replace(calls.find("stablehlo.abs"), 13, "stablehlo.cbrt");
    const program::Executable fused = compiled(calls, true);
    const std::vector<Bytes> arguments = arguments_of(fused, 1);
    OneChip wanted(fused, program::kernels::select("portable"), Mxu::Make::portable);
    const std::vector<Bytes> results = wanted.run(arguments);
    for (const auto* kernels : program::kernels::available()) {
      OneChip chip(fused, *kernels, Mxu::Make::portable);
      chip.execution.chains.hot_elements = 10 * kernels->chains().piece;
      chip.execution.chains.links_per_call = SIZE_MAX;
      EXPECT_EQ(chip.run(arguments), results) << elements << kernels->isa;
      EXPECT_EQ(chip.execution.chains.stay, ops::has_machine_code(*kernels) ? 1U : 0U)
          << elements << kernels->isa;
      EXPECT_EQ(chip.execution.chains.again, 0U);
    }
  }
}

// Kernels of preds have four times as many lanes, and copies compute nothing.
TEST(ShortChains, OfPredsAndCopiesRunAsTheirSteps) {
  for (const std::size_t elements : {100, 128, 1000}) {
    const std::string text = fmt::format(
        R"(func.func public @main(%x: tensor<{0}xi1>, %y: tensor<{0}xf32>) -> (tensor<{0}xi1>, tensor<{0}xf32>, tensor<{0}xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<30> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %y) : tensor<i32>, tensor<{0}xi1>, tensor<{0}xf32>, tensor<{0}xf32> cond {{
    %g = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %n = stablehlo.not %a : tensor<{0}xi1>
    %d = stablehlo.xor %n, %x : tensor<{0}xi1>
    stablehlo.return %j, %d, %c, %b : tensor<i32>, tensor<{0}xi1>, tensor<{0}xf32>, tensor<{0}xf32>
  }}
  return %r#1, %r#2, %r#3 : tensor<{0}xi1>, tensor<{0}xf32>, tensor<{0}xf32>
}})",
        elements);
    expect_bits(text, elements, false);
  }
}

// A few steps are quicker than a chain that is no machine code yet: their elements count for it.
TEST(ShortChains, RunsByStepsCountForTheirCode) {
  constexpr std::size_t kElements = 1000;
  const program::Executable fused = compiled(chain_over(kElements), true);
  for (const auto* kernels : program::kernels::available()) {
    if (!ops::has_machine_code(*kernels)) continue;
    OneChip chip(fused, *kernels, Mxu::Make::portable);
    chip.execution.chains.hot_elements = 10 * kElements;
    chip.run(arguments_of(fused, 1));
    EXPECT_EQ(chip.execution.chains.compiled, 1U);
    EXPECT_EQ(chip.execution.chains.again, 20U);  // of 30 runs
  }
}

// A launch finds its arguments and results at other addresses than the one before.
TEST(ShortChains, EachLaunchHasItsOwnAddresses) {
  for (const std::size_t elements : {16, 1000, 1024}) {
    const program::Executable fused = compiled(chain_over(elements), true);
    const program::Executable plain = compiled(chain_over(elements), false);
    for (const auto* kernels : program::kernels::available()) {
      BoundCode bound = ops::bind(fused, *kernels);
      std::deque<OneChip> chips;  // all alive, so that no two have one address
      std::vector<std::vector<Bytes>> arguments;
      for (unsigned launch = 0; launch < 4; ++launch)
        arguments.push_back(arguments_of(fused, 10 * launch));
      for (const std::vector<Bytes>& one : arguments) {
        OneChip wanted(plain, program::kernels::select("portable"), Mxu::Make::portable);
        const std::vector<Bytes> results = wanted.run(one);
        Execution& execution = chips.emplace_back(fused, *kernels, Mxu::Make::portable).execution;
        for (const Bytes& argument : one) execution.arguments.push_back(argument.data());
        run(bound, execution);
        EXPECT_EQ(std::memcmp(execution.results[0], results[0].data(), results[0].size()), 0)
            << elements << kernels->isa;
      }
      // Also with lanes beyond whole iterations: what is stored over operands is masked.
      const bool keeps = ops::has_machine_code(*kernels);
      for (const OneChip& chip : chips)  // of 30 runs the first has to find its addresses
        EXPECT_EQ(chip.execution.chains.again, keeps ? 29U : 0U) << elements << kernels->isa;
    }
  }
}

}  // namespace
}  // namespace understudy::worker
