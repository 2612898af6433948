// SPDX-License-Identifier: Apache-2.0
// Which broadcasts come after element-wise work and leave reductions. That results stay:
// tests/ops/repeated.mlir.
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program/passes/draft.h"
#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Listing = std::vector<std::string>;

// %w, %x (64 elements) repeated along a second dimension of 256, and %v, %y along the first one.
Listing sunk(const std::string& body, const std::string& result, bool sinks = true) {
  CompileOptions options = unfused();
  if (!sinks) options.disabled_passes.emplace_back("sink-broadcasts");
  return lines(
      compiled("func.func public @main(%x: tensor<64xf32>, %y: tensor<256xf32>, %u: "
               "tensor<64xf32>, %s: tensor<f32>, %b: tensor<64x256xf32>) -> tensor<" +
                   result +
                   "> {\n"
                   "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                   "%w = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<64xf32>) -> "
                   "tensor<64x256xf32>\n"
                   "%v = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<256xf32>) -> "
                   "tensor<64x256xf32>\n"
                   "%t = stablehlo.broadcast_in_dim %u, dims = [0] : (tensor<64xf32>) -> "
                   "tensor<64x256xf32>\n"
                   "%f = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> "
                   "tensor<64x256xf32>\n" +
                   body + "\nreturn %r : tensor<" + result + ">\n}\n",
               options));
}
const std::string kRowsOf = " : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>";

TEST(SinkBroadcasts, ElementWiseWorkComesFirst) {
  const std::string body =
      "%0 = stablehlo.multiply %w, %f : tensor<64x256xf32>\n"
      "%1 = stablehlo.add %0, %t : tensor<64x256xf32>\n"
      "%r = stablehlo.convert %1 : (tensor<64x256xf32>) -> tensor<64x256xbf16>";
  EXPECT_THAT(
      sunk(body, "64x256xbf16"),
      ElementsAre(HasSubstr("f32[64] = fill(argument3"), HasSubstr("f32[64] = binary{multiply}"),
                  HasSubstr("f32[64] = binary{add}"), HasSubstr("bf16[64] = convert"),
                  HasSubstr("bf16[64,256] = strided_copy{[64,256] from [1,0]+0 to [256,1]+0}")));
  EXPECT_THAT(sunk(body, "64x256xbf16", false), testing::Contains(HasSubstr("f32[64,256]")));
}

// Through a reshape, which is no instruction.
TEST(SinkBroadcasts, OtherShapesOfOneArrayAreAlike) {
  EXPECT_THAT(sunk("%0 = stablehlo.reshape %w : (tensor<64x256xf32>) -> tensor<32x512xf32>\n"
                   "%r = stablehlo.negate %0 : tensor<32x512xf32>",
                   "32x512xf32"),
              ElementsAre(HasSubstr("f32[64] = unary{negate}"),
                          HasSubstr("f32[32,512] = strided_copy{[64,256]")));
}

TEST(SinkBroadcasts, WorkOnOneNumberIsDoneOnce) {
  EXPECT_THAT(sunk("%0 = stablehlo.exponential %f : tensor<64x256xf32>\n"
                   "%r = stablehlo.add %0, %f : tensor<64x256xf32>",
                   "64x256xf32"),
              ElementsAre(HasSubstr("f32[] = unary{exponential}"), HasSubstr("f32[] = binary{add}"),
                          HasSubstr("f32[64,256] = fill")));
}

TEST(SinkBroadcasts, UnlikeBroadcastsAndOtherArraysStay) {
  for (const std::string other : {"%v", "%b"})
    EXPECT_THAT(
        sunk("%r = stablehlo.multiply %w, " + other + " : tensor<64x256xf32>", "64x256xf32").back(),
        HasSubstr("f32[64,256] = binary{multiply}"))
        << other;
}

// Less than 32 KiB; and a source that is not much smaller.
TEST(SinkBroadcasts, SmallGainsAreNone) {
  const auto doubled = [](std::int64_t n, std::int64_t times) {
    const std::string in = std::to_string(n), out = in + "x" + std::to_string(times);
    return lines(compiled("func.func public @main(%x: tensor<" + in + "xf32>) -> tensor<" + out +
                          "xf32> {\n%w = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<" +
                          in + "xf32>) -> tensor<" + out +
                          "xf32>\n%r = stablehlo.negate %w : tensor<" + out +
                          "xf32>\nreturn %r : tensor<" + out + "xf32>\n}\n"));
  };
  EXPECT_THAT(doubled(4096, 2).front(), HasSubstr("f32[4096] = unary{negate}"));
  EXPECT_THAT(doubled(4095, 2).back(), HasSubstr("f32[4095,2] = unary{negate}"));
}

// A gather of rows, of which the body makes %r.
Listing gathered(std::int64_t rows, const std::string& body) {
  const std::string type = "tensor<" + std::to_string(rows) + "x128xf32>";
  return lines(compiled(
      "func.func public @main(%x: " + type +
      ", %i: tensor<512x1xi32>) -> tensor<512x128xf32> {\n"
      "%g = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = "
      "[1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
      "slice_sizes = array<i64: 1, 128>}> : (" +
      type + ", tensor<512x1xi32>) -> tensor<512x128xf32>\n" + body +
      "return %r : tensor<512x128xf32>\n}\n"));
}
const std::string kNegated = "%r = stablehlo.negate %g : tensor<512x128xf32>\n";

TEST(SinkBroadcasts, GathersThatEnlargeAreLikeBroadcasts) {
  EXPECT_THAT(gathered(256, kNegated), ElementsAre(HasSubstr("f32[256,128] = unary{negate}"),
                                                   HasSubstr("f32[512,128] = gather")));
  EXPECT_THAT(gathered(257, kNegated).back(), HasSubstr("f32[512,128] = unary{negate}"));
}

// Of the negative and of the value itself: one gather of each, instead of one.
TEST(SinkBroadcasts, NoGatherIsAdded) {
  const std::string reversed = "%t = stablehlo.reverse %g, dims = [0] : tensor<512x128xf32>\n";
  const std::string negated = "%n = stablehlo.negate %g : tensor<512x128xf32>\n";
  const auto both =
      gathered(256, reversed + negated + "%r = stablehlo.add %n, %t : tensor<512x128xf32>\n");
  ASSERT_EQ(both.size(), 4U);
  EXPECT_THAT(both[0], HasSubstr("f32[512,128] = gather"));
  EXPECT_THAT(both[2], HasSubstr("f32[512,128] = unary{negate}"));
  // One value of several steps, which read each other's results.
  EXPECT_THAT(gathered(256, negated + "%e = stablehlo.cosine %n : tensor<512x128xf32>\n"
                                      "%r = stablehlo.add %e, %g : tensor<512x128xf32>\n")
                  .back(),
              HasSubstr("f32[512,128] = gather"));
}

TEST(SinkBroadcasts, SumsOfEqualValuesAreProducts) {
  EXPECT_THAT(
      sunk("%r = stablehlo.reduce(%w init: %s) applies stablehlo.add across dimensions = [1]" +
               kRowsOf,
           "64xf32"),
      ElementsAre(HasSubstr("f32[64] = fill(constant"),
                  HasSubstr("f32[64] = binary{multiply}(argument0"),
                  HasSubstr("f32[64] = fill(argument3"), HasSubstr("f32[64] = binary{add}")));
}

TEST(SinkBroadcasts, ExtremesOfEqualValuesAreThese) {
  EXPECT_THAT(
      sunk("%r = stablehlo.reduce(%w init: %z) applies stablehlo.maximum across dimensions = [1]" +
               kRowsOf,
           "64xf32"),
      ElementsAre(HasSubstr("f32[64] = fill(constant"),
                  HasSubstr("result0 f32[64] = binary{maximum}")));
}

TEST(SinkBroadcasts, OtherReductionsStay) {
  const auto reduced = [](const std::string& function, const std::string& dimension,
                          const std::string& result) {
    return sunk("%r = stablehlo.reduce(%w init: %z) applies stablehlo." + function +
                    " across dimensions = [" + dimension +
                    "] : (tensor<64x256xf32>, tensor<f32>) -> tensor<" + result + ">",
                result)
        .back();
  };
  EXPECT_THAT(reduced("multiply", "1", "64xf32"), HasSubstr("reduce{product"));
  EXPECT_THAT(reduced("add", "0", "256xf32"), HasSubstr("reduce{sum"));
  EXPECT_THAT(reduced("add", "0, 1", "f32"), HasSubstr("reduce{sum"));
}

// What a loop carries changes between the broadcast and its reader.
TEST(SinkBroadcasts, ValuesThatChangeStay) {
  const Executable executable = compiled(
      "func.func public @main(%a: tensor<64xf32>, %n: tensor<i32>) -> tensor<64xf32> {\n"
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"
      "%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "%f = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<64xf32>\n cond {\n"
      "  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.return %1 : tensor<i1>\n } do {\n"
      "  %2 = stablehlo.add %i, %one : tensor<i32>\n"
      "  %w = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>\n"
      "  %3 = stablehlo.reduce(%w init: %f) applies stablehlo.add across dimensions = [1]" +
      kRowsOf +
      "\n  stablehlo.return %2, %3 : tensor<i32>, tensor<64xf32>\n }\n"
      "return %0#1 : tensor<64xf32>\n}\n");
  std::string body;
  for (const Instruction& instruction : executable.code)
    if (const auto* loop = std::get_if<While>(&instruction.work))
      for (const Instruction& inner : loop->body) body += list(inner) + "\n";
  EXPECT_THAT(body, HasSubstr("reduce{sum"));
}

// Work on a number that a loop carries comes before its broadcast to `n` elements.
TEST(SinkBroadcasts, WorkOnNumbersThatALoopCarriesComesFirst) {
  const auto body_of = [](const std::string& n, const std::string& results) {
    const std::string array = "tensor<" + n + "xf32>";
    const Executable executable = compiled(
        "func.func public @main(%a: " + array + ", %b: tensor<f32>, %n: tensor<i32>) -> " + array +
            " {\n%z = stablehlo.constant dense<0> : tensor<i32>\n"
            "%one = stablehlo.constant dense<1> : tensor<i32>\n"
            "%0:3 = stablehlo.while(%i = %z, %s = %b, %x = %a) : tensor<i32>, tensor<f32>, " +
            array +
            "\n cond {\n"
            "  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> "
            "tensor<i1>\n"
            "  stablehlo.return %1 : tensor<i1>\n } do {\n"
            "  %2 = stablehlo.add %i, %one : tensor<i32>\n"
            "  %3 = stablehlo.sine %s : tensor<f32>\n"
            "  %w = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> " +
            array + "\n  %4 = stablehlo.exponential %w : " + array +
            "\n  %5 = stablehlo.add %x, %4 : " + array + "\n  stablehlo.return %2, " + results +
            " : tensor<i32>, tensor<f32>, " + array + "\n }\nreturn %0#2 : " + array + "\n}\n",
        unfused());
    std::string body;
    for (const Instruction& instruction : executable.code)
      if (const auto* loop = std::get_if<While>(&instruction.work))
        for (const Instruction& inner : loop->body) body += list(inner) + "\n";
    return body;
  };
  EXPECT_THAT(body_of("256", "%3, %5"), HasSubstr("f32[] = unary{exponential}"));
  EXPECT_THAT(body_of("255", "%3, %5"), HasSubstr("f32[255] = unary{exponential}"));
  EXPECT_THAT(body_of("256", "%3, %4"), HasSubstr("f32[] = unary{exponential}"));
}

// A number is written, repeated and read by sine; `second`: where it is written again.
std::int64_t computed_after_two_writes(std::ptrdiff_t second) {
  const TensorType number{ElementType::f32, {}}, array{ElementType::f32, {2048}};
  const Operand argument{{Space::argument, 0, 0}, number}, result{{Space::result, 0, 0}, array};
  const Operand one{{Space::temporary, 0, 0}, number}, all{{Space::temporary, 1, 0}, array},
      sines{{Space::temporary, 2, 0}, array};
  const auto write = [&](UnaryOp op) { return Instruction{Unary{op}, {argument}, {one}, 0}; };
  passes::Draft draft;
  draft.bytes = {4, 8192, 8192};
  draft.code.push_back(write(UnaryOp::abs));
  draft.code.push_back({Fill{}, {one}, {all}, 0});
  draft.code.push_back({Unary{UnaryOp::sine}, {all}, {sines}, 0});
  draft.code.push_back({StridedCopy{{2048}, {1}, {1}, 0, 0}, {sines}, {result}, 0});
  draft.code.insert(draft.code.begin() + second, write(UnaryOp::tanh));
  passes::sink_broadcasts(draft);
  for (const Instruction& instruction : draft.code)
    if (const auto* unary = std::get_if<Unary>(&instruction.work);
        unary != nullptr && unary->op == UnaryOp::sine)
      return instruction.outputs[0].type.elements();
  return 0;
}

TEST(SinkBroadcasts, OnlyOfNumbersThatAreUnchangedSince) {
  EXPECT_EQ(computed_after_two_writes(1), 1);
  EXPECT_EQ(computed_after_two_writes(2), 2048);
  EXPECT_EQ(computed_after_two_writes(3), 1);
}

}  // namespace
}  // namespace understudy::program
