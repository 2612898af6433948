// SPDX-License-Identifier: Apache-2.0
// Slices and updates in place. That results keep their bits: tests/worker/slices_in_place_test.cc.
#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::HasSubstr;

// A loop over rows of %a and of what it carries as %p, both 8 rows of `columns` elements; the body
// ends with the next %p as %u. %i is the row, %j the next one, %none 0.
std::string loop_of_rows(const std::string& body, int columns = 4096) {
  std::string text = R"(
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %w:2 = stablehlo.while(%i = %none, %p = %b) : tensor<i32>, tensor<8xCxf32>
  cond {
    %c = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
)" + body + R"(
    stablehlo.return %j, %u : tensor<i32>, tensor<8xCxf32>
  }
  return %w#1 : tensor<8xCxf32>)";
  for (std::size_t at = text.find("xCx"); at != std::string::npos; at = text.find("xCx", at))
    text.replace(at + 1, 1, std::to_string(columns));
  return text;
}

Executable loop_executable(const std::string& body, int columns = 4096) {
  const std::string type = "tensor<8x" + std::to_string(columns) + "xf32>";
  return compiled_main("(%a: " + type + ", %b: " + type + ") -> " + type,
                       loop_of_rows(body, columns));
}

const Code& body_of(const Executable& executable) {
  for (const Instruction& instruction : executable.code)
    if (const auto* loop = std::get_if<While>(&instruction.work)) return loop->body;
  throw Error(ErrorKind::internal, "no loop");
}

template <class Kind>
std::ptrdiff_t count(const Code& code) {
  return std::ranges::count_if(
      code, [](const Instruction& one) { return std::holds_alternative<Kind>(one.work); });
}

const std::string kSlice =
    "%s = stablehlo.dynamic_slice %a, %i, %none, sizes = [1, 4096] : (tensor<8xCxf32>, "
    "tensor<i32>, tensor<i32>) -> tensor<1xCxf32>\n";
const std::string kDouble = "%d = stablehlo.add %s, %s : tensor<1xCxf32>\n";
const std::string kUpdate =
    "%u = stablehlo.dynamic_update_slice %p, %d, %i, %none : (tensor<8xCxf32>, tensor<1xCxf32>, "
    "tensor<i32>, tensor<i32>) -> tensor<8xCxf32>\n";

TEST(SlicesInPlace, ALoopReadsAndWritesRowsWhereTheyLie) {
  const Executable executable = loop_executable(kSlice + kDouble + kUpdate);
  const Code& body = body_of(executable);
  EXPECT_EQ(count<DynamicSlice>(body), 0);
  EXPECT_EQ(count<DynamicUpdateSlice>(body), 0);
  EXPECT_EQ(count<LocateSlice>(body), 2);
  const auto sum = std::ranges::find_if(body, [](const Instruction& one) {
    return one.outputs[0].at.space == Space::slice && std::holds_alternative<Binary>(one.work);
  });
  ASSERT_NE(sum, body.end());
  EXPECT_EQ(sum->inputs[0].at.space, Space::slice);
  EXPECT_NE(sum->inputs[0].at, sum->outputs[0].at);
  EXPECT_THAT(list(*sum), HasSubstr("binary{add}(slice"));
  // Only the counter and the predicate are left of the temporaries.
  EXPECT_EQ(executable.temporary_bytes, 2 * 64U);
}

TEST(SlicesInPlace, SmallAndScatteredSlicesAreCopied) {
  std::string small = kSlice + kDouble + kUpdate;
  small.replace(small.find("4096]"), 4, "1024");
  EXPECT_EQ(count<LocateSlice>(body_of(loop_executable(small, 1024))), 0);
  // Half of each row.
  const Executable columns = loop_executable(
      "%s = stablehlo.dynamic_slice %a, %none, %i, sizes = [8, 2048] : (tensor<8xCxf32>, "
      "tensor<i32>, tensor<i32>) -> tensor<8x2048xf32>\n"
      "%d = stablehlo.add %s, %s : tensor<8x2048xf32>\n"
      "%u = stablehlo.dynamic_update_slice %p, %d, %none, %i : (tensor<8xCxf32>, "
      "tensor<8x2048xf32>, tensor<i32>, tensor<i32>) -> tensor<8xCxf32>\n");
  EXPECT_EQ(count<LocateSlice>(body_of(columns)), 0);
}

// A row of %p, which is written while the row is still needed.
TEST(SlicesInPlace, ASliceOfAnArrayThatChangesIsCopied) {
  const std::string of_p =
      "%s = stablehlo.dynamic_slice %p, %i, %none, sizes = [1, 4096] : (tensor<8xCxf32>, "
      "tensor<i32>, tensor<i32>) -> tensor<1xCxf32>\n";
  const std::string check =
      "stablehlo.custom_call @check.expect_eq(%s, %s) {has_side_effect = true} : "
      "(tensor<1xCxf32>, tensor<1xCxf32>) -> ()\n";
  const Executable late = loop_executable(of_p + kDouble + kUpdate + check);
  EXPECT_EQ(count<DynamicSlice>(body_of(late)), 1);
  // Read before: the slice is in place, and the update of the same row is a copy.
  const Executable early = loop_executable(of_p + kDouble + kUpdate);
  EXPECT_EQ(count<DynamicSlice>(body_of(early)), 0);
  EXPECT_EQ(count<DynamicUpdateSlice>(body_of(early)), 1);
}

// Between the product of a row and its update the array is read.
TEST(SlicesInPlace, AnUpdateOfAnArrayInUseIsCopied) {
  const Executable executable =
      loop_executable(kSlice + kDouble +
                      "%q = stablehlo.reverse %p, dims = [1] : tensor<8xCxf32>\n"
                      "%v = stablehlo.dynamic_update_slice %q, %d, %i, %none : (tensor<8xCxf32>, "
                      "tensor<1xCxf32>, tensor<i32>, tensor<i32>) -> tensor<8xCxf32>\n"
                      "%u = stablehlo.add %v, %p : tensor<8xCxf32>\n");
  EXPECT_EQ(count<DynamicUpdateSlice>(body_of(executable)), 1);
}

// A start that is computed after the row.
TEST(SlicesInPlace, AnUpdateWhoseStartComesLateIsCopied) {
  const Executable executable =
      loop_executable(kSlice + kDouble +
                      "%f = stablehlo.slice %d [0:1, 0:1] : (tensor<1xCxf32>) -> tensor<1x1xf32>\n"
                      "%g = stablehlo.reshape %f : (tensor<1x1xf32>) -> tensor<f32>\n"
                      "%k = stablehlo.convert %g : (tensor<f32>) -> tensor<i32>\n"
                      "%u = stablehlo.dynamic_update_slice %p, %d, %k, %none : (tensor<8xCxf32>, "
                      "tensor<1xCxf32>, tensor<i32>, tensor<i32>) -> tensor<8xCxf32>\n");
  EXPECT_EQ(count<DynamicUpdateSlice>(body_of(executable)), 1);
  EXPECT_EQ(count<LocateSlice>(body_of(executable)), 1);
}

// Outside of loops an argument may share its memory with a result that is written before the slice
// is read.
TEST(SlicesInPlace, ASliceOfAnArgumentOutsideOfLoopsIsCopied) {
  const Executable executable = compiled_main(
      "(%a: tensor<8x4096xf32>, %i: tensor<i32>) -> tensor<1x4096xf32>",
      "%s = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4096] : (tensor<8x4096xf32>, "
      "tensor<i32>, tensor<i32>) -> tensor<1x4096xf32>\n"
      "%d = stablehlo.add %s, %s : tensor<1x4096xf32>\n"
      "return %d : tensor<1x4096xf32>");
  EXPECT_EQ(count<LocateSlice>(executable.code), 0);
}

// Executables come from caches.
TEST(SlicesInPlace, DamagedSlicesAreRefused) {
  const auto refused = [](const std::function<void(Code&)>& damage, const std::string& words) {
    Executable executable = loop_executable(kSlice + kDouble + kUpdate);
    for (Instruction& instruction : executable.code)
      if (auto* loop = std::get_if<While>(&instruction.work)) damage(loop->body);
    EXPECT_THAT(error_of([&] { check_bounds(executable); }), HasSubstr(words));
  };
  const auto find = [](Code& code, auto&& holds) -> Instruction& {
    return *std::ranges::find_if(code, holds);
  };
  const auto locates = [](const Instruction& one) {
    return std::holds_alternative<LocateSlice>(one.work);
  };
  const auto adds = [](const Instruction& one) {
    return one.outputs[0].at.space == Space::slice && std::holds_alternative<Binary>(one.work);
  };
  refused([&](Code& code) { std::erase_if(code, locates); }, "outside its memory space");
  refused([&](Code& code) { find(code, adds).inputs[0].at.offset = 64; },
          "outside its memory space");
  refused([&](Code& code) { std::swap(find(code, adds).inputs[0], find(code, adds).outputs[0]); },
          "write to an argument or constant");
  refused([&](Code& code) { code.insert(code.begin(), find(code, locates)); }, "located twice");
  refused([&](Code& code) { find(code, locates).inputs.clear(); }, "wrong number of operands");
  refused(
      [&](Code& code) {
        find(code, locates).outputs[0].type.shape = {2, 2048};
      },
      "the slice is not dense");
}

}  // namespace
}  // namespace understudy::program
