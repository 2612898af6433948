// SPDX-License-Identifier: Apache-2.0
// Loops over rows that read slices and write updates in all orders give the same bits in place as
// with copies, and with every temporary poisoned at the end of its life.
#include <array>
#include <random>

#include "fmt/format.h"
#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/passes/pass_list.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"

namespace understudy::worker {
namespace {

// One row is 16 KiB, the least that is used in place.
constexpr const char* kArray = "tensor<6x64x64xf32>";
constexpr const char* kRow = "tensor<1x64x64xf32>";
constexpr const char* kMatrix = "tensor<64x64xf32>";

// A body of random rows: slices of two arguments and of two carried arrays, element-wise work,
// products, and updates of the carried arrays; an inner loop or a branch now and then.
class RandomLoop {
 public:
  explicit RandomLoop(unsigned seed) : random_(seed), updates_once_(seed % 2 == 0) {}

  std::string text() {
    rows_ = {slice("%a")};
    const std::size_t steps = 6 + pick(10);
    for (std::size_t s = 0; s < steps; ++s) add();
    return fmt::format(R"(
func.func public @main(%a: {0}, %b: {0}) -> ({0}, {0}, {1}) {{
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c5 = stablehlo.constant dense<5> : tensor<i32>
  %c9 = stablehlo.constant dense<9> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %row = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> {1}
  %w:4 = stablehlo.while(%i = %c0, %carried_p = %b, %carried_q = %a, %r = %row) : tensor<i32>, {0}, {0}, {1}
  cond {{
    %c = stablehlo.compare LT, %i, %c5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %k = stablehlo.subtract %c5, %i : tensor<i32>
{2}    stablehlo.return %j, {3}, {4}, {5} : tensor<i32>, {0}, {0}, {1}
  }}
  return %w#1, %w#2, %w#3 : {0}, {0}, {1}
}}
)",
                       kArray, kRow, body_, arrays_[0], arrays_[1], rows_.back());
  }

 private:
  std::size_t pick(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  std::string any_row() { return rows_[pick(rows_.size())]; }
  std::string start() {
    constexpr std::array<const char*, 5> kStarts = {"%i", "%j", "%k", "%c0", "%c9"};
    return kStarts.at(pick(kStarts.size()));
  }
  std::string fresh() { return fmt::format("%v{}", next_++); }
  void line(const std::string& text) { body_ += "    " + text + "\n"; }

  std::string slice(const std::string& array) {
    const std::string name = fresh();
    line(
        fmt::format("{} = stablehlo.dynamic_slice {}, {}, %c0, %c0, sizes = [1, 64, 64] : ({}, "
                    "tensor<i32>, tensor<i32>, tensor<i32>) -> {}",
                    name, array, start(), kArray, kRow));
    return name;
  }

  void update() {
    std::string& array = arrays_.at(pick(2));
    // An array that is updated twice is copied by the first update.
    if (updates_once_ && !array.starts_with("%carried")) return;
    const std::string name = fresh();
    line(
        fmt::format("{} = stablehlo.dynamic_update_slice {}, {}, {}, %c0, %c0 : ({}, {}, "
                    "tensor<i32>, tensor<i32>, tensor<i32>) -> {}",
                    name, array, any_row(), start(), kArray, kRow, kArray));
    array = name;
  }

  void product() {
    const std::string a = fresh(), b = fresh(), c = fresh(), d = fresh(), e = fresh();
    line(fmt::format("{} = stablehlo.reshape {} : ({}) -> {}", a, any_row(), kRow, kMatrix));
    line(fmt::format("{} = stablehlo.reshape {} : ({}) -> {}", b, any_row(), kRow, kMatrix));
    line(
        fmt::format("{0} = stablehlo.dot_general {1}, {2}, contracting_dims = [1] x [0] : ({3}, "
                    "{3}) -> {3}",
                    c, a, b, kMatrix));
    line(fmt::format("{} = stablehlo.reshape {} : ({}) -> {}", d, c, kMatrix, kRow));
    line(fmt::format("{} = stablehlo.tanh {} : {}", e, d, kRow));
    rows_.push_back(e);
  }

  void branch() {
    const std::string p = fresh(), r = fresh();
    line(
        fmt::format("{} = stablehlo.compare LT, {}, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i1>",
                    p, start()));
    line(
        fmt::format("{0} = \"stablehlo.if\"({1}) ({{\n      %y = stablehlo.sine {2} : {4}\n      "
                    "stablehlo.return %y : {4}\n    }}, {{\n      stablehlo.return {3} : {4}\n    "
                    "}}) : (tensor<i1>) -> {4}",
                    r, p, any_row(), any_row(), kRow));
    rows_.push_back(r);
  }

  void add() {
    switch (pick(8)) {
      case 0:
        return rows_.push_back(slice(pick(2) == 0 ? "%a" : "%b"));
      case 1:
        return rows_.push_back(slice(arrays_.at(pick(2))));
      case 2:
      case 3:
      case 4:
        return update();
      case 5:
        return product();
      case 6:
        if (pick(3) == 0) return branch();
        [[fallthrough]];
      default: {
        const std::string name = fresh(), a = any_row(), b = any_row();
        line(fmt::format("{} = stablehlo.{} {}, {} : {}", name,
                         pick(2) == 0 ? "multiply" : "subtract", a, b, kRow));
        rows_.push_back(name);
      }
    }
  }

  std::mt19937 random_;
  bool updates_once_;
  std::size_t next_ = 0;
  std::string body_;
  std::vector<std::string> rows_;
  std::array<std::string, 2> arrays_ = {"%carried_p", "%carried_q"};
};

std::ptrdiff_t mentions(const program::Executable& executable, const std::string& word) {
  const std::string text = list(executable);
  std::ptrdiff_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

TEST(SlicesInPlace, RandomLoopsKeepTheirBits) {
  const auto& kernels = program::kernels::select("");
  std::ptrdiff_t read = 0, written = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const std::string text = RandomLoop(seed).text();
    const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", text));
    program::CompileOptions options;
    for (const program::passes::PassRow& pass : program::passes::pass_list())
      options.disabled_passes.emplace_back(pass.name);
    const program::Executable plain = compile(*module, options);
    const std::vector<Bytes> arguments = random_arguments(plain, 5, {-1.0, 1.0 / 64, 100});
    const auto wanted = OneChip(plain, kernels, Mxu::Make::portable).run_plainly(arguments);
    for (const bool fuses : {true, false})
      for (const bool poisons : {false, true}) {
        options.disabled_passes.clear();
        if (!fuses) options.disabled_passes.emplace_back("fuse-elementwise");
        options.poison = poisons;
        options.disabled_passes.emplace_back("slices-in-place");
        const program::Executable copies = compile(*module, options);
        read += mentions(copies, "= dynamic_slice");
        written += mentions(copies, "dynamic_update_slice(");
        options.disabled_passes.pop_back();
        const program::Executable executable = compile(*module, options);
        read -= mentions(executable, "= dynamic_slice");
        written -= mentions(executable, "dynamic_update_slice(");
        EXPECT_EQ(OneChip(executable, kernels, Mxu::Make::portable).run(arguments), wanted)
            << "seed " << seed << "\n"
            << text << list(executable);
        if (testing::Test::HasFailure()) return;
      }
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(written, 100);
}

// An inner loop takes slices of the row that the outer one has found.
TEST(SlicesInPlace, SlicesOfSlicesKeepTheirBits) {
  const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", R"(
func.func public @main(%a: tensor<3x2x4096xf32>) -> tensor<1x4096xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<1x4096xf32>
  %s = stablehlo.sine %a : tensor<3x2x4096xf32>
  %w:2 = stablehlo.while(%i = %c0, %r = %zero) : tensor<i32>, tensor<1x4096xf32>
  cond {
    %c = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %x = stablehlo.dynamic_slice %s, %i, %c0, %c0, sizes = [1, 2, 4096] : (tensor<3x2x4096xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4096xf32>
    %m = stablehlo.reshape %x : (tensor<1x2x4096xf32>) -> tensor<2x4096xf32>
    %v:2 = stablehlo.while(%k = %c0, %q = %r) : tensor<i32>, tensor<1x4096xf32>
    cond {
      %d = stablehlo.compare LT, %k, %c2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %d : tensor<i1>
    } do {
      %l = stablehlo.add %k, %c1 : tensor<i32>
      %y = stablehlo.dynamic_slice %m, %k, %c0, sizes = [1, 4096] : (tensor<2x4096xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4096xf32>
      %t = stablehlo.subtract %y, %q : tensor<1x4096xf32>
      stablehlo.return %l, %t : tensor<i32>, tensor<1x4096xf32>
    }
    stablehlo.return %j, %v#1 : tensor<i32>, tensor<1x4096xf32>
  }
  return %w#1 : tensor<1x4096xf32>
}
)"));
  const auto& kernels = program::kernels::select("");
  program::CompileOptions options;
  options.disabled_passes = {"slices-in-place"};
  const program::Executable copies = compile(*module, options);
  const std::vector<Bytes> arguments = random_arguments(copies, 5, {-1.0, 1.0 / 64, 100});
  const auto wanted = OneChip(copies, kernels, Mxu::Make::portable).run(arguments);
  options.disabled_passes.clear();
  options.poison = true;
  const program::Executable executable = compile(*module, options);
  EXPECT_EQ(mentions(executable, "locate_slice(slice"), 1) << list(executable);
  EXPECT_EQ(OneChip(executable, kernels, Mxu::Make::portable).run(arguments), wanted)
      << list(executable);
}

}  // namespace
}  // namespace understudy::worker
