// SPDX-License-Identifier: Apache-2.0
// Programs give the same bits with every single pass of the compiler switched off, and with all of
// them, on the portable matrix unit (docs/numerics.md says which sums of the other one may change).

#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/passes/pass_list.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"

namespace understudy::worker {
namespace {

void expect_same_bits(const std::string& text) {
  const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", text));
  const auto& kernels = program::kernels::select("");
  program::CompileOptions options;
  for (const program::passes::PassRow& pass : program::passes::pass_list())
    options.disabled_passes.emplace_back(pass.name);
  const program::Executable plain = compile(*module, options);
  const std::vector<Bytes> arguments = random_arguments(plain, 11, {-1.5, 1.0 / 64, 200});
  const std::vector<Bytes> wanted =
      OneChip(plain, kernels, Mxu::Make::portable).run_plainly(arguments);
  const auto compare = [&](std::vector<std::string> disabled) {
    options.disabled_passes = std::move(disabled);
    const program::Executable executable = compile(*module, options);
    EXPECT_EQ(OneChip(executable, kernels, Mxu::Make::portable).run(arguments), wanted)
        << "without: " << (options.disabled_passes.empty() ? "" : options.disabled_passes[0])
        << "\n"
        << list(executable);
  };
  compare({});
  for (const program::passes::PassRow& pass : program::passes::pass_list())
    compare({std::string(pass.name)});
}

// Two layers with gradients in a loop: transposes, equal parts, unchanged values, constants.
// Over 40 lines: it is one program.
TEST(Passes, ATrainingLoopKeepsItsBits) {
  expect_same_bits(R"(
func.func public @main(%w: tensor<5x7xf32>, %v: tensor<7x3xf32>, %x: tensor<4x5xf32>, %y: tensor<4x3xf32>) -> (tensor<5x7xf32>, tensor<7x3xf32>, tensor<6xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<6> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %losses = stablehlo.constant dense<0.0> : tensor<6xf32>
  %0:6 = stablehlo.while(%i = %z, %a = %w, %b = %v, %u = %x, %t = %y, %l = %losses) : tensor<i32>, tensor<5x7xf32>, tensor<7x3xf32>, tensor<4x5xf32>, tensor<4x3xf32>, tensor<6xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %c = stablehlo.constant dense<0.25> : tensor<f32>
    %c2 = stablehlo.multiply %c, %c : tensor<f32>
    %rate = stablehlo.broadcast_in_dim %c2, dims = [] : (tensor<f32>) -> tensor<5x7xf32>
    %rate2 = stablehlo.broadcast_in_dim %c2, dims = [] : (tensor<f32>) -> tensor<7x3xf32>
    %s = stablehlo.sine %u : tensor<4x5xf32>
    %h = stablehlo.dot_general %s, %a, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x7xf32>) -> tensor<4x7xf32>
    %g = stablehlo.tanh %h : tensor<4x7xf32>
    %o = stablehlo.dot_general %g, %b, contracting_dims = [1] x [0] : (tensor<4x7xf32>, tensor<7x3xf32>) -> tensor<4x3xf32>
    %d = stablehlo.subtract %o, %t : tensor<4x3xf32>
    %q = stablehlo.multiply %d, %d : tensor<4x3xf32>
    %e = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
    %e1 = stablehlo.reshape %e : (tensor<f32>) -> tensor<1xf32>
    %l2 = stablehlo.dynamic_update_slice %l, %e1, %i : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
    %gb = stablehlo.dot_general %d, %g, contracting_dims = [0] x [0] : (tensor<4x3xf32>, tensor<4x7xf32>) -> tensor<3x7xf32>
    %gbt = stablehlo.transpose %gb, dims = [1, 0] : (tensor<3x7xf32>) -> tensor<7x3xf32>
    %bt = stablehlo.transpose %b, dims = [1, 0] : (tensor<7x3xf32>) -> tensor<3x7xf32>
    %gg = stablehlo.dot_general %d, %bt, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x7xf32>) -> tensor<4x7xf32>
    %g2 = stablehlo.tanh %h : tensor<4x7xf32>
    %g3 = stablehlo.multiply %g2, %g2 : tensor<4x7xf32>
    %ones = stablehlo.constant dense<1.0> : tensor<4x7xf32>
    %g4 = stablehlo.subtract %ones, %g3 : tensor<4x7xf32>
    %gh = stablehlo.multiply %gg, %g4 : tensor<4x7xf32>
    %st = stablehlo.transpose %s, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
    %ga = stablehlo.dot_general %st, %gh, contracting_dims = [1] x [0] : (tensor<5x4xf32>, tensor<4x7xf32>) -> tensor<5x7xf32>
    %ra = stablehlo.multiply %ga, %rate : tensor<5x7xf32>
    %rb = stablehlo.multiply %gbt, %rate2 : tensor<7x3xf32>
    %a2 = stablehlo.subtract %a, %ra : tensor<5x7xf32>
    %b2 = stablehlo.subtract %b, %rb : tensor<7x3xf32>
    stablehlo.return %2, %a2, %b2, %u, %t, %l2 : tensor<i32>, tensor<5x7xf32>, tensor<7x3xf32>, tensor<4x5xf32>, tensor<4x3xf32>, tensor<6xf32>
  }
  return %0#1, %0#2, %0#5 : tensor<5x7xf32>, tensor<7x3xf32>, tensor<6xf32>
}
)");
}

// Gradients of pads: a crop of all that was padded, of a part of it, and of some of the padding.
TEST(Passes, CropsOfPaddingKeepTheirBits) {
  for (const char* const kept : {"[1:6, 2:5]", "[2:4, 3:5]", "[0:4, 2:5]"}) {
    const std::string text = kept;
    const std::string type = text[1] == '1' ? "5x3" : text[1] == '2' ? "2x2" : "4x3";
    expect_same_bits("func.func public @main(%x: tensor<5x3xf32>) -> tensor<" + type +
                     "xf32> {\n"
                     "%z = stablehlo.constant dense<-0.0> : tensor<f32>\n"
                     "%c = stablehlo.constant dense<-2.0> : tensor<9x7xf32>\n"
                     "%p = stablehlo.pad %x, %z, low = [1, 2], high = [3, 2], interior = [0, 0] : "
                     "(tensor<5x3xf32>, tensor<f32>) -> tensor<9x7xf32>\n"
                     "%l = stablehlo.log %p : tensor<9x7xf32>\n"
                     "%m = stablehlo.multiply %c, %l : tensor<9x7xf32>\n"
                     "%s = stablehlo.slice %m " +
                     text + " : (tensor<9x7xf32>) -> tensor<" + type +
                     "xf32>\nreturn %s : tensor<" + type + "xf32>\n}\n");
  }
}

// Parts of work on joined, updated and broadcast arrays, whole and in two parts.
TEST(Passes, PartsOfStepsKeepTheirBits) {
  expect_same_bits(R"(
func.func public @main(%a: tensor<70x130xf32>, %b: tensor<70x130xf32>, %v: tensor<260xf32>, %u: tensor<9x8xf32>) -> (tensor<70x130xf32>, tensor<70x130xf32>, tensor<9x8xf32>, tensor<20x3xf32>) {
  %k = stablehlo.constant dense<61> : tensor<i32>
  %j = stablehlo.concatenate %a, %b, dim = 1 : (tensor<70x130xf32>, tensor<70x130xf32>) -> tensor<70x260xf32>
  %w = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<260xf32>) -> tensor<70x260xf32>
  %m = stablehlo.multiply %j, %w : tensor<70x260xf32>
  %e = stablehlo.logistic %m : tensor<70x260xf32>
  %s = stablehlo.slice %e [0:70, 0:130] : (tensor<70x260xf32>) -> tensor<70x130xf32>
  %t = stablehlo.slice %e [0:70, 130:260] : (tensor<70x260xf32>) -> tensor<70x130xf32>
  %p = stablehlo.dynamic_update_slice %a, %u, %k, %k : (tensor<70x130xf32>, tensor<9x8xf32>, tensor<i32>, tensor<i32>) -> tensor<70x130xf32>
  %q = stablehlo.tanh %p : tensor<70x130xf32>
  %c = stablehlo.dynamic_slice %q, %k, %k, sizes = [9, 8] : (tensor<70x130xf32>, tensor<i32>, tensor<i32>) -> tensor<9x8xf32>
  %n = stablehlo.exponential %b : tensor<70x130xf32>
  %f = stablehlo.slice %n [3:63:3, 100:109:4] : (tensor<70x130xf32>) -> tensor<20x3xf32>
  return %s, %t, %c, %f : tensor<70x130xf32>, tensor<70x130xf32>, tensor<9x8xf32>, tensor<20x3xf32>
}
)");
}

// Carried values that go around, loops in loops, and branches that read values from outside.
TEST(Passes, LoopsInLoopsAndBranchesKeepTheirBits) {
  expect_same_bits(R"(
func.func public @main(%a: tensor<6xf32>, %b: tensor<6xf32>, %k: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %e = stablehlo.exponential %k : tensor<6xf32>
  %0:4 = stablehlo.while(%i = %z, %x = %a, %y = %b, %u = %e) : tensor<i32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %p:3 = stablehlo.while(%j = %z, %v = %x, %w = %u) : tensor<i32>, tensor<6xf32>, tensor<6xf32>
    cond {
      %3 = stablehlo.compare LE, %j, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %4 = stablehlo.add %j, %one : tensor<i32>
      %5 = stablehlo.logistic %w : tensor<6xf32>
      %6 = stablehlo.multiply %5, %y : tensor<6xf32>
      %7 = stablehlo.add %v, %6 : tensor<6xf32>
      stablehlo.return %4, %7, %w : tensor<i32>, tensor<6xf32>, tensor<6xf32>
    }
    %8 = "stablehlo.case"(%i) ({
      %9 = stablehlo.logistic %u : tensor<6xf32>
      %10 = stablehlo.subtract %p#1, %9 : tensor<6xf32>
      stablehlo.return %10 : tensor<6xf32>
    }, {
      stablehlo.return %y : tensor<6xf32>
    }) : (tensor<i32>) -> tensor<6xf32>
    stablehlo.return %2, %8, %p#1, %u : tensor<i32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  }
  return %0#1, %0#2 : tensor<6xf32>, tensor<6xf32>
}
)");
}

// Updates whose operands die in them run in place, in results as well; an operand that is read
// later, or is the update itself, keeps its memory.
TEST(Passes, UpdatesInPlaceKeepTheirBits) {
  const std::string text = R"(
func.func public @main(%x: tensor<90x4xf32>, %u: tensor<7x4xf32>, %i: tensor<7x1xi32>) -> (tensor<90x4xf32>, tensor<90x4xf32>, tensor<90x4xf32>, tensor<90x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<90x4xf32>
  %start = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.sine %x : tensor<90x4xf32>
  %b = stablehlo.cosine %x : tensor<90x4xf32>
  %0 = "stablehlo.scatter"(%zero, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<90x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<90x4xf32>
  %1 = stablehlo.dynamic_update_slice %a, %u, %start, %start : (tensor<90x4xf32>, tensor<7x4xf32>, tensor<i32>, tensor<i32>) -> tensor<90x4xf32>
  %2 = stablehlo.dynamic_update_slice %b, %b, %start, %start : (tensor<90x4xf32>, tensor<90x4xf32>, tensor<i32>, tensor<i32>) -> tensor<90x4xf32>
  %3 = stablehlo.add %a, %2 : tensor<90x4xf32>
  return %0, %1, %2, %3 : tensor<90x4xf32>, tensor<90x4xf32>, tensor<90x4xf32>, tensor<90x4xf32>
})";
  expect_same_bits(text);
  const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", text));
  const std::string listing = list(compile(*module, {}));
  EXPECT_NE(listing.find("scatter{sum}(result0 "), std::string::npos) << listing;
  EXPECT_EQ(listing.find("dynamic_update_slice(result"), std::string::npos) << listing;
}

// Weights that are rounded before the loop give the products of those that each dot rounds: a
// matrix with NaN and infinities among its numbers, a vector, and a transposed matrix.
TEST(Passes, WeightsRoundedBeforeALoopKeepTheirBits) {
  expect_same_bits(R"(
func.func public @main(%h: tensor<3x40xf32>, %w: tensor<40x40xf32>, %v: tensor<40xf32>) -> (tensor<3x40xf32>, tensor<40xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %big = stablehlo.constant dense<1.0e38> : tensor<40x40xf32>
  %far = stablehlo.multiply %w, %big : tensor<40x40xf32>
  %r:3 = stablehlo.while(%i = %zero, %x = %h, %y = %v) : tensor<i32>, tensor<3x40xf32>, tensor<40xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
   } do {
    %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<3x40xf32>, tensor<40x40xf32>) -> tensor<3x40xf32>
    %t = stablehlo.tanh %a : tensor<3x40xf32>
    %b = stablehlo.dot_general %far, %y, contracting_dims = [1] x [0] : (tensor<40x40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %s = stablehlo.tanh %b : tensor<40xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t, %s : tensor<i32>, tensor<3x40xf32>, tensor<40xf32>
   }
  return %r#1, %r#2 : tensor<3x40xf32>, tensor<40xf32>
})");
}

}  // namespace
}  // namespace understudy::worker
