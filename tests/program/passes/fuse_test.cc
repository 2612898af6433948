// SPDX-License-Identifier: Apache-2.0
// Which instructions fuse, before and after. That results keep their bits:
// tests/worker/ops/fused/fusion_test.cc.
#include <algorithm>

#include "fmt/format.h"
#include "gtest/gtest.h"

#include "configs/base/error.h"
#include "program/passes/fusion/groups.h"
#include "program/passes/pass_list.h"
#include "tests/program/passes/fused.h"

namespace understudy::program {
namespace {

constexpr const char* kChain = R"(
  %a = stablehlo.tanh %x : tensor<8x4xf32>
  %b = stablehlo.exponential %a : tensor<8x4xf32>
  return %b : tensor<8x4xf32>)";

TEST(Fuse, AChainBecomesOneLoopWithoutTemporaries) {
  const std::string signature = "(%x: tensor<8x4xf32>) -> tensor<8x4xf32>";
  EXPECT_EQ(lines(compiled_main(signature, kChain)),
            (Names{"temporary+0 f32[8,4] = unary{tanh}(argument0 f32[8,4])",
                   "result0 f32[8,4] = unary{exponential}(temporary+0 f32[8,4])"}));
  const Executable after = fused(signature, kChain);
  EXPECT_EQ(lines(after), (Names{"result0 f32[8,4] = fused{32x1}(argument0 f32[8,4])"}));
  EXPECT_EQ(after.temporary_bytes, 0U);
  const Fused& loop = loop_at(after, 0);
  EXPECT_EQ(kinds(loop.steps), (Names{"unary", "unary"}));
  EXPECT_EQ(loop.frame_bytes, 4U);
  // Steps keep their operations.
  EXPECT_EQ(after.op_names.at(loop.steps[0].op), "stablehlo.tanh");
  EXPECT_EQ(after.op_names.at(loop.steps[1].op), "stablehlo.exponential");
}

// A value waits for the end of a long polynomial; a sort in its middle ends the wait.
TEST(Fuse, ALoopThatOnlyOthersOfItsKindFollowJoinsFarAway) {
  const auto instructions = [](const std::string& middle) {
    std::string body =
        "%early = stablehlo.multiply %x, %x : tensor<8xf32>\n%s0 = stablehlo.tanh %x : "
        "tensor<8xf32>\n";
    for (int i = 0; i < 100; ++i) {
      if (i == 50) body += middle;
      body += fmt::format("%s{} = stablehlo.add %s{}, %x : tensor<8xf32>\n", i + 1, i);
    }
    body +=
        "%out = stablehlo.add %s100, %early : tensor<8xf32>\n"
        "return %out, %y : tensor<8xf32>, tensor<8xf32>";
    return fused("(%x: tensor<8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)", body)
        .code.size();
  };
  EXPECT_EQ(instructions("%y = stablehlo.negate %z : tensor<8xf32>\n"), 2U);  // and the loop
  EXPECT_EQ(instructions("%y = stablehlo.reverse %z, dims = [0] : tensor<8xf32>\n"), 3U);
}

TEST(Fuse, ASingleInstructionStays) {
  EXPECT_EQ(kinds(fused("(%x: tensor<8xf32>) -> tensor<8xf32>", R"(
  %a = stablehlo.tanh %x : tensor<8xf32>
  return %a : tensor<8xf32>)")
                      .code),
            (Names{"unary"}));
}

// A kernel of f16 goes through f32 in memory, a loop does not; machine code of a loop rounds to
// bf16 in fewer instructions, and has tables of functions.
TEST(Fuse, ALargeOneOfHalvesIsALoop) {
  const auto kinds_of = [](const char* operation, const char* size, const char* type) {
    return kinds(fused(fmt::format("(%x: tensor<{0}x{1}>) -> tensor<{0}x{1}>", size, type),
                       fmt::format("%a = stablehlo.{2} : tensor<{0}x{1}>\n"
                                   "return %a : tensor<{0}x{1}>",
                                   size, type, operation))
                     .code);
  };
  for (const char* const type : {"f16", "bf16"}) {
    EXPECT_EQ(kinds_of("add %x, %x", "4096", type), (Names{"fused"}));
    EXPECT_EQ(kinds_of("add %x, %x", "4095", type), (Names{"binary"}));
    EXPECT_EQ(kinds_of("tanh %x", "4096", type), (Names{"fused"}));
  }
  EXPECT_EQ(kinds_of("maximum %x, %x", "4096", "bf16"), (Names{"binary"}));
  EXPECT_EQ(kinds_of("negate %x", "4096", "bf16"), (Names{"unary"}));
  EXPECT_EQ(kinds_of("add %x, %x", "4096", "f32"), (Names{"binary"}));
}

TEST(Fuse, RowReductionsAndTheirUsersJoinOneLoop) {
  const Executable after = fused("(%x: tensor<8x4xf32>) -> tensor<8x4xf32>", R"(
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<8x4xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %l = stablehlo.log %n : tensor<8xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
  %y = stablehlo.divide %e, %b : tensor<8x4xf32>
  return %y : tensor<8x4xf32>)");
  ASSERT_EQ(kinds(after.code), (Names{"fused"}));
  EXPECT_EQ(loop_at(after, 0).rows, 8);
  EXPECT_EQ(loop_at(after, 0).columns, 4);
  EXPECT_EQ(kinds(loop_at(after, 0).steps), (Names{"unary", "reduce", "unary", "fill", "binary"}));
}

// Two channels of pixels, every third element from 0 and from 2 on. The second one is further apart
// than a loop reads.
TEST(Fuse, SlicesOfSomeElementsApartAreSteps) {
  const auto channels = [](int count) {
    return fused(fmt::format("(%x: tensor<100x{}xf32>) -> tensor<100xf32>", count),
                 fmt::format(R"(
  %a = stablehlo.slice %x [0:100, 0:1] : (tensor<100x{0}xf32>) -> tensor<100x1xf32>
  %b = stablehlo.slice %x [0:100, 2:3] : (tensor<100x{0}xf32>) -> tensor<100x1xf32>
  %c = stablehlo.add %a, %b : tensor<100x1xf32>
  %d = stablehlo.tanh %c : tensor<100x1xf32>
  %e = stablehlo.reshape %d : (tensor<100x1xf32>) -> tensor<100xf32>
  return %e : tensor<100xf32>)",
                             count));
  };
  for (const int count : {3, 4, 32}) {
    const Executable after = channels(count);
    ASSERT_EQ(kinds(after.code), (Names{"fused"}));
    const Code& steps = loop_at(after, 0).steps;
    EXPECT_EQ(kinds(steps), (Names{"strided_copy", "strided_copy", "binary", "unary"}));
    const auto& copy = std::get<StridedCopy>(steps[1].work);
    EXPECT_EQ(copy.in_strides.at(copy.in_strides.size() - (copy.sizes.back() == 1 ? 2 : 1)), count);
    EXPECT_EQ(copy.in_base, 2);
  }
  EXPECT_EQ(kinds(channels(33).code), (Names{"strided_copy", "strided_copy", "fused"}));
}

TEST(Fuse, ReductionsOfColumnsAndMovementStayOutside) {
  const Executable after = fused("(%x: tensor<8x4xf32>) -> tensor<4xf32>", R"(
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %e = stablehlo.exponential %t : tensor<4x8xf32>
  %s = stablehlo.sine %e : tensor<4x8xf32>
  %u = stablehlo.transpose %s, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %n = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %n : tensor<4xf32>)");
  EXPECT_EQ(kinds(after.code), (Names{"strided_copy", "fused", "strided_copy", "reduce"}));
}

// A loop over transposed rows would read each line of a large array again for every row.
TEST(Fuse, LargeTransposesStayOutside) {
  const auto transposed_sum = [](const std::string& rows, const std::string& columns) {
    return kinds(fused("(%x: tensor<" + rows + "x" + columns + "xf32>) -> tensor<" + columns + "x" +
                           rows + "xf32>",
                       "%t = stablehlo.transpose %x, dims = [1, 0] : (tensor<" + rows + "x" +
                           columns + "xf32>) -> tensor<" + columns + "x" + rows + "xf32>\n" +
                           "%a = stablehlo.add %t, %t : tensor<" + columns + "x" + rows +
                           "xf32>\nreturn %a : tensor<" + columns + "x" + rows + "xf32>")
                     .code);
  };
  EXPECT_EQ(transposed_sum("8192", "16"), (Names{"fused"}));
  EXPECT_EQ(transposed_sum("8193", "16"), (Names{"strided_copy", "binary"}));
  EXPECT_EQ(transposed_sum("100000", "3"), (Names{"fused"}));
}

// a[i,j] d[i] d[j]: the loop of the sums does not write the first product; it does where a third
// one reads it, and where the array is small.
TEST(Fuse, AMemberThatALaterLoopReadsJoinsIt) {
  const auto scaled = [](const std::string& n, const std::string& more) {
    std::string text = R"(
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<NxNxf32>, tensor<f32>) -> tensor<Nxf32>
  %d = stablehlo.rsqrt %s : tensor<Nxf32>
  %r = stablehlo.broadcast_in_dim %d, dims = [0] : (tensor<Nxf32>) -> tensor<NxNxf32>
  %p = stablehlo.multiply %a, %r : tensor<NxNxf32>
  %c = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<Nxf32>) -> tensor<NxNxf32>
  %q = stablehlo.multiply %p, %c : tensor<NxNxf32>
)" + more;
    std::string signature =
        "(%a: tensor<NxNxf32>) -> " + std::string(more.find("%t") == std::string::npos
                                                      ? "tensor<NxNxf32>"
                                                      : "(tensor<NxNxf32>, tensor<NxNxf32>)");
    for (std::string* const one : {&text, &signature})
      for (std::size_t at; (at = one->find("Nx")) != std::string::npos;)
        one->replace(at, 2, n + "x");
    const Executable after = fused(signature, text);
    std::vector<std::size_t> steps;
    for (const Instruction& instruction : after.code)
      if (const auto* loop = std::get_if<Fused>(&instruction.work))
        steps.push_back(loop->steps.size());
    return steps;
  };
  const std::string plain = "  return %q : tensor<NxNxf32>";
  EXPECT_EQ(scaled("512", plain), (std::vector<std::size_t>{2, 4}));
  EXPECT_EQ(scaled("511", plain), (std::vector<std::size_t>{4, 2}));
  EXPECT_EQ(scaled("512", R"(
  %t = stablehlo.transpose %p, dims = [1, 0] : (tensor<NxNxf32>) -> tensor<NxNxf32>
  return %q, %t : tensor<NxNxf32>, tensor<NxNxf32>)"),
            (std::vector<std::size_t>{4, 2}));
}

// The loop writes a row of %a in its place before the columns are multiplied: the rows are
// multiplied before.
TEST(Fuse, AMemberStaysWhereItsOperandChangesAfterwards) {
  const Executable after = fused(
      "(%x: tensor<512x512xf32>, %u: tensor<1x512xf32>, %n: tensor<i32>) -> "
      "(tensor<512x512xf32>, tensor<512x512xf32>)",
      R"(
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %z, %a = %x, %b = %x) : tensor<i32>, tensor<512x512xf32>, tensor<512x512xf32>
  cond {
    %l = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  } do {
    %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    %d = stablehlo.rsqrt %s : tensor<512xf32>
    %r = stablehlo.broadcast_in_dim %d, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
    %p = stablehlo.multiply %a, %r : tensor<512x512xf32>
    %w = stablehlo.dynamic_update_slice %a, %u, %i, %z : (tensor<512x512xf32>, tensor<1x512xf32>, tensor<i32>, tensor<i32>) -> tensor<512x512xf32>
    %c = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<512xf32>) -> tensor<512x512xf32>
    %q = stablehlo.multiply %p, %c : tensor<512x512xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w, %q : tensor<i32>, tensor<512x512xf32>, tensor<512x512xf32>
  }
  return %0#1, %0#2 : tensor<512x512xf32>, tensor<512x512xf32>)");
  const std::string text = list(after);
  EXPECT_LT(text.find("512x512}"), text.find("dynamic_update_slice")) << text;
  EXPECT_NE(text.find("result1 f32[512,512] = binary{multiply}"), std::string::npos) << text;
}

// The tanh is read by the sort, which stands between the members of its loop: it stays before.
TEST(Fuse, AnInstructionBetweenEndsTheLoopThatItReads) {
  const Executable after = fused("(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)", R"(
  %a = stablehlo.tanh %x : tensor<8xf32>
  %s = "stablehlo.sort"(%a) ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  %b = stablehlo.exponential %a : tensor<8xf32>
  %d = stablehlo.add %b, %s : tensor<8xf32>
  return %d, %a : tensor<8xf32>, tensor<8xf32>)");
  EXPECT_EQ(kinds(after.code), (Names{"unary", "sort", "fused"}));
}

// An independent instruction between does not.
TEST(Fuse, IndependentInstructionsAreMovedOver) {
  const Executable after =
      fused("(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)", R"(
  %a = stablehlo.tanh %x : tensor<8xf32>
  %r = stablehlo.reverse %y, dims = [0] : tensor<8xf32>
  %b = stablehlo.exponential %a : tensor<8xf32>
  return %b, %r : tensor<8xf32>, tensor<8xf32>)");
  EXPECT_EQ(kinds(after.code), (Names{"strided_copy", "fused"}));
}

// Without fusion the chain runs in place; the loop takes the buffer over as well.
TEST(Fuse, ALoopTakesOverTheBufferOfAnInputThatDies) {
  const std::string signature = "(%x: tensor<64x64xf32>) -> tensor<64x64xf32>";
  const std::string body = R"(
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = stablehlo.tanh %t : tensor<64x64xf32>
  %b = stablehlo.exponential %a : tensor<64x64xf32>
  %u = stablehlo.transpose %b, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %u : tensor<64x64xf32>)";
  EXPECT_EQ(compiled_main(signature, body).temporary_bytes, 64U * 64 * 4);
  EXPECT_EQ(fused(signature, body).temporary_bytes, 64U * 64 * 4);
}

// A buffer that is filled and then copied over has two writers; the value for the copy is older
// than the fill, and must not be written where the fill overwrites it.
TEST(Fuse, AnOutputThatAnotherStepWritesFirstKeepsItsCopy) {
  const TensorType row{ElementType::f32, {8, 1}}, one{ElementType::f32, {1, 1}};
  const Operand x{{Space::argument, 0, 0}, row}, zero{{Space::argument, 1, 0}, one};
  const Operand value{{Space::frame, 0, 0}, row}, out{{Space::result, 0, 0}, row};
  Fused loop;
  loop.rows = 8;
  loop.columns = 1;
  loop.steps = {{Binary{BinaryOp::add}, {x, x}, {value}, 0},
                {Fill{}, {zero}, {out}, 0},
                {Convert{}, {value}, {out}, 0}};
  passes::write_results_directly(loop, {x, zero}, {out});
  EXPECT_EQ(kinds(loop.steps), (Names{"binary", "fill", "convert"}));
  loop.steps.erase(loop.steps.begin() + 1);
  passes::write_results_directly(loop, {x, zero}, {out});
  EXPECT_EQ(kinds(loop.steps), (Names{"binary"}));
}

// A part of an array that is repeated is a view of it, wherever the part starts.
TEST(Fuse, PartsOfRepeatedArraysAreViews) {
  for (const char* const part : {"[0:70, 0:130]", "[0:70, 130:260]", "[0:70, 17:147]"}) {
    const auto executable = fused(
        "(%a: tensor<70x130xf32>, %v: tensor<260xf32>) -> tensor<70x130xf32>",
        std::string("%w = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<260xf32>) -> ") +
            "tensor<70x260xf32>\n%s = stablehlo.slice %w " + part +
            " : (tensor<70x260xf32>) -> tensor<70x130xf32>\n"
            "%m = stablehlo.multiply %a, %s : tensor<70x130xf32>\n"
            "%e = stablehlo.logistic %m : tensor<70x130xf32>\nreturn %e : tensor<70x130xf32>");
    ASSERT_EQ(executable.code.size(), 1U) << part;
    EXPECT_EQ(kinds(loop_at(executable, 0).steps), (Names{"strided_copy", "binary", "unary"}));
  }
}

// Two comparisons of the same numbers, as in jnp.tril(x) - jnp.triu(x, 1).
TEST(Fuse, EqualStepsAreOne) {
  const std::string compared =
      " = stablehlo.compare GE, %i, %j : (tensor<64x64xi32>, tensor<64x64xi32>) -> "
      "tensor<64x64xi1>\n";
  const auto executable =
      fused("(%x: tensor<64x64xf32>, %z: tensor<64x64xf32>) -> tensor<64x64xf32>",
            "%i = stablehlo.iota dim = 0 : tensor<64x64xi32>\n"
            "%j = stablehlo.iota dim = 1 : tensor<64x64xi32>\n"
            "%p" +
                compared + "%q" + compared +
                "%a = stablehlo.select %p, %x, %z : tensor<64x64xi1>, tensor<64x64xf32>\n"
                "%b = stablehlo.select %q, %z, %x : tensor<64x64xi1>, tensor<64x64xf32>\n"
                "%r = stablehlo.subtract %a, %b : tensor<64x64xf32>\n"
                "return %r : tensor<64x64xf32>");
  ASSERT_EQ(executable.code.size(), 1U);
  EXPECT_EQ(std::ranges::count(kinds(loop_at(executable, 0).steps), "compare"), 1);
}

TEST(Fuse, APadByNothingCopiesNothing) {
  EXPECT_EQ(lines(compiled_main("(%x: tensor<8xf32>, %y: tensor<f32>) -> tensor<8xf32>", R"(
  %a = stablehlo.tanh %x : tensor<8xf32>
  %b = stablehlo.pad %a, %y, low = [0], high = [0], interior = [0]
      : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %b : tensor<8xf32>)")),
            (Names{"result0 f32[8] = unary{tanh}(argument0 f32[8])"}));
}

TEST(PassList, EachPassCanBeSwitchedOffAndIsReported) {
  const auto module =
      module_of(std::string("func.func public @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {") +
                kChain + "\n}\n");
  CompileOptions options;
  Names seen;
  options.after_pass = [&](std::string_view pass, const std::string& listing) {
    seen.emplace_back(pass);
    EXPECT_NE(listing.find("executable: 1 x 1 chips"), std::string::npos);
  };
  Names all{"lowering"};
  for (const passes::PassRow& row : passes::pass_list()) all.emplace_back(row.name);
  all.emplace_back("placement");
  compile(*module, options);
  EXPECT_EQ(seen, all);
  for (const passes::PassRow& row : passes::pass_list()) {
    options.disabled_passes = {std::string(row.name)};
    seen.clear();
    compile(*module, options);
    EXPECT_EQ(std::ranges::count(seen, std::string(row.name)), 0);
    EXPECT_EQ(seen.size() + 1, all.size());
  }
}

// A later tile may read rows of a view that this one would overwrite, whatever the shapes are.
TEST(Fuse, NoResultOverwritesTheArrayOfAView) {
  const TensorType column{ElementType::f32, {4, 1}};
  const Operand argument{{Space::argument, 0, 0}, column}, value{{Space::frame, 0, 0}, column},
      result{{Space::result, 0, 0}, column};
  const auto loop = [&](Work first) {
    Fused fused;
    fused.rows = 4;
    fused.frame_bytes = 4;
    fused.steps = {{std::move(first), {argument}, {value}, 0},
                   {Unary{UnaryOp::negate}, {value}, {result}, 0}};
    const TensorType type{ElementType::f32, {4}};
    return Instruction{std::move(fused),
                       {{{Space::temporary, 1, 0}, type}},
                       {{{Space::temporary, 2, 0}, type}},
                       0};
  };
  EXPECT_TRUE(passes::may_run_in_place(loop(Convert{}), 0));
  EXPECT_FALSE(passes::may_run_in_place(loop(StridedCopy{{2, 2, 1}, {1, 2, 0}, {2, 1, 1}}), 0));
}

TEST(PassList, UnknownNamesAreRefusedWithTheKnownOnes) {
  CompileOptions options;
  options.disabled_passes = {"fuse"};
  const auto module =
      module_of(std::string("func.func public @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {") +
                kChain + "\n}\n");
  EXPECT_EQ(
      error_of([&] { compile(*module, options); }),
      "error: unknown pass 'fuse'; passes: dead-code, shorten-sorts, crop-early, "
      "split-dilations, multiply-outer-products, sink-broadcasts, forward-copies, fold-constants, "
      "simplify-algebra, common-subexpressions, "
      "hoist-invariants, round-invariants, fold-transposes, sink-scatters, compose-copies, "
      "coalesce-copies, "
      "remove-overwritten, "
      "combine-all-reduces, widen-in-reductions, unroll-reductions, split-repeats, "
      "fuse-elementwise, "
      "place-pieces, "
      "overlap-collectives, slices-in-place");
}

}  // namespace
}  // namespace understudy::program
