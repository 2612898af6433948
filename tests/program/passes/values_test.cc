// SPDX-License-Identifier: Apache-2.0
// Constant folding and common subexpressions. That results keep their bits:
// tests/worker/passes_test.cc.
#include <algorithm>
#include <cstring>
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program/passes/draft.h"
#include "program/passes/equal_copies.h"
#include "tests/program/passes/loops.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::vector<std::string>;

TEST(FoldConstants, ElementwiseWorkOnSmallOnes) {
  const Executable after = compiled_main("(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>)", R"(
  %a = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %b = stablehlo.sqrt %a : tensor<2xf32>
  %c = stablehlo.add %b, %a : tensor<2xf32>
  %y = stablehlo.multiply %x, %c : tensor<2xf32>
  %i = stablehlo.constant dense<7> : tensor<i32>
  %j = stablehlo.multiply %i, %i : tensor<i32>
  return %y, %j : tensor<2xf32>, tensor<i32>)");
  ASSERT_EQ(after.code.size(), 2U) << list(after);  // a product, and the copy of a constant
  const Operand& c = after.code.at(0).inputs.at(1);
  ASSERT_EQ(c.at.space, Space::constant) << list(after);
  float values[2];
  std::memcpy(values, after.constants.data() + c.at.offset, sizeof(values));
  EXPECT_THAT(values, ElementsAre(2.0F, 6.0F));
}

// As JAX writes a remainder: the divisor is 1 where it is 0.
TEST(FoldConstants, Selections) {
  const Executable after = compiled_main("(%x: tensor<i32>) -> tensor<i32>", R"(
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %d = stablehlo.constant dense<7> : tensor<i32>
  %p = stablehlo.compare EQ, %d, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c = stablehlo.select %p, %one, %d : tensor<i1>, tensor<i32>
  %y = stablehlo.remainder %x, %c : tensor<i32>
  return %y : tensor<i32>)");
  ASSERT_EQ(after.code.size(), 1U) << list(after);
  const Operand& divisor = after.code.at(0).inputs.at(1);
  ASSERT_EQ(divisor.at.space, Space::constant) << list(after);
  std::int32_t value = 0;
  std::memcpy(&value, after.constants.data() + divisor.at.offset, sizeof(value));
  EXPECT_EQ(value, 7);
}

// An identity matrix, its transpose and a column of it, as jnp.eye writes it.
TEST(FoldConstants, CountedAndCopiedOnes) {
  const Executable after = compiled_main("(%x: tensor<2x3xf32>) -> tensor<2x3xf32>", R"(
  %i = stablehlo.iota dim = 0 : tensor<3x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<3x2xi32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %t = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
  %p = stablehlo.compare GE, %i, %j, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
  %f = stablehlo.convert %p : (tensor<3x2xi1>) -> tensor<3x2xf32>
  %m = stablehlo.multiply %f, %t : tensor<3x2xf32>
  %r = stablehlo.transpose %m, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %y = stablehlo.add %x, %r : tensor<2x3xf32>
  return %y : tensor<2x3xf32>)");
  ASSERT_EQ(after.code.size(), 1U) << list(after);
  const Operand& c = after.code.at(0).inputs.at(1);
  ASSERT_EQ(c.at.space, Space::constant) << list(after);
  float values[6];
  std::memcpy(values, after.constants.data() + c.at.offset, sizeof(values));
  EXPECT_THAT(values, ElementsAre(2.0F, 2.0F, 2.0F, 0.0F, 2.0F, 2.0F));
  // Of 2.0 and the result: what was only on the way is no constant of the program.
  EXPECT_LE(after.constants.size(), 128U);
}

// Parts of what was folded, and a copy that is seen as another shape.
TEST(FoldConstants, ViewsOfFoldedOnes) {
  const Executable after = compiled_main("(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<i32>)", R"(
  %i = stablehlo.iota dim = 0 : tensor<6xi32>
  %k = stablehlo.multiply %i, %i : tensor<6xi32>
  %s = stablehlo.slice %k [3:5] : (tensor<6xi32>) -> tensor<2xi32>
  %y = stablehlo.add %x, %s : tensor<2xi32>
  %e = stablehlo.slice %k [5:6] : (tensor<6xi32>) -> tensor<1xi32>
  %r = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>
  %n = stablehlo.negate %r : tensor<i32>
  return %y, %n : tensor<2xi32>, tensor<i32>)");
  ASSERT_EQ(after.code.size(), 2U) << list(after);
  const auto constant_at = [&](const Operand& operand) {
    std::int32_t value = 0;
    std::memcpy(&value, after.constants.data() + operand.at.offset, sizeof(value));
    return operand.at.space == Space::constant ? value : INT32_MIN;
  };
  EXPECT_EQ(constant_at(after.code.at(0).inputs.at(1)), 9) << list(after);
  EXPECT_EQ(constant_at(after.code.at(1).inputs.at(0)), -25) << list(after);
}

TEST(FoldConstants, LargeOnesStayInstructions) {
  std::string numbers;
  for (int i = 1; i <= 1000; ++i) numbers += (i > 1 ? ", " : "") + std::to_string(i) + ".0";
  const Executable after = compiled_main("() -> tensor<1000xf32>", R"(
  %a = stablehlo.constant dense<[)" + numbers + R"(]> : tensor<1000xf32>
  %b = stablehlo.sqrt %a : tensor<1000xf32>
  return %b : tensor<1000xf32>)");
  EXPECT_THAT(kinds_in(after.code), testing::Contains("unary"));
}

TEST(CommonSubexpressions, EqualWorkIsDoneOnce) {
  EXPECT_EQ(lines(compiled_main("(%x: tensor<8xf32>) -> tensor<8xf32>", R"(
  %a = stablehlo.tanh %x : tensor<8xf32>
  %b = stablehlo.exponential %a : tensor<8xf32>
  %c = stablehlo.tanh %x : tensor<8xf32>
  %d = stablehlo.exponential %c : tensor<8xf32>
  %e = stablehlo.add %b, %d : tensor<8xf32>
  return %e : tensor<8xf32>)")),
            (Names{"temporary+0 f32[8] = unary{tanh}(argument0 f32[8])",
                   "temporary+0 f32[8] = unary{exponential}(temporary+0 f32[8])",
                   "result0 f32[8] = binary{add}(temporary+0 f32[8], temporary+0 f32[8])"}));
}

// As a mean and a variance of one array: the regions stand at different places of the source.
TEST(CommonSubexpressions, ReductionsWithRegionsOfTheirOwn) {
  const Executable after =
      compiled_main("(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>)", R"(
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %b = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %c = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %p = stablehlo.tanh %a : tensor<64xf32>
  %q = stablehlo.multiply %b, %c : tensor<64xf32>
  return %p, %q : tensor<64xf32>, tensor<64xf32>)");
  EXPECT_THAT(list(after),
              testing::AllOf(HasSubstr("sum over [0]"), HasSubstr("maximum over [0]")));
  const std::string text = list(after);
  EXPECT_EQ(text.find("sum over"), text.rfind("sum over")) << text;
}

// A conversion that is cheap to make for each reader counts as equal where sums read it;
// element-wise work on it stays with its reader.
TEST(CommonSubexpressions, ReductionsOfEqualValuesThatAreMadeTwice) {
  const Executable after = compiled_main(
      "(%x: tensor<64x8xbf16>, %k: tensor<f32>) -> (tensor<64xf32>, tensor<64xf32>, "
      "tensor<64x8xf32>, tensor<64x8xf32>)",
      R"(
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %f = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f32>) -> tensor<64x8xf32>
  %g = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f32>) -> tensor<64x8xf32>
  %a = stablehlo.convert %x : (tensor<64x8xbf16>) -> tensor<64x8xf32>
  %b = stablehlo.convert %x : (tensor<64x8xbf16>) -> tensor<64x8xf32>
  %c = stablehlo.multiply %a, %f : tensor<64x8xf32>
  %d = stablehlo.multiply %b, %g : tensor<64x8xf32>
  %p = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
  %q = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
  %s = stablehlo.sine %p : tensor<64xf32>
  return %q, %s, %c, %d : tensor<64xf32>, tensor<64xf32>, tensor<64x8xf32>, tensor<64x8xf32>)");
  const std::vector<std::string> kinds = kinds_in(after.code);
  EXPECT_EQ(std::ranges::count(kinds, "reduce"), 1) << list(after);
  EXPECT_EQ(std::ranges::count(kinds, "binary"), 2) << list(after);
}

// Other operands, and the same with another function.
TEST(CommonSubexpressions, ReductionsOfOtherValuesStay) {
  const Executable after = compiled_main(
      "(%x: tensor<64x8xbf16>, %y: tensor<64x8xbf16>) -> (tensor<64xf32>, "
      "tensor<64xf32>, tensor<64xf32>)",
      R"(
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.convert %x : (tensor<64x8xbf16>) -> tensor<64x8xf32>
  %b = stablehlo.convert %y : (tensor<64x8xbf16>) -> tensor<64x8xf32>
  %c = stablehlo.convert %x : (tensor<64x8xbf16>) -> tensor<64x8xf32>
  %p = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
  %q = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
  %r = stablehlo.reduce(%c init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64xf32>
  return %p, %q, %r : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)");
  EXPECT_EQ(std::ranges::count(kinds_in(after.code), "reduce"), 3) << list(after);
}

TEST(CommonSubexpressions, OtherAttributesAreOtherWork) {
  const Executable after = compiled_main("(%x: tensor<8xf32>) -> (tensor<8xi1>, tensor<8xi1>)", R"(
  %a = stablehlo.compare LT, %x, %x, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %b = stablehlo.compare LE, %x, %x, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %c = stablehlo.and %a, %b : tensor<8xi1>
  %d = stablehlo.or %a, %b : tensor<8xi1>
  return %c, %d : tensor<8xi1>, tensor<8xi1>)");
  EXPECT_THAT(kinds_in(after.code), ElementsAre("compare", "compare", "binary", "binary"));
}

// A roll of %x by one, twice: what reads the second one, and what changes in between.
Names rolled_twice(const std::string& second) {
  const auto roll = [](const std::string& of, const std::string& name) {
    return "%" + name + "1 = stablehlo.slice " + of +
           " [1:8] : (tensor<8xf32>) -> tensor<7xf32>\n%" + name + "2 = stablehlo.slice " + of +
           " [0:1] : (tensor<8xf32>) -> tensor<1xf32>\n%" + name + " = stablehlo.concatenate %" +
           name + "1, %" + name + "2, dim = 0 : (tensor<7xf32>, tensor<1xf32>) -> tensor<8xf32>\n";
  };
  return lines(compiled_main("(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32>",
                             roll("%x", "a") + "%s = stablehlo.sine %a : tensor<8xf32>\n" +
                                 roll(second, "b") + "%c = stablehlo.cosine %b : tensor<8xf32>\n" +
                                 "%r = stablehlo.add %s, %c : tensor<8xf32>\n"
                                 "return %r : tensor<8xf32>"));
}
TEST(CommonSubexpressions, ConcatenationsOfTheSame) {
  const auto copies = [](const Names& code) {
    return std::ranges::count_if(
        code, [](const std::string& line) { return line.find("strided_copy") != line.npos; });
  };
  EXPECT_EQ(copies(rolled_twice("%x")), 2);
  EXPECT_EQ(copies(rolled_twice("%y")), 4);
}

// In a loop, of a value that each iteration changes in between.
TEST(CommonSubexpressions, ConcatenationsOfAnotherIterationStay) {
  const auto at = [](Space space, std::uint32_t index, std::int64_t elements) {
    return Operand{{space, index, 0}, {ElementType::f32, {elements}}};
  };
  const StridedCopy rest{{7}, {1}, {1}, 1, 0}, first{{1}, {1}, {1}, 0, 7};
  const auto copies_with = [&](const Operand& changed) {
    const Operand source = at(Space::temporary, 0, 8), result = at(Space::result, 0, 8);
    const Operand a = at(Space::temporary, 1, 8), b = at(Space::temporary, 2, 8);
    passes::Draft draft;
    draft.bytes = {32, 32, 32};
    draft.code = {{rest, {source}, {a}, 0},
                  {first, {source}, {a}, 0},
                  {Unary{UnaryOp::sine}, {a}, {changed}, 0},
                  {rest, {source}, {b}, 0},
                  {first, {source}, {b}, 0},
                  {Binary{BinaryOp::add}, {a, b}, {result}, 0}};
    passes::merge_equal_copies(draft);
    return draft.code.size();
  };
  EXPECT_EQ(copies_with(at(Space::result, 1, 8)), 4U);
  EXPECT_EQ(copies_with(at(Space::temporary, 0, 8)), 6U);
  // The array that is complete first is begun last.
  const Operand source = at(Space::temporary, 0, 8);
  const Operand a = at(Space::temporary, 1, 8), b = at(Space::temporary, 2, 8);
  passes::Draft draft;
  draft.bytes = {32, 32, 32};
  draft.code = {
      {rest, {source}, {b}, 0},  {Unary{UnaryOp::sine}, {at(Space::argument, 0, 8)}, {source}, 0},
      {rest, {source}, {a}, 0},  {first, {source}, {a}, 0},
      {first, {source}, {b}, 0}, {Binary{BinaryOp::add}, {a, b}, {at(Space::result, 0, 8)}, 0}};
  passes::merge_equal_copies(draft);
  EXPECT_EQ(draft.code.size(), 6U);
}

// Random numbers of one launch differ from call to call.
TEST(CommonSubexpressions, DrawsStayApart) {
  const Executable after = compiled_main("() -> tensor<8xf32>", R"(
  %l = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.constant dense<8> : tensor<1xi64>
  %a = stablehlo.rng %l, %h, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  %b = stablehlo.rng %l, %h, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  %c = stablehlo.subtract %a, %b : tensor<8xf32>
  return %c : tensor<8xf32>)");
  EXPECT_THAT(kinds_in(after.code), ElementsAre("rng", "rng", "binary"));
}

// The condition of a loop makes the predicate, which the loop itself names.
TEST(FoldConstants, TheConditionOfALoop) {
  const Executable after = compiled_main("(%a: tensor<5xf32>) -> tensor<5xf32>", R"(
  %r = stablehlo.while(%x = %a) : tensor<5xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %n = stablehlo.not %c : tensor<i1>
    %p = stablehlo.compare EQ, %n, %c, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0.0> : tensor<5xf32>
    stablehlo.return %z : tensor<5xf32>
  }
  return %r : tensor<5xf32>)");
  const Operand& predicate = loop_in(after).predicate;
  ASSERT_EQ(predicate.at.space, Space::constant) << list(after);
  EXPECT_EQ(after.constants.at(predicate.at.offset), std::byte{0});
}

// What a loop carries is the same until the body writes it.
TEST(CommonSubexpressions, OfCarriedValuesInOneIteration) {
  const Executable after = loop_with(
      "  %3 = stablehlo.sine %x : tensor<4xf32>\n"
      "  %4 = stablehlo.sine %x : tensor<4xf32>\n"
      "  %5 = stablehlo.multiply %3, %4 : tensor<4xf32>\n"
      "  stablehlo.return %2, %5, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_THAT(kinds_in(loop_in(after).body), ElementsAre("binary", "unary", "binary"))
      << list(after);
}

// A list in which a value is written again between two reads, directly or by a loop: programs in
// SSA form have none before copies are coalesced.
std::size_t sines_left(const std::function<Instruction(const Operand&)>& between) {
  const TensorType type{ElementType::f32, {4}};
  const auto temporary = [&](std::uint32_t i) { return Operand{{Space::temporary, i, 0}, type}; };
  const auto unary = [&](UnaryOp op, const Operand& in, const Operand& out) {
    return Instruction{Unary{op}, {in}, {out}, 0};
  };
  const Operand argument{{Space::argument, 0, 0}, type};
  passes::Draft draft;
  draft.bytes.assign(4, 16);
  draft.code.push_back(unary(UnaryOp::cosine, argument, temporary(0)));
  draft.code.push_back(unary(UnaryOp::sine, temporary(0), temporary(1)));
  draft.code.push_back(between(temporary(0)));
  draft.code.push_back(unary(UnaryOp::sine, temporary(0), temporary(2)));
  draft.code.push_back(unary(UnaryOp::tanh, argument, temporary(0)));
  const Operand result{{Space::result, 0, 0}, type};
  draft.code.push_back({Binary{BinaryOp::add}, {temporary(1), temporary(2)}, {result}, 0});
  passes::merge_common_subexpressions(draft);
  return static_cast<std::size_t>(std::ranges::count_if(draft.code, [](const Instruction& one) {
    const auto* work = std::get_if<Unary>(&one.work);
    return work != nullptr && work->op == UnaryOp::sine;
  }));
}

TEST(CommonSubexpressions, NotAcrossAWrite) {
  const TensorType type{ElementType::f32, {4}};
  const Operand argument{{Space::argument, 0, 0}, type};
  const auto write = [&](const Operand& to) {
    return Instruction{Unary{UnaryOp::tanh}, {argument}, {to}, 0};
  };
  EXPECT_EQ(sines_left(write), 2U);
  EXPECT_EQ(sines_left([&](const Operand& to) {
              While loop;
              loop.predicate = {{Space::argument, 1, 0}, {ElementType::pred, {}}};
              loop.body.push_back(write(to));
              return Instruction{std::move(loop), {}, {}, 0};
            }),
            2U);
  // Something else is written: the value is the same, though it is written again later.
  EXPECT_EQ(sines_left([&](const Operand& to) {
              Operand other = to;
              other.at.index = 3;
              return write(other);
            }),
            1U);
}

// The mean spreads to the size of the rows twice. What only dots read is computed once; another
// reader could compute it in its own loop.
TEST(CommonSubexpressions, OfSpreadValuesForDots) {
  const auto differences = [](const std::string& use) {
    const std::string difference = R"(
  %{0}m = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<3xf32>) -> tensor<8x3xf32>
  %{0} = stablehlo.subtract %x, %{0}m : tensor<8x3xf32>)";
    std::string first = difference, second = difference;
    for (std::size_t at; (at = first.find("{0}")) != std::string::npos;) first.replace(at, 3, "a");
    for (std::size_t at; (at = second.find("{0}")) != std::string::npos;)
      second.replace(at, 3, "b");
    const Executable after = compiled_main(
        "(%x: tensor<8x3xf32>, %m: tensor<3xf32>) -> (tensor<8x8xf32>, tensor<8x3xf32>)",
        first + second + R"(
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x8xf32>
  %d = stablehlo.tanh )" +
            use + R"( : tensor<8x3xf32>
  return %c, %d : tensor<8x8xf32>, tensor<8x3xf32>)");
    return std::ranges::count(kinds_in(after.code), "binary");
  };
  EXPECT_EQ(differences("%x"), 1);
  EXPECT_EQ(differences("%b"), 2);
}

TEST(CommonSubexpressions, TheConditionOfALoop) {
  const Executable after =
      compiled_main("(%a: tensor<5xf32>, %i: tensor<i32>) -> (tensor<5xf32>, tensor<i1>)", R"(
  %n = stablehlo.constant dense<3> : tensor<i32>
  %before = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = stablehlo.while(%x = %a) : tensor<5xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %y = stablehlo.sine %x : tensor<5xf32>
    stablehlo.return %y : tensor<5xf32>
  }
  return %r, %before : tensor<5xf32>, tensor<i1>)");
  ASSERT_EQ(std::get_if<Compare>(&after.code.front().work) != nullptr, true) << list(after);
  EXPECT_EQ(loop_in(after).predicate.at, after.code.front().outputs.at(0).at) << list(after);
}

}  // namespace
}  // namespace understudy::program
