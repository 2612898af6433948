// SPDX-License-Identifier: Apache-2.0
// Convolutions of dilated inputs have the same results with and without their zeros: of any layout,
// padding, dilation and kernel, with sums that are exact in every order.
#include <algorithm>
#include <random>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"

namespace understudy::worker {
namespace {

using program::Shape;

struct Case {
  Shape input, taps, dilations, low, high;
  std::vector<bool> reversal;
  std::int64_t batches = 1, features = 1, results = 1;
};

// Some dimension is dilated. Nothing is left where padding takes away more than there is.
std::optional<Case> random_case(std::mt19937& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  Case some;
  const std::size_t rank = 1 + random() % 3;
  for (std::size_t d = 0; d < rank; ++d) {
    some.input.push_back(1 + below(5));
    some.taps.push_back(1 + below(5));
    some.dilations.push_back(1 + below(4));
    some.low.push_back(below(7) - 2);
    some.high.push_back(below(7) - 2);
    some.reversal.push_back(below(2) != 0);
    const std::int64_t padded =
        (some.input[d] - 1) * some.dilations[d] + 1 + some.low[d] + some.high[d];
    if (padded < some.taps[d]) return std::nullopt;
  }
  if (std::ranges::all_of(some.dilations, [](std::int64_t s) { return s == 1; }))
    return std::nullopt;
  some.batches = 1 + below(3);
  some.features = 1 + below(3);
  some.results = 1 + below(3);
  return some;
}

// Dimensions in a random order, as the text of dimension numbers and a shape: spatial ones are 0,
// 1, ..., the others have the letters.
struct Layout {
  std::string names;
  Shape shape;
};
Layout layout(const std::string& letters, const Shape& others, const Shape& spatial,
              std::mt19937& random) {
  std::vector<std::pair<std::string, std::int64_t>> all = {{letters.substr(0, 1), others[0]},
                                                           {letters.substr(1), others[1]}};
  for (std::size_t d = 0; d < spatial.size(); ++d) all.emplace_back(std::to_string(d), spatial[d]);
  std::ranges::shuffle(all, random);
  Layout made;
  for (const auto& [name, size] : all) {
    made.names += (made.names.empty() ? "" : ", ") + name;
    made.shape.push_back(size);
  }
  return made;
}

std::string text_of(const Case& some, const std::string& type, std::mt19937& random) {
  Shape sizes;
  std::vector<std::string> padding, reversal;
  for (std::size_t d = 0; d < some.taps.size(); ++d) {
    sizes.push_back((some.input[d] - 1) * some.dilations[d] + 1 + some.low[d] + some.high[d] -
                    some.taps[d] + 1);
    padding.push_back(fmt::format("[{}, {}]", some.low[d], some.high[d]));
    reversal.emplace_back(some.reversal[d] ? "true" : "false");
  }
  const Layout x = layout("bf", {some.batches, some.features}, some.input, random),
               kernel = layout("io", {some.features, some.results}, some.taps, random),
               out = layout("bf", {some.batches, some.results}, sizes, random);
  const auto tensor = [&](const Shape& shape) {
    return fmt::format("tensor<{}x{}>", fmt::join(shape, "x"), type);
  };
  return fmt::format(
      "func.func public @main(%x: {0}, %k: {1}) -> {2} {{\n"
      "%r = stablehlo.convolution(%x, %k) dim_numbers = [{3}]x[{4}]->[{5}], window = {{pad = "
      "[{6}], lhs_dilate = [{7}], reverse = [{8}]}} {{batch_group_count = 1 : i64, "
      "feature_group_count = 1 : i64}} : ({0}, {1}) -> {2}\nreturn %r : {2}\n}}\n",
      tensor(x.shape), tensor(kernel.shape), tensor(out.shape), x.names, kernel.names, out.names,
      fmt::join(padding, ", "), fmt::join(some.dilations, ", "), fmt::join(reversal, ", "));
}

bool is_dilated(const program::Instruction& instruction) {
  const auto* const work = std::get_if<program::Convolution>(&instruction.work);
  return work != nullptr &&
         std::ranges::any_of(work->window.base_dilations, [](std::int64_t s) { return s > 1; });
}

void expect_same_bits(const std::string& text, unsigned seed) {
  SCOPED_TRACE(text);
  const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", text));
  program::CompileOptions options;
  const program::Executable split = compile(*module, options);
  program::check_bounds(split);
  EXPECT_TRUE(std::ranges::none_of(split.code, is_dilated)) << list(split);
  options.disabled_passes = {"split-dilations"};
  const program::Executable plain = compile(*module, options);
  EXPECT_TRUE(std::ranges::any_of(plain.code, is_dilated)) << list(plain);
  const std::vector<Bytes> arguments = random_arguments(plain, seed, {-4, 1, 9});
  const auto& kernels = program::kernels::select("");
  EXPECT_EQ(OneChip(split, kernels, Mxu::Make::automatic).run(arguments),
            OneChip(plain, kernels, Mxu::Make::automatic).run(arguments))
      << list(split);
}

TEST(DilatedConvolutions, HaveTheSumsWithoutZeros) {
  std::mt19937 random(3);
  unsigned cases = 0;
  for (unsigned round = 0; cases < 300; ++round) {
    const auto some = random_case(random);
    if (!some) continue;
    ++cases;
    for (const char* const type : {"f32", "bf16", "i32"})
      expect_same_bits(text_of(*some, type, random), round);
  }
}

}  // namespace
}  // namespace understudy::worker
