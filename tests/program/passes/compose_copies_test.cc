// SPDX-License-Identifier: Apache-2.0
// Which copies of copies become one. That results keep their bits: tests/worker.
#include <algorithm>
#include <numeric>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program/passes/compose.h"
#include "program/passes/copies.h"
#include "program/passes/draft.h"
#include "program/passes/module/attributes.h"
#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// ---- compose()

// Runs a copy by its definition.
void run(const StridedCopy& copy, const std::vector<int>& from, std::vector<int>& to) {
  const std::int64_t count = passes::elements_of(copy);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t left = i, in = copy.in_base, out = copy.out_base;
    for (std::size_t d = copy.sizes.size(); d-- > 0; left /= copy.sizes[d]) {
      in += left % copy.sizes[d] * copy.in_strides[d];
      out += left % copy.sizes[d] * copy.out_strides[d];
    }
    to.at(static_cast<std::size_t>(out)) = from.at(static_cast<std::size_t>(in));
  }
}

// Copies between boxes of arrays, as slices, pads, transposes and broadcasts are.
class RandomCopies {
 public:
  explicit RandomCopies(std::uint32_t seed) : random_(seed) {}

  std::int64_t number(std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(random_);
  }
  Shape shape() {
    Shape made(static_cast<std::size_t>(number(1, 4)));
    for (std::int64_t& size : made) size = number(1, 5);
    return made;
  }
  // The strides and the base of a box of an array: a part of each dimension.
  struct BoxOf {
    Shape sizes, strides;
    std::int64_t base = 0;
  };
  BoxOf box(const Shape& array) {
    BoxOf made{array, passes::row_major_strides(array)};
    for (std::size_t d = 0; d < array.size(); ++d) {
      made.sizes[d] = number(0, 2) == 0 ? number(1, array[d]) : array[d];
      made.base += number(0, array[d] - made.sizes[d]) * made.strides[d];
    }
    return made;
  }
  // Dense strides of these sizes in any order of the dimensions.
  Shape permuted(const Shape& sizes) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    if (number(0, 1) == 0) std::ranges::shuffle(order, random_);
    Shape strides(sizes.size());
    std::int64_t stride = 1;
    for (const std::size_t d : order) {
      strides[d] = stride;
      stride *= sizes[d];
    }
    return strides;
  }
  StridedCopy writer(const Shape& array) {
    const BoxOf to = box(array);
    StridedCopy made{to.sizes, permuted(to.sizes), to.strides, number(0, 3), to.base};
    if (number(0, 4) == 0) std::ranges::fill(made.in_strides, 0);
    return passes::simplified(made);
  }
  StridedCopy reader(const Shape& array) {
    const BoxOf from = box(array);
    StridedCopy made{from.sizes, from.strides, {}, from.base, number(0, 3)};
    if (number(0, 2) == 0) {
      const auto place = static_cast<std::ptrdiff_t>(number(0, std::ssize(made.sizes)));
      made.sizes.insert(made.sizes.begin() + place, number(2, 3));
      made.in_strides.insert(made.in_strides.begin() + place, 0);
    }
    made.out_strides = permuted(made.sizes);
    return passes::simplified(made);
  }

 private:
  std::mt19937 random_;
};

std::size_t largest(const StridedCopy& copy, const Shape& strides, std::int64_t base) {
  for (std::size_t d = 0; d < copy.sizes.size(); ++d) base += (copy.sizes[d] - 1) * strides[d];
  return static_cast<std::size_t>(base) + 1;
}

// Over arrays whose shape the writer and the reader may see differently.
TEST(Compose, TakesWhatTheWriterPutWhereTheReaderLooks) {
  RandomCopies random(17);
  int composed = 0, empty = 0;
  for (int i = 0; i < 20000; ++i) {
    const Shape array = random.shape();
    const std::int64_t elements =
        std::accumulate(array.begin(), array.end(), std::int64_t{1}, std::multiplies<>());
    const StridedCopy writer = random.writer(array);
    const StridedCopy reader = random.reader(random.number(0, 3) == 0 ? Shape{elements} : array);
    std::vector<StridedCopy> found;
    if (!passes::compose(reader, writer, elements, found)) continue;
    ASSERT_LE(found.size(), 1U);
    std::vector<int> source(largest(writer, writer.in_strides, writer.in_base));
    std::iota(source.begin(), source.end(), 1);
    std::vector<int> between(static_cast<std::size_t>(elements), 0);
    std::vector<int> expected(largest(reader, reader.out_strides, reader.out_base), 0);
    std::vector<int> result = expected;
    run(writer, source, between);
    run(reader, between, expected);
    if (!found.empty()) run(found[0], source, result);
    ASSERT_EQ(result, expected) << i;
    ++(found.empty() ? empty : composed);
  }
  EXPECT_GT(composed, 10000);
  EXPECT_GT(empty, 100);
}

TEST(Compose, RefusesWhatIsNoBoxOfOneShape) {
  std::vector<StridedCopy> found;
  const StridedCopy rows{{2, 3}, {3, 1}, {6, 1}, 0, 0};  // of 2 x 6
  EXPECT_TRUE(passes::compose({{6}, {1}, {1}, 0, 0}, rows, 12, found));
  EXPECT_THAT(found, SizeIs(1));
  // Of 3 x 4; a diagonal; windows that overlap; backwards; across the end of a row.
  for (const StridedCopy& reader :
       {StridedCopy{{3, 2}, {4, 1}, {2, 1}, 0, 0}, StridedCopy{{2}, {7}, {1}, 0, 0},
        StridedCopy{{4, 2}, {1, 1}, {2, 1}, 0, 0}, StridedCopy{{6}, {-1}, {1}, 5, 0},
        StridedCopy{{5}, {1}, {1}, 4, 0}, StridedCopy{{9}, {1}, {1}, 0, 0}})
    EXPECT_FALSE(passes::compose(reader, rows, 12, found));
  EXPECT_THAT(found, SizeIs(1));
}

// ---- the pass

CompileOptions composing() {
  CompileOptions options;
  options.disabled_passes = {"fuse-elementwise"};
  return options;
}

std::vector<std::string> composed(const std::string& signature, const std::string& body,
                                  bool composes = true) {
  const CompileOptions options = composes ? composing() : unfused();
  return lines(compiled("func.func public @main" + signature + " {\n" + body + "}\n", options));
}

// %y, the columns of %x [8,64] rolled by 16, and %z, the rows of that rolled by 2.
const std::string kRolls =
    "%a = stablehlo.slice %x [0:8, 16:64] : (tensor<8x64xf32>) -> tensor<8x48xf32>\n"
    "%b = stablehlo.slice %x [0:8, 0:16] : (tensor<8x64xf32>) -> tensor<8x16xf32>\n"
    "%y = stablehlo.concatenate %a, %b, dim = 1 : (tensor<8x48xf32>, tensor<8x16xf32>) -> "
    "tensor<8x64xf32>\n"
    "%c = stablehlo.slice %y [2:8, 0:64] : (tensor<8x64xf32>) -> tensor<6x64xf32>\n"
    "%d = stablehlo.slice %y [0:2, 0:64] : (tensor<8x64xf32>) -> tensor<2x64xf32>\n"
    "%z = stablehlo.concatenate %c, %d, dim = 0 : (tensor<6x64xf32>, tensor<2x64xf32>) -> "
    "tensor<8x64xf32>\n";

TEST(ComposeCopies, ARollOfARollCopiesOnce) {
  const std::string type = "(%x: tensor<8x64xf32>) -> tensor<8x64xf32>";
  const auto before = composed(type, kRolls + "return %z : tensor<8x64xf32>\n", false);
  EXPECT_THAT(before, Contains(HasSubstr("temporary")));
  const auto after = composed(type, kRolls + "return %z : tensor<8x64xf32>\n");
  EXPECT_THAT(after, SizeIs(4));
  EXPECT_THAT(after, Each(AllOf(HasSubstr("result0 f32[8,64] = strided_copy"),
                                HasSubstr("(argument0 f32[8,64])"))));
}

TEST(ComposeCopies, RepetitionsAreOneCopy) {
  EXPECT_THAT(
      composed("(%x: tensor<4x8x16xf32>) -> tensor<4x2x8x2x16xf32>",
               "%a = stablehlo.broadcast_in_dim %x, dims = [0, 2, 3] : (tensor<4x8x16xf32>) -> "
               "tensor<4x2x8x16xf32>\n"
               "%b = stablehlo.reshape %a : (tensor<4x2x8x16xf32>) -> tensor<64x16xf32>\n"
               "%c = stablehlo.broadcast_in_dim %b, dims = [0, 2] : (tensor<64x16xf32>) -> "
               "tensor<64x2x16xf32>\n"
               "%d = stablehlo.reshape %c : (tensor<64x2x16xf32>) -> tensor<4x2x8x2x16xf32>\n"
               "return %d : tensor<4x2x8x2x16xf32>\n"),
      ElementsAre(HasSubstr("strided_copy{[4,2,8,2,16] from [128,0,16,0,1]+0 to "
                            "[512,256,32,16,1]+0}(argument0 f32[4,8,16])")));
}

TEST(ComposeCopies, PaddingOfPaddingIsPaddedOnce) {
  const auto after =
      composed("(%x: tensor<30x30xf32>) -> tensor<32x32xf32>",
               "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
               "%a = stablehlo.pad %x, %z, low = [1, 0], high = [1, 0], interior = [0, 0] : "
               "(tensor<30x30xf32>, tensor<f32>) -> tensor<32x30xf32>\n"
               "%b = stablehlo.pad %a, %z, low = [0, 1], high = [0, 1], interior = [0, 0] : "
               "(tensor<32x30xf32>, tensor<f32>) -> tensor<32x32xf32>\n"
               "return %b : tensor<32x32xf32>\n");
  EXPECT_THAT(after, Each(HasSubstr("result0 f32[32,32] = ")));
  EXPECT_THAT(after, Contains(HasSubstr("strided_copy{[30,30] from [30,1]+0 to [32,1]+33}")));
}

// The sum is kept longer for it where that is an eighth larger than its slice at most.
TEST(ComposeCopies, PaddingOfASliceWithoutABorderIsOneCopy) {
  const auto padded = [](const std::string& columns) {
    const std::string slice = "tensor<32x" + columns + "xf32>";
    return composed("(%x: tensor<32x64xf32>) -> (tensor<32x66xf32>, tensor<32x64xf32>)",
                    "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                    "%s = stablehlo.add %x, %x : tensor<32x64xf32>\n"
                    "%a = stablehlo.slice %s [0:32, 0:" +
                        columns + "] : (tensor<32x64xf32>) -> " + slice +
                        "\n%b = stablehlo.pad %a, %z, low = [0, 1], high = [0, " +
                        std::to_string(65 - std::stoi(columns)) + "], interior = [0, 0] : (" +
                        slice + ", tensor<f32>) -> tensor<32x66xf32>\n" +
                        "%t = stablehlo.exponential %s : tensor<32x64xf32>\n" +
                        "return %b, %t : tensor<32x66xf32>, tensor<32x64xf32>\n");
  };
  EXPECT_THAT(padded("63"),
              Contains(HasSubstr("result0 f32[32,66] = strided_copy{[32,63] from [64,1]+0 to "
                                 "[66,1]+1}(temporary")));
  EXPECT_THAT(padded("57"), Contains(HasSubstr("from [64,1]+0 to [66,1]+1")));
  EXPECT_THAT(padded("56"), Contains(HasSubstr("from [64,1]+0 to [56,1]+0")));
}

// A loop reads each window of the padded array in place: several pieces of each would be copied.
TEST(ComposeCopies, WindowsOfAPaddedArrayStay) {
  const auto after = composed(
      "(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)",
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%a = stablehlo.pad %x, %z, low = [0, 1], high = [0, 1], interior = [0, 0] : "
      "(tensor<64x64xf32>, tensor<f32>) -> tensor<64x66xf32>\n"
      "%b = stablehlo.slice %a [0:64, 0:64] : (tensor<64x66xf32>) -> tensor<64x64xf32>\n"
      "%c = stablehlo.slice %a [0:64, 1:65] : (tensor<64x66xf32>) -> tensor<64x64xf32>\n"
      "%d = stablehlo.slice %a [0:64, 2:66] : (tensor<64x66xf32>) -> tensor<64x64xf32>\n"
      "return %b, %c, %d : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>\n");
  EXPECT_THAT(after, Contains(HasSubstr("f32[64,66] = strided_copy")));
}

// The update may then overwrite x, which would otherwise be read after it.
TEST(ComposeCopies, NoPartIsReadAfterAnUpdate) {
  const auto after = lines(compiled(kConcatenatedAroundUpdate, composing()));
  EXPECT_THAT(after[0], HasSubstr("f32[4,1] = strided_copy{[4] from [3]+2 to [1]+0}"));
}

TEST(ComposeCopies, WhatOthersReadStays) {
  const auto after = composed("(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>)",
                              kRolls +
                                  "%e = stablehlo.exponential %y : tensor<8x64xf32>\n"
                                  "return %z, %e : tensor<8x64xf32>, tensor<8x64xf32>\n");
  EXPECT_THAT(after, Contains(HasSubstr("temporary+0 f32[8,64] = strided_copy")));
}

// Each iteration reads what it carries while it makes the next value of it.
TEST(ComposeCopies, ALoopRollsWhatItCarriesInAnotherArray) {
  const Executable executable = compiled(
      "func.func public @main(%x0: tensor<8x64xf32>, %n: tensor<i32>) -> tensor<8x64xf32> {\n"
      "%i0 = stablehlo.constant dense<0> : tensor<i32>\n"
      "%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "%0:2 = stablehlo.while(%i = %i0, %x = %x0) : tensor<i32>, tensor<8x64xf32>\n cond {\n"
      "  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.return %1 : tensor<i1>\n } do {\n" +
          kRolls +
          "  %2 = stablehlo.add %i, %one : tensor<i32>\n"
          "  stablehlo.return %2, %z : tensor<i32>, tensor<8x64xf32>\n }\n"
          "return %0#1 : tensor<8x64xf32>\n}\n",
      composing());
  int rolls = 0;
  for (const Instruction& instruction : executable.code) {
    const auto* const loop = std::get_if<While>(&instruction.work);
    if (loop == nullptr) continue;
    for (const Instruction& step : loop->body) {
      if (!std::holds_alternative<StridedCopy>(step.work) || step.outputs[0].type.elements() < 512)
        continue;
      EXPECT_NE(step.inputs[0].at, step.outputs[0].at) << list(step);
      ++rolls;
    }
  }
  EXPECT_GT(rolls, 0);
}

// A list in which a value that is copied, as by a slice of it, is written again before the copy is
// read.
TEST(ComposeCopies, NoPartIsReadAfterItsSourceHasChanged) {
  const auto at = [](Space space, std::uint32_t index, std::int64_t elements) {
    return Operand{{space, index, 0}, {ElementType::f32, {elements}}};
  };
  const Operand source = at(Space::temporary, 0, 4), turned = at(Space::temporary, 1, 4);
  const StridedCopy all{{4}, {1}, {1}, 0, 0}, turn{{2, 2}, {1, 2}, {2, 1}, 0, 0};
  const StridedCopy half{{2}, {1}, {1}, 2, 0};
  const auto code_with = [&](const Operand& changed) {
    passes::Draft draft;
    draft.bytes = {16, 16};
    draft.code = {{all, {at(Space::argument, 0, 4)}, {source}, 0},
                  {turn, {source}, {turned}, 0},
                  {Unary{UnaryOp::negate}, {at(Space::argument, 0, 4)}, {changed}, 0},
                  {half, {turned}, {at(Space::result, 1, 2)}, 0}};
    passes::compose_copies(draft);
    return draft.code;
  };
  EXPECT_EQ(code_with(source).back().inputs[0].at, turned.at);
  EXPECT_EQ(code_with(at(Space::result, 2, 8)).back().inputs[0].at.space, Space::argument);
}

}  // namespace
}  // namespace understudy::program
