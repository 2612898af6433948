// SPDX-License-Identifier: Apache-2.0
// Results of fused loops at places apart have the bytes of copies: elements of every size, 2 to 9
// arrays side by side, tiles that end anywhere, loops of one and of several columns.
#include <random>

#include "fmt/format.h"

#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

std::vector<Bytes> run(const std::string& text, bool fuses, std::vector<Bytes> arguments,
                       std::size_t loops) {
  program::CompileOptions options;
  if (!fuses) options.disabled_passes = {"fuse-elementwise"};
  const auto module = program::read_program(std::make_shared<const program::Source>("test", text));
  const program::Executable executable = program::compile(*module, options);
  program::check_bounds(executable);
  std::size_t fused = 0;
  for (const program::Instruction& instruction : executable.code)
    fused += std::holds_alternative<program::Fused>(instruction.work) ? 1 : 0;
  EXPECT_EQ(fused, fuses ? loops : 0);
  EXPECT_TRUE(!fuses || executable.code.size() == loops) << executable.code.size();
  for (Bytes& argument : arguments) argument.resize(argument.size() + kSlack);
  OneChip chip(executable, program::kernels::select(""), Mxu::Make::automatic, 32 << 20);
  return chip.run(arguments);
}

Bytes random_bytes(std::size_t n) {
  std::mt19937 random(11);
  Bytes bytes(n);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

struct Kind {
  const char* name;
  std::size_t bytes;
  const char* operation;
};
constexpr Kind kKinds[] = {{"i8", 1, "not"},
                           {"ui16", 2, "not"},
                           {"i32", 4, "not"},
                           {"i64", 8, "not"},
                           {"complex<f64>", 16, "negate"}};

// %k arrays, %x and what is computed of it, side by side along a new last dimension of [rows,
// columns].
std::string stack_text(const Kind& kind, std::int64_t rows, std::int64_t columns, int count) {
  const std::string plane = fmt::format("tensor<{}x{}x1x{}>", rows, columns, kind.name),
                    all = fmt::format("tensor<{}x{}x{}x{}>", rows, columns, count, kind.name);
  std::string body, pieces = "%x", types = plane, last = "%x";
  for (int i = 1; i < count; ++i) {
    // Not all of them are another's opposite.
    body += i % 2 == 1
                ? fmt::format("%v{} = stablehlo.{} {} : {}\n", i, kind.operation, last, plane)
                : fmt::format("%v{} = stablehlo.add {}, %y : {}\n", i, last, plane);
    last = fmt::format("%v{}", i);
    pieces += ", " + last;
    types += ", " + plane;
  }
  return fmt::format(
      "func.func public @main(%x: {0}, %y: {0}) -> {1} {{\n{2}"
      "%j = stablehlo.concatenate {3}, dim = 2 : ({4}) -> {1}\nreturn %j : {1}\n}}\n",
      plane, all, body, pieces, types);
}

TEST(FusedApart, StacksHaveTheBytesOfCopies) {
  for (const Kind& kind : kKinds)
    for (int count = 2; count <= 8; ++count)
      for (const std::int64_t n : {20000, 20011, 33000}) {
        SCOPED_TRACE(fmt::format("{} of {} x {}", count, n, kind.name));
        const std::string text = stack_text(kind, n, 1, count);
        const std::vector<Bytes> arguments(2,
                                           random_bytes(static_cast<std::size_t>(n) * kind.bytes));
        EXPECT_TRUE(run(text, true, arguments, 1) == run(text, false, arguments, 0));
      }
}

// Nine are not written apart.
TEST(FusedApart, MoreArraysAreCopied) {
  const std::string text = stack_text(kKinds[2], 20000, 1, 9);
  const auto module = program::read_program(std::make_shared<const program::Source>("test", text));
  EXPECT_GT(program::compile(*module, program::CompileOptions{}).code.size(), 1U);
}

// The rows of a reduction give the loop several columns, whole rows in a tile or parts of them.
TEST(FusedApart, LoopsOfSeveralColumns) {
  for (const auto& [rows, columns] : {std::pair<int, int>{300, 70}, {40, 3000}}) {
    SCOPED_TRACE(fmt::format("{} x {}", rows, columns));
    const std::string plane = fmt::format("tensor<{}x{}xf32>", rows, columns),
                      deep = fmt::format("tensor<{}x{}x1xf32>", rows, columns),
                      both = fmt::format("tensor<{}x{}x2xf32>", rows, columns),
                      line = fmt::format("tensor<{}xf32>", rows);
    const std::string text = fmt::format(
        "func.func public @main(%x: {0}) -> {2} {{\n"
        "%z = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
        "%m = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] : "
        "({0}, tensor<f32>) -> {3}\n"
        "%w = stablehlo.broadcast_in_dim %m, dims = [0] : ({3}) -> {0}\n"
        "%a = stablehlo.subtract %x, %w : {0}\n"
        "%b = stablehlo.negate %a : {0}\n"
        "%c = stablehlo.reshape %a : ({0}) -> {1}\n%d = stablehlo.reshape %b : ({0}) -> {1}\n"
        "%j = stablehlo.concatenate %c, %d, dim = 2 : ({1}, {1}) -> {2}\nreturn %j : {2}\n}}\n",
        plane, deep, both, line);
    std::vector<float> x(static_cast<std::size_t>(rows * columns));
    std::mt19937 random(3);
    for (float& value : x) value = static_cast<float>(random() % 2001) - 1000;
    EXPECT_TRUE(run(text, true, {bytes_of(x)}, 1) == run(text, false, {bytes_of(x)}, 0));
  }
}

// An array padded between its elements, with the number on either side of each.
TEST(FusedApart, PaddingBetweenElements) {
  constexpr int kSize = 20011;
  for (const Kind& kind : kKinds)
    for (int step = 2; step <= 8; ++step)
      for (int low = 0; low < step; ++low) {
        const std::string text = fmt::format(
            "func.func public @main(%x: tensor<{0}x{4}>, %z: tensor<{4}>) -> tensor<{1}x{4}> {{\n"
            "%a = stablehlo.{5} %x : tensor<{0}x{4}>\n"
            "%p = stablehlo.pad %a, %z, low = [{2}], high = [{3}], interior = [{6}] : "
            "(tensor<{0}x{4}>, tensor<{4}>) -> tensor<{1}x{4}>\nreturn %p : tensor<{1}x{4}>\n}}\n",
            kSize, kSize * step, low, step - 1 - low, kind.name, kind.operation, step - 1);
        const std::vector<Bytes> arguments{random_bytes(kSize * kind.bytes),
                                           random_bytes(kind.bytes)};
        EXPECT_TRUE(run(text, true, arguments, 1) == run(text, false, arguments, 0))
            << kind.name << ", step " << step << ", low " << low;
      }
}

}  // namespace
}  // namespace understudy::worker
