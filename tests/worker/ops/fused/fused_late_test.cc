// SPDX-License-Identifier: Apache-2.0
// Members that move to the loop that reads them have the values of their own places.
#include <random>

#include "fmt/format.h"

#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

std::vector<Bytes> run(const std::string& text, bool fuses, std::vector<Bytes> arguments) {
  program::CompileOptions options;
  if (!fuses) options.disabled_passes = {"fuse-elementwise"};
  const auto module = program::read_program(std::make_shared<const program::Source>("test", text));
  const program::Executable executable = program::compile(*module, options);
  program::check_bounds(executable);
  for (Bytes& argument : arguments) argument.resize(argument.size() + kSlack);
  OneChip chip(executable, program::kernels::select(""), Mxu::Make::automatic, 64 << 20);
  return chip.run(arguments);
}

// Whole numbers, whose sums are exact in any order.
template <class T>
std::vector<T> whole_numbers(std::size_t n) {
  std::mt19937 random(4);
  std::vector<T> values(n);
  for (T& value : values) value = static_cast<T>(random() % 9 + 1);
  return values;
}

// %old reads what the loop carries before %a2 overwrites it in place; %p, which reads both, is read
// by the second loop alone.
TEST(FusedLate, SourcesReadWhatIsNotOverwrittenYet) {
  const std::string type = "tensor<512x512xf32>";
  const std::string text = fmt::format(
      R"(func.func public @main(%x: {0}, %n: tensor<i32>) -> ({0}, {0}) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : {0}
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %z, %a = %x, %b = %x) : tensor<i32>, {0}, {0}
  cond {{
    %l = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }} do {{
    %old = stablehlo.negate %a : {0}
    %a2 = stablehlo.multiply %a, %two : {0}
    %p = stablehlo.add %a2, %old : {0}
    %s = stablehlo.reduce(%a2 init: %zero) applies stablehlo.add across dimensions = [1] : ({0}, tensor<f32>) -> tensor<512xf32>
    %c = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<512xf32>) -> {0}
    %q0 = stablehlo.add %p, %c : {0}
    %q = stablehlo.subtract %q0, %a2 : {0}
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %a2, %q : tensor<i32>, {0}, {0}
  }}
  return %0#1, %0#2 : {0}, {0}
}})",
      type);
  const std::vector<Bytes> arguments{bytes_of(whole_numbers<float>(512 * 512)),
                                     bytes_of(std::vector<std::int32_t>{2})};
  EXPECT_TRUE(run(text, true, arguments) == run(text, false, arguments));
}

// %m moves to a loop with more values than its tile may have, which then is none.
TEST(FusedLate, MembersOfALoopThatIsNotBuiltFollowTheirOperands) {
  const std::string type = "tensor<4x65536xf64>";
  std::string body = "%v0 = stablehlo.add %m, %c : " + type + "\n", last = "%v0";
  for (int i = 1; i < 12; ++i)
    body += fmt::format("%v{0} = stablehlo.add %v{1}, %v{1} : {2}\n", i, i - 1, type);
  for (int i = 1; i < 12; ++i) {
    body += fmt::format("%t{0} = stablehlo.minimum {1}, %v{0} : {2}\n", i, last, type);
    last = fmt::format("%t{}", i);
  }
  const std::string text = fmt::format(
      R"(func.func public @main(%x: {0}) -> ({0}, {0}, tensor<4xf64>) {{
  %big = stablehlo.constant dense<1.0e9> : tensor<f64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %a = stablehlo.abs %x : {0}
  %m = stablehlo.negate %a : {0}
  %b = stablehlo.add %a, %x : {0}
  %s = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0] : ({0}, tensor<f64>) -> tensor<65536xf64>
  %c = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<65536xf64>) -> {0}
{1}  %r = stablehlo.reduce({2} init: %big) applies stablehlo.minimum across dimensions = [1] : ({0}, tensor<f64>) -> tensor<4xf64>
  return %a, %b, %r : {0}, {0}, tensor<4xf64>
}})",
      type, body, last);
  const std::vector<Bytes> arguments{bytes_of(whole_numbers<double>(4 * 65536))};
  EXPECT_TRUE(run(text, true, arguments) == run(text, false, arguments));
}

}  // namespace
}  // namespace understudy::worker
