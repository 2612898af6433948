// SPDX-License-Identifier: Apache-2.0
// Which loops become machine code, and that these run any number of iterations, at any addresses.
// The loops of bench/operations.py must not fall back to bound code: make_loops.py writes them.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sys/resource.h>

#include "tests/worker/ops/machine_code/machine_run.h"

namespace understudy::worker {
namespace {

namespace fs = std::filesystem;
using program::ElementType;

TEST(MachineLoops, OfTheBenchmarkAreCompiled) {
  const fs::path folder = fs::path(UNDERSTUDY_SOURCE_DIR) / "tests/worker/ops/machine_code/loops";
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    const program::Executable executable =
        program::compile(*program::read_program(entry.path().string()), {});
    // A binary search for each of many numbers is a loop in a loop, as is one more.
    expect_same_bits(executable, random_arguments(executable, 5, {0, 1, 50}), 1);
    ++files;
  }
  EXPECT_EQ(files, 17U);
}

// %0#1: a carried value, and %i, the counter, in `body`, which makes %r from them.
std::string loop_text(const std::string& type, int iterations, const std::string& body) {
  return fmt::format(R"(
func.func public @main(%a: tensor<{0}>) -> tensor<{0}> {{
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<{1}> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<{0}>
  cond {{
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    {2}
    stablehlo.return %2, %r : tensor<i32>, tensor<{0}>
  }}
  return %0#1 : tensor<{0}>
}}
)",
                     type, iterations, body);
}

std::vector<Bytes> some_arguments(const program::Executable& executable) {
  return random_arguments(executable, 3, {-2, 0.25, 20});
}

void expect_loops(const std::string& text, std::size_t loops) {
  const program::Executable executable = compiled_program(text);
  expect_same_bits(executable, some_arguments(executable), loops);
}

// The status counts 64 iterations at once.
TEST(MachineLoops, RunAnyNumberOfIterations) {
  for (const int iterations : {0, 1, 63, 64, 65, 200})
    expect_loops(loop_text("f32", iterations, "%r = stablehlo.add %x, %x : tensor<f32>"), 1);
}

TEST(MachineLoops, KeepSmallArraysInRegisters) {
  expect_loops(
      loop_text("2x3xf32", 70,
                R"(%3 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %4 = stablehlo.reverse %3, dims = [0] : tensor<3x2xf32>
    %5 = stablehlo.reshape %4 : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %6 = stablehlo.slice %5 [0:1, 1:2] : (tensor<2x3xf32>) -> tensor<1x1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x1xf32>) -> tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %c = stablehlo.constant dense<0.125> : tensor<2x3xf32>
    %9 = stablehlo.multiply %5, %c : tensor<2x3xf32>
    %r = stablehlo.subtract %8, %9 : tensor<2x3xf32>)"),
      1);
}

// Windows that are no dense run of their array are copied by plans: some of these loops call them.
TEST(MachineLoops, CopyColumnsByTheirPlans) {
  for (const char* const window : {"5x1", "2x3"}) {
    const std::string type = fmt::format("tensor<{}xf32>", window);
    const std::string sizes = fmt::format("sizes = [{}, {}]", window[0], window[2]);
    const std::string body = fmt::format(
        R"(%3 = stablehlo.dynamic_slice %x, %z, %i, {1} : (tensor<5x7xf32>, tensor<i32>, tensor<i32>) -> {0}
    %c = stablehlo.constant dense<0.25> : {0}
    %4 = stablehlo.multiply %3, %c : {0}
    %r = stablehlo.dynamic_update_slice %x, %4, %one, %i : (tensor<5x7xf32>, {0}, tensor<i32>, tensor<i32>) -> tensor<5x7xf32>)",
        type, sizes);
    const program::Executable executable = compiled_program(loop_text("5x7xf32", 70, body));
    expect_same_bits(executable, some_arguments(executable), std::nullopt);
  }
}

// One pred for several elements, limits, and bits of another type.
TEST(MachineLoops, ChooseAndClampAndReadBits) {
  expect_loops(loop_text("3xf32", 70,
                         R"(%3 = stablehlo.slice %x [1:2] : (tensor<3xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %l = stablehlo.constant dense<-1.5> : tensor<f32>
    %h = stablehlo.constant dense<1.0> : tensor<f32>
    %5 = stablehlo.clamp %l, %4, %h : tensor<f32>
    %6 = stablehlo.bitcast_convert %5 : (tensor<f32>) -> tensor<i32>
    %7 = stablehlo.xor %6, %i : tensor<i32>
    %8 = stablehlo.bitcast_convert %7 : (tensor<i32>) -> tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %10 = stablehlo.compare GT, %8, %5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %11 = stablehlo.select %10, %9, %x : tensor<i1>, tensor<3xf32>
    %12 = stablehlo.reverse %11, dims = [0] : tensor<3xf32>
    %r = stablehlo.subtract %12, %9 : tensor<3xf32>)"),
               1);
}

TEST(MachineLoops, CallWhatHasNoMachineCode) {
  expect_loops(loop_text("f32", 70,
                         R"(%3 = stablehlo.exponential %x : tensor<f32>
    %4 = stablehlo.tanh %3 : tensor<f32>
    %5 = stablehlo.subtract %4, %x : tensor<f32>
    %6 = stablehlo.convert %5 : (tensor<f32>) -> tensor<bf16>
    %7 = stablehlo.add %6, %6 : tensor<bf16>
    %8 = stablehlo.convert %7 : (tensor<bf16>) -> tensor<f32>
    %9 = stablehlo.multiply %8, %5 : tensor<f32>
    %10 = stablehlo.add %9, %3 : tensor<f32>
    %11 = stablehlo.divide %10, %5 : tensor<f32>
    %r = stablehlo.floor %11 : tensor<f32>)"),
               1);
}

TEST(MachineLoops, AreNotMadeOfLongVectors) {
  expect_loops(loop_text("300xf32", 5, "%r = stablehlo.add %x, %x : tensor<300xf32>"), 0);
}

TEST(MachineLoops, AreNotMadeOfCallsAlone) {
  std::string body = "%v0 = stablehlo.cbrt %x : tensor<f32>\n";
  for (int k = 0; k < 5; ++k)
    body += fmt::format("%v{} = stablehlo.cbrt %v{} : tensor<f32>\n", k + 1, k);
  expect_loops(loop_text("f32", 5, body + "%r = stablehlo.cbrt %v5 : tensor<f32>"), 0);
}

TEST(MachineLoops, AreNotMadeOfMoreStepsThanTheLimit) {
  const auto of_steps = [](int steps) {
    std::string body = "%v0 = stablehlo.add %x, %x : tensor<f32>\n";
    for (int k = 0; k < steps; ++k)
      body += fmt::format("%v{} = stablehlo.{} %v{}, %x : tensor<f32>\n", k + 1,
                          k % 2 == 0 ? "subtract" : "multiply", k);
    return loop_text("f32", 5,
                     body + fmt::format("%r = stablehlo.add %v{}, %x : tensor<f32>", steps));
  };
  expect_loops(of_steps(1400), 1);
  expect_loops(of_steps(1600), 0);
}

// The inner one of a loop that stays bound code; the status of the outer one is restored.
TEST(MachineLoops, AreInsideOfBoundLoops) {
  expect_loops(
      loop_text(
          "f32", 5,
          R"(%big = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<900xf32>
    %exp = stablehlo.cosine %big : tensor<900xf32>
    %3:2 = stablehlo.while(%j = %z, %y = %x) : tensor<i32>, tensor<f32>
    cond {
      %4 = stablehlo.compare LT, %j, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %5 = stablehlo.add %j, %one : tensor<i32>
      %6 = stablehlo.multiply %y, %y : tensor<f32>
      stablehlo.return %5, %6 : tensor<i32>, tensor<f32>
    }
    %7 = stablehlo.reduce(%exp init: %3#1) applies stablehlo.add across dimensions = [0] : (tensor<900xf32>, tensor<f32>) -> tensor<f32>
    %r = stablehlo.subtract %7, %x : tensor<f32>)"),
      1);
}

// Restores the limit on open files at its end.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoMoreFiles(const NoMoreFiles&) = delete;
  NoMoreFiles& operator=(const NoMoreFiles&) = delete;

 private:
  rlimit before_{};
};

// Memory that is written through one mapping and run through another needs a file descriptor.
TEST(MachineLoops, StayBoundCodeWithoutMemoryForThem) {
  const program::Executable executable =
      compiled_program(loop_text("f32", 70, "%r = stablehlo.add %x, %x : tensor<f32>"));
  const std::vector<Bytes> arguments = some_arguments(executable);
  const NoMoreFiles none;
  EXPECT_EQ(ops::bind(executable, program::kernels::select("")).machine_loops, 0U);
  EXPECT_EQ(OneChip(executable).run(arguments), OneChip(executable).run_plainly(arguments));
}

// The code has no address of a launch.
TEST(MachineLoops, RunAtOtherAddresses) {
  const program::Executable executable =
      compiled_program(loop_text("f32", 7,
                                 "%3 = stablehlo.exponential %x : tensor<f32>\n"
                                 "%4 = stablehlo.subtract %3, %x : tensor<f32>\n"
                                 "%r = stablehlo.multiply %4, %x : tensor<f32>"));
  const auto& kernels = program::kernels::select("");
  BoundCode bound = ops::bind(executable, kernels);
  BoundCode moved = std::move(bound);
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const auto arguments = random_arguments(executable, seed, {-2, 0.25, 20});
    OneChip first(executable, kernels), second(executable, kernels);
    for (const Bytes& argument : arguments) second.execution.arguments.push_back(argument.data());
    run(moved, second.execution);
    const Bytes wanted = first.run_plainly(arguments)[0];
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end() - kSlack, second.execution.results[0]));
  }
}

}  // namespace
}  // namespace understudy::worker
