// SPDX-License-Identifier: Apache-2.0
// Work on numbers that loops carry is done before their broadcast: the bits are those without the
// pass, in random loops and loops in them. That a number which is written again keeps its readers:
// tests/program/passes/sink_broadcasts_test.cc.
#include <fmt/format.h>
#include <random>
#include <string>

#include "gtest/gtest.h"

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

class PassingNumbers : public testing::Test {
 protected:
  std::size_t below(std::size_t n) { return random_() % n; }

  // Instructions on the numbers and arrays so far, and maybe a loop.
  std::string body(int depth) {
    std::string text;
    for (std::size_t i = 0; i < 6 + below(8); ++i) text += step();
    if (depth > 0 && below(2) == 0) text += loop(depth - 1);
    return text;
  }

  std::string step() {
    const std::string name = fmt::format("%v{}", next_++);
    const std::size_t kind = below(4);
    const std::string number = any(numbers_), array = any(arrays_);
    (kind == 0 ? numbers_ : arrays_).push_back(name);
    const bool first = below(2) == 0;
    switch (kind) {
      case 0:
        return fmt::format("{} = stablehlo.{} {}, {} : tensor<f32>\n", name,
                           first ? "add" : "multiply", number, numbers_[numbers_.size() - 2]);
      case 1:
        return fmt::format("{} = stablehlo.broadcast_in_dim {}, dims = [] : (tensor<f32>) -> {}\n",
                           name, number, kArray);
      case 2:
        return fmt::format("{} = stablehlo.{} {} : {}\n", name, first ? "cosine" : "abs", array,
                           kArray);
      default:
        return fmt::format("{} = stablehlo.{} {}, {} : {}\n", name, first ? "subtract" : "maximum",
                           array, arrays_[arrays_.size() - 2], kArray);
    }
  }

  // Carries two numbers and two arrays, in any order of what the body has.
  std::string loop(int depth) {
    const int l = next_++;
    const std::string s = any(numbers_), t = any(numbers_), x = any(arrays_), y = any(arrays_);
    const std::vector<std::string> numbers = numbers_, arrays = arrays_;
    const auto named = [l](const char* what) { return fmt::format("%{}{}", what, l); };
    for (const char* one : {"s", "t"}) numbers_.push_back(named(one));
    for (const char* one : {"x", "y"}) arrays_.push_back(named(one));
    const std::string inside = body(depth);
    const auto recent = [this](const std::vector<std::string>& all) {
      return all[all.size() - 1 - below(std::min<std::size_t>(all.size(), 4))];
    };
    const std::string types =
        fmt::format("tensor<i32>, tensor<f32>, tensor<f32>, {0}, {0}", kArray);
    const std::string returned = fmt::format("%k{}, {}, {}, {}, {}", l, recent(numbers_),
                                             any(numbers_), recent(arrays_), recent(arrays_));
    numbers_ = numbers, arrays_ = arrays;
    for (const int result : {1, 2}) numbers_.push_back(fmt::format("%l{}#{}", l, result));
    for (const int result : {3, 4}) arrays_.push_back(fmt::format("%l{}#{}", l, result));
    return fmt::format(
        "%l{0}:5 = stablehlo.while(%i{0} = %zero, %s{0} = {1}, %t{0} = {2}, %x{0} = {3}, "
        "%y{0} = {4}) : {5}\n cond {{\n"
        "%c{0} = stablehlo.compare LT, %i{0}, %three, SIGNED : (tensor<i32>, tensor<i32>) -> "
        "tensor<i1>\nstablehlo.return %c{0} : tensor<i1>\n }} do {{\n"
        "%k{0} = stablehlo.add %i{0}, %one : tensor<i32>\n{6}stablehlo.return {7} : {5}\n }}\n",
        l, s, t, x, y, types, inside, returned);
  }

  std::string text(unsigned seed) {
    random_.seed(seed);
    next_ = 0;
    numbers_ = {"%p", "%q"};
    arrays_ = {"%a"};
    const std::string code = loop(1);
    return fmt::format(
        "func.func public @main(%a: {0}, %p: tensor<f32>, %q: tensor<f32>) -> ({0}, tensor<f32>) {{"
        "\n%zero = stablehlo.constant dense<0> : tensor<i32>\n"
        "%one = stablehlo.constant dense<1> : tensor<i32>\n"
        "%three = stablehlo.constant dense<3> : tensor<i32>\n{1}"
        "return {2}, {3} : {0}, tensor<f32>\n}}\n",
        kArray, code, arrays_.back(), numbers_.back());
  }

  static constexpr const char* kArray = "tensor<1030xf32>";

 private:
  const std::string& any(const std::vector<std::string>& all) { return all[below(all.size())]; }

  std::mt19937 random_;
  int next_ = 0;
  std::vector<std::string> numbers_, arrays_;
};

TEST_F(PassingNumbers, KeepTheirBits) {
  int changed = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    const std::string program = text(seed);
    SCOPED_TRACE(program);
    const auto made = [&](const std::vector<std::string>& disabled) {
      program::CompileOptions options;
      options.disabled_passes = disabled;
      return compile(*program::parse(std::make_shared<const program::Source>("test.mlir", program)),
                     options);
    };
    const auto& kernels = program::kernels::select("");
    const program::Executable sunk = made({}), plain = made({"sink-broadcasts"});
    ASSERT_EQ(run_on(sunk, kernels), run_on(plain, kernels)) << list(sunk) << list(plain);
    changed += list(sunk) != list(plain) ? 1 : 0;
  }
  EXPECT_GT(changed, 30);  // the others have no work on a broadcast number that is read
}

}  // namespace
}  // namespace understudy::worker
