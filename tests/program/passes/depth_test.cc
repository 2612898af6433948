// SPDX-License-Identifier: Apache-2.0
// Programs that are long, deep or doubling: no pass, printer, analysis or destructor recurses as
// deep as the program is long, and what cannot be compiled is refused in its place.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"
#include "program/analysis/metric_verdict.h"
#include "small_stack.h"

namespace understudy::program {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kSmall = 256 << 10;  // bytes of stack: 5,000 frames of 48 bytes overflow it
constexpr std::size_t kNested = 2 << 20;   // for the nesting that is allowed

// What compile and metrics do with a program, from its text to its end.
void use_all_of(const std::string& text) {
  const auto module = module_of(text);
  verify(*module);
  EXPECT_TRUE(unsupported_operations(*module).empty());
  const auto again = module_of(print(*module));
  EXPECT_EQ(first_difference(*module, *again), "");
  EXPECT_FALSE(operations_in_order(*module).empty());
  const Executable executable = compile(*module, {});
  EXPECT_FALSE(list(executable).empty());
  const auto report = analysis::metric_report(*module, {}, interface_of(*module, {}));
  EXPECT_FALSE(report.results.empty());
}

// @main of two chips; `line(i, last)` is operation i, which defines %i and reads `last`.
std::string long_main(int count, const std::function<std::string(int, std::string)>& line,
                      const std::string& before = "", const std::string& functions = "") {
  std::string text = "module attributes {mhlo.num_replicas = 2 : i32} {\n" + functions +
                     "func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n" + before;
  std::string last = "%x";
  for (int i = 0; i < count; ++i) {
    text += line(i, last) + "\n";
    last = fmt::format("%{}", i);
  }
  return text + "%r = \"stablehlo.all_reduce\"(" + last +
         ") ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n  %s = stablehlo.add %p, %q : "
         "tensor<f32>\n"
         "  stablehlo.return %s : tensor<f32>\n}) {replica_groups = dense<[[0, 1]]> : "
         "tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>\n"
         "return %r : tensor<8xf32>\n}\n}\n";
}

std::string chain(int count) {
  return long_main(count, [](int i, const std::string& last) {
    return fmt::format("%{} = stablehlo.add {}, %x : tensor<8xf32>", i, last);
  });
}

// Each a kind of operation of which a program may hold a line.
struct Line {
  const char* name;
  const char* text;  // {0} the ordinal, {1} the value before
  const char* before = "";
  const char* functions = "";
};
constexpr Line kLines[] = {
    {"moved",
     "%a{0} = stablehlo.reshape {1} : (tensor<8xf32>) -> tensor<2x4xf32>\n"
     "%b{0} = stablehlo.transpose %a{0}, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>\n"
     "%{0} = stablehlo.reshape %b{0} : (tensor<4x2xf32>) -> tensor<8xf32>"},
    {"constants",
     "%c{0} = stablehlo.constant dense<{0}.5> : tensor<8xf32>\n"
     "%{0} = stablehlo.multiply %c{0}, {1} : tensor<8xf32>"},
    {"known integers",
     "%n{0} = stablehlo.add %one, %one : tensor<i32>\n"
     "%{0} = stablehlo.negate {1} : tensor<8xf32>",
     "%one = stablehlo.constant dense<1> : tensor<i32>\n"},
    {"converted",
     "%a{0} = stablehlo.convert {1} : (tensor<8xf32>) -> tensor<8xbf16>\n"
     "%{0} = stablehlo.convert %a{0} : (tensor<8xbf16>) -> tensor<8xf32>"},
    {"tuples",
     "%t{0} = stablehlo.tuple {1}, %x : tuple<tensor<8xf32>, tensor<8xf32>>\n"
     "%{0} = stablehlo.get_tuple_element %t{0}[0] : (tuple<tensor<8xf32>, tensor<8xf32>>) -> "
     "tensor<8xf32>"},
    {"loops",
     "%w{0}:2 = stablehlo.while(%i{0} = %one, %v{0} = {1}) : tensor<i32>, tensor<8xf32>\n"
     "cond {{\n%p{0} = stablehlo.compare LT, %i{0}, %one : (tensor<i32>, tensor<i32>) -> "
     "tensor<i1>\nstablehlo.return %p{0} : tensor<i1>\n}} do {{\n"
     "%n{0} = stablehlo.add %i{0}, %one : tensor<i32>\n"
     "stablehlo.return %n{0}, %v{0} : tensor<i32>, tensor<8xf32>\n}}\n"
     "%{0} = stablehlo.negate %w{0}#1 : tensor<8xf32>",
     "%one = stablehlo.constant dense<1> : tensor<i32>\n"},
    {"calls", "%{0} = call @f({1}) : (tensor<8xf32>) -> tensor<8xf32>", "",
     "func.func private @f(%v: tensor<8xf32>) -> tensor<8xf32> {\n"
     "%0 = stablehlo.tanh %v : tensor<8xf32>\nreturn %0 : tensor<8xf32>\n}\n"},
    {"composites",
     "%{0} = stablehlo.composite \"my.op\" {1} {{decomposition = @f}} : (tensor<8xf32>) -> "
     "tensor<8xf32>",
     "",
     "func.func private @f(%v: tensor<8xf32>) -> tensor<8xf32> {\n"
     "%0 = stablehlo.tanh %v : tensor<8xf32>\nreturn %0 : tensor<8xf32>\n}\n"},
};

TEST(Depth, ALineOf50000OperationsNeedsNoDeepStack) {
  on_stack_of(kSmall, [] {
    const auto module = module_of(chain(50'000));
    CompileOptions unfused;
    unfused.disabled_passes = {"fuse-elementwise"};
    EXPECT_EQ(compile(*module, unfused).code.size(), 50'001U);
    EXPECT_LT(compile(*module, {}).code.size(), 50'001U / 100);
    const auto report = analysis::metric_report(*module, {}, interface_of(*module, {}));
    EXPECT_TRUE(report.results.at(0).agrees);
  });
}

TEST(Depth, LinesOfEveryKindNeedNoDeepStack) {
  for (const Line& line : kLines) {
    SCOPED_TRACE(line.name);
    const std::string text = long_main(
        6000,
        [&](int i, const std::string& last) {
          return fmt::format(fmt::runtime(line.text), i, last);
        },
        line.before, line.functions);
    on_stack_of(kSmall, [&] { use_all_of(text); });
  }
}

// ---- calls --------------------------------------------------------------------------------------

// @f0 calls @f1 `times` times, and so on; the last does nothing.
std::string functions(int count, int times) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += fmt::format("func.func private @f{}(%v: tensor<f32>) -> tensor<f32> {{\n", i);
    std::string last = "%v";
    for (int k = 0; i + 1 < count && k < times; ++k) {
      text += fmt::format("%{} = call @f{}({}) : (tensor<f32>) -> tensor<f32>\n", k, i + 1, last);
      last = fmt::format("%{}", k);
    }
    text += fmt::format("return {} : tensor<f32>\n}}\n", last);
  }
  return text +
         "func.func public @main(%v: tensor<f32>) -> tensor<f32> {\n"
         "%0 = call @f0(%v) : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32>\n}\n";
}

std::string error_of_compiling(const std::string& text, std::size_t stack) {
  return error_of([&] { on_stack_of(stack, [&] { compiled(text); }); });
}

TEST(Depth, CallsOf20000FunctionsInFunctionsAreRefusedInTheirPlace) {
  const std::string error = error_of_compiling(functions(20'000, 1), kNested);
  EXPECT_THAT(error, HasSubstr("calls and regions are nested more than 512 levels deep"));
  EXPECT_THAT(error, HasSubstr("test.mlir:"));
}

TEST(Depth, NestedCallsBelowTheBoundRun) {
  on_stack_of(kNested, [] { use_all_of(functions(500, 1)); });
}

// No instruction comes of them, so nothing but the calls themselves can be counted.
TEST(Depth, CallsThatDoubleAreRefusedInTheirPlace) {
  const std::string error = error_of_compiling(functions(60, 2), kNested);
  EXPECT_THAT(error, HasSubstr("the program has more than 8000000 operations once its calls are "
                               "inlined"));
  EXPECT_THAT(error, HasSubstr("test.mlir:"));
}

TEST(Depth, FunctionsThatCallEachOtherAreRefusedInAReducerToo) {
  const std::string error = error_of_compiling(
      "func.func private @f(%a: tensor<f32>) -> tensor<f32> {\n"
      "%0 = call @g(%a) : (tensor<f32>) -> tensor<f32>\n"
      "%1 = call @g(%0) : (tensor<f32>) -> tensor<f32>\nreturn %1 : tensor<f32>\n}\n"
      "func.func private @g(%a: tensor<f32>) -> tensor<f32> {\n"
      "%0 = call @f(%a) : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32>\n}\n"
      "func.func public @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {\n"
      "%0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) "
      "-> tensor<f32>\n reducer(%a: tensor<f32>, %b: tensor<f32>) {\n"
      "%1 = call @f(%a) : (tensor<f32>) -> tensor<f32>\n"
      "%2 = stablehlo.add %1, %b : tensor<f32>\nstablehlo.return %2 : tensor<f32>\n}\n"
      "return %0 : tensor<f32>\n}\n",
      kNested);
  EXPECT_THAT(error, HasSubstr("recursion is not supported"));
}

// ---- loops --------------------------------------------------------------------------------------

// Loops in loops, each with a counter of its own that differs between chips, so that each needs a
// second round wherever its surroundings change.
std::string nested_loops(int count) {
  std::string text =
      "module attributes {mhlo.num_replicas = 2 : i32} {\n"
      "func.func public @main(%x: tensor<f32>) -> tensor<f32> {\n"
      "%z = stablehlo.constant dense<0> : tensor<ui32>\n"
      "%chip = stablehlo.replica_id : tensor<ui32>\n";
  std::string last = "%x";
  for (int i = 0; i < count; ++i) {
    text += fmt::format(
        "%w{0}:2 = stablehlo.while(%i{0} = %z, %v{0} = {1}) : tensor<ui32>, tensor<f32>\n"
        "cond {{\n%p{0} = stablehlo.compare LT, %i{0}, %z : (tensor<ui32>, tensor<ui32>) -> "
        "tensor<i1>\nstablehlo.return %p{0} : tensor<i1>\n}} do {{\n",
        i, last);
    last = fmt::format("%v{}", i);
  }
  text += fmt::format("%s = stablehlo.add {0}, {0} : tensor<f32>\n", last);
  last = "%s";
  for (int i = count; i-- > 0;) {
    text += fmt::format(
        "%n{0} = stablehlo.add %i{0}, %chip : tensor<ui32>\n"
        "stablehlo.return %n{0}, {1} : tensor<ui32>, tensor<f32>\n}}\n",
        i, last);
    last = fmt::format("%w{}#1", i);
  }
  return text + "return " + last + " : tensor<f32>\n}\n}\n";
}

TEST(Depth, LoopsInLoopsCostNoMoreThanTheirDepthEach) {
  on_stack_of(kNested, [] { use_all_of(nested_loops(100)); });
}

TEST(Depth, TenThousandLoopsInLoopsAreRefusedInTheirPlace) {
  const std::string error = error_of_compiling(nested_loops(10'000), kNested);
  EXPECT_THAT(error, HasSubstr("nested more than 256 levels deep"));
  EXPECT_THAT(error, HasSubstr("test.mlir:"));
}

// A loop that carries `count` values and hands each on to the next; the first comes from the chip.
std::string handing_on(int count) {
  std::string carried, types, returned;
  for (int i = 0; i < count; ++i) {
    carried += fmt::format(", %v{} = {}", i, i == 0 ? "%own" : "%x");
    types += ", tensor<f32>";
    returned += fmt::format(", %v{}", i == 0 ? 0 : i - 1);
  }
  return fmt::format(
      "module attributes {{mhlo.num_replicas = 2 : i32}} {{\n"
      "func.func public @main(%n: tensor<i32>) -> tensor<f32> {{\n"
      "%x = stablehlo.constant dense<1.0> : tensor<f32>\n"
      "%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "%chip = stablehlo.replica_id : tensor<ui32>\n"
      "%own = stablehlo.convert %chip : (tensor<ui32>) -> tensor<f32>\n"
      "%w:{0} = stablehlo.while(%i = %one{1}) : tensor<i32>{2}\n"
      "cond {{\n%p = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "stablehlo.return %p : tensor<i1>\n}} do {{\n"
      "%m = stablehlo.add %i, %one : tensor<i32>\n"
      "stablehlo.return %m{3} : tensor<i32>{2}\n}}\n"
      "return %w#{4} : tensor<f32>\n}}\n}}\n",
      count + 1, carried, types, returned, count);
}

// What differs reaches the last value after as many rounds as there are values, more than the
// analysis follows: it must not be said to agree then.
TEST(Depth, WhatALoopHandsOnSlowlyIsNotSaidToAgree) {
  for (const int count : {2, 100, 5'000}) {
    SCOPED_TRACE(count);
    const auto module = module_of(handing_on(count));
    const auto report = analysis::metric_report(*module, {}, interface_of(*module, {}));
    EXPECT_FALSE(report.results.at(0).agrees);
    EXPECT_GT(compile(*module, {}).code.size(), 0U);
  }
}

}  // namespace
}  // namespace understudy::program
