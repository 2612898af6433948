// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::HasSubstr;

// A chain with a temporary, a constant, a dot and a reduction with a body.
Executable sample() {
  CompileOptions options = unfused();
  options.disabled_passes.emplace_back("fold-constants");  // a copy of a constant stays
  return compiled(
      "func.func public @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, "
      "tensor<4xf32>) {\n"
      "%c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n"
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, "
      "tensor<4x4xf32>) -> tensor<4x4xf32>\n"
      "%1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>\n"
      "%2 = stablehlo.add %0, %1 : tensor<4x4xf32>\n"
      "%3 = stablehlo.reduce(%2 init: %z) applies stablehlo.subtract across dimensions = [0] : "
      "(tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
      "return %2, %3 : tensor<4x4xf32>, tensor<4xf32>\n}\n",
      options);
}

template <class Kind>
Instruction& find(Executable& executable) {
  for (Instruction& instruction : executable.code)
    if (std::holds_alternative<Kind>(instruction.work)) return instruction;
  throw Error(ErrorKind::internal, "no such instruction");
}

void expect_refused(const std::function<void(Executable&)>& corrupt, const std::string& words) {
  Executable executable = sample();
  corrupt(executable);
  EXPECT_THAT(error_of([&] { check_bounds(executable); }), HasSubstr(words));
}

TEST(CheckBounds, AcceptsWhatCompileMakes) {
  EXPECT_EQ(error_of([] { check_bounds(sample()); }), "");
}

TEST(CheckBounds, RefusesOperandsOutsideTheirSpace) {
  const std::string words = "operand outside its memory space";
  expect_refused([](Executable& e) { e.temporary_bytes -= 1; }, words);
  expect_refused([](Executable& e) { find<Dot>(e).inputs[0].at.index = 2; }, words);
  expect_refused([](Executable& e) { find<Dot>(e).inputs[0].at.offset = 4; }, words);
  expect_refused([](Executable& e) { find<Dot>(e).inputs[0].at.offset = UINT64_MAX - 3; }, words);
  expect_refused([](Executable& e) { e.constants.resize(8); }, words);
  expect_refused([](Executable& e) { e.results[0].shape = {2, 2}; }, words);
  expect_refused([](Executable& e) { find<Dot>(e).inputs[0].at.space = Space::frame; }, words);
}

TEST(CheckBounds, RefusesWritesToArgumentsAndConstants) {
  expect_refused(
      [](Executable& e) {
        find<Dot>(e).outputs[0].at = {Space::argument, 0, 0};
      },
      "write to an argument or constant");
}

TEST(CheckBounds, RefusesWorkThatDoesNotFitItsOperands) {
  expect_refused([](Executable& e) { find<Binary>(e).inputs.pop_back(); },
                 "stablehlo.add (op 4): wrong number of operands");
  expect_refused([](Executable& e) { find<Binary>(e).inputs[0].type.shape = {16}; },
                 "shapes differ");
  expect_refused([](Executable& e) { find<Binary>(e).inputs[0].type.element = ElementType::i32; },
                 "operands have different element types");
  expect_refused([](Executable& e) { std::get<Dot>(find<Dot>(e).work).lhs_contracting = {2}; },
                 "dimension numbers");
  expect_refused([](Executable& e) { std::get<Dot>(find<Dot>(e).work).lhs_contracting = {}; },
                 "sizes differ");
  expect_refused(
      [](Executable& e) {
        std::get<Reduce>(find<Reduce>(e).work).dimensions = {0, 0};
      },
      "dimension out of range");
  expect_refused(
      [](Executable& e) {
        std::get<StridedCopy>(find<StridedCopy>(e).work).in_strides = {1, 1};
      },
      "copy outside its buffer");
  expect_refused(
      [](Executable& e) {
        find<Dot>(e).inputs[0].type.shape = {-4, 4};
      },
      "negative size");
}

TEST(CheckBounds, RefusesBadBodies) {
  const auto body = [](Executable& e) -> Body& {
    return std::get<Reduce>(find<Reduce>(e).work).body;
  };
  expect_refused([&](Executable& e) { body(e).frame_bytes = 16; }, "outside its memory space");
  expect_refused([&](Executable& e) { body(e).parameters.pop_back(); },
                 "parameters or results of the body do not match");
  expect_refused([&](Executable& e) { body(e).code.at(0).outputs.at(0).at.offset = 36; },
                 "not in a slot of its frame");
  expect_refused([&](Executable& e) { body(e).code.at(0).inputs.clear(); },
                 "wrong number of operands");
}

// The sums of each of 4 blocks of 6 rows.
TEST(CheckBounds, RefusesBlocksThatAreNotThoseOfTheLoop) {
  const auto refused = [](const std::function<void(Fused&, Executable&)>& corrupt) {
    Executable executable = compiled(
        "func.func public @main(%x: tensor<4x6x8xf32>, %z: tensor<f32>) -> tensor<4x8xf32> {\n"
        "%0 = stablehlo.multiply %x, %x : tensor<4x6x8xf32>\n"
        "%1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : "
        "(tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x8xf32>\n"
        "return %1 : tensor<4x8xf32>\n}\n",
        CompileOptions{});
    corrupt(std::get<Fused>(find<Fused>(executable).work), executable);
    return error_of([&] { check_bounds(executable); });
  };
  EXPECT_EQ(refused([](Fused&, Executable&) {}), "");
  const auto set_blocks = [](std::int64_t blocks, Fused& loop, Executable& executable) {
    loop.steps.back().outputs[0].type.shape = {blocks, 8};
    find<Fused>(executable).outputs[0].type.shape = {blocks, 8};
    executable.results[0].shape = {blocks, 8};
  };
  EXPECT_EQ(refused([&](Fused& f, Executable& e) { set_blocks(2, f, e); }), "");
  EXPECT_THAT(refused([&](Fused& f, Executable& e) { set_blocks(5, f, e); }),
              HasSubstr("an operand of a step does not follow the loop"));
  EXPECT_THAT(refused([&](Fused& f, Executable& e) { set_blocks(24, f, e); }),
              HasSubstr("a reduction does not fit"));
  EXPECT_THAT(refused([](Fused& loop, Executable&) {
                loop.steps.back().outputs[0].at = {Space::frame, 0, 0};
              }),
              HasSubstr("an operand of a step does not follow the loop"));
  // Only a reduction writes one row for a block.
  EXPECT_THAT(refused([](Fused& loop, Executable&) {
                loop.steps[0].outputs[0] = loop.steps.back().outputs[0];
              }),
              HasSubstr("an output does not follow the rows"));
}

// Every third element of each of 4 rows.
TEST(CheckBounds, RefusesViewsOfElementsTooFarApart) {
  const auto refused = [](const std::function<void(StridedCopy&)>& corrupt) {
    Executable executable = compiled(
        "func.func public @main(%x: tensor<4x3000xf32>, %y: tensor<4x20xf32>) -> tensor<4x20xf32> "
        "{\n%0 = stablehlo.slice %x [0:4, 1:59:3] : (tensor<4x3000xf32>) -> tensor<4x20xf32>\n"
        "%1 = stablehlo.multiply %0, %y : tensor<4x20xf32>\n"
        "%2 = stablehlo.add %1, %y : tensor<4x20xf32>\n"
        "return %2 : tensor<4x20xf32>\n}\n",
        CompileOptions{});
    auto& loop = std::get<Fused>(find<Fused>(executable).work);
    corrupt(std::get<StridedCopy>(loop.steps.at(0).work));
    return error_of([&] { check_bounds(executable); });
  };
  EXPECT_EQ(refused([](StridedCopy& copy) { EXPECT_EQ(copy.in_strides.back(), 3); }), "");
  EXPECT_EQ(refused([](StridedCopy& copy) { copy.in_strides.back() = 32; }), "");
  EXPECT_THAT(refused([](StridedCopy& copy) { copy.in_strides.back() = 33; }),
              HasSubstr("a view does not follow the columns"));
  EXPECT_THAT(refused([](StridedCopy& copy) {
                copy.in_base = 500;
                copy.in_strides.back() = -3;
              }),
              HasSubstr("a view is not dense"));
  // The last of them is behind the array.
  EXPECT_NE(refused([](StridedCopy& copy) { copy.in_base = 2943; }), "");
}

TEST(CheckBounds, RefusesOpsWithoutNames) {
  expect_refused([](Executable& e) { e.op_names.resize(2); }, "op 2 is out of range: 2 names");
}

TEST(CheckBounds, RefusesExtremesThatDoNotFit) {
  const TensorType values{ElementType::f32, {4}}, positions{ElementType::i32, {4}};
  const auto refused = [&](const std::function<void(Instruction&)>& corrupt) {
    Executable executable;
    executable.arguments = {
        {ElementType::f32, {3, 4}}, {ElementType::f32, {}}, {ElementType::i32, {}}};
    executable.results = {values, positions};
    executable.op_names = {"stablehlo.reduce"};
    Instruction instruction{ArgReduce{0, true}, {}, {}, 0};
    for (std::uint32_t i = 0; i < 3; ++i)
      instruction.inputs.push_back({{Space::argument, i, 0}, executable.arguments[i]});
    for (std::uint32_t i = 0; i < 2; ++i)
      instruction.outputs.push_back({{Space::result, i, 0}, executable.results[i]});
    corrupt(instruction);
    for (std::uint32_t i = 0; i < 3 && i < instruction.inputs.size(); ++i)
      executable.arguments[i] = instruction.inputs[i].type;
    for (std::uint32_t i = 0; i < 2; ++i) executable.results[i] = instruction.outputs[i].type;
    executable.code = {std::move(instruction)};
    return error_of([&] { check_bounds(executable); });
  };
  EXPECT_EQ(refused([](Instruction&) {}), "");
  EXPECT_THAT(refused([](Instruction& i) { i.inputs.pop_back(); }),
              HasSubstr("wrong number of operands"));
  EXPECT_THAT(refused([](Instruction& i) { std::get<ArgReduce>(i.work).dimension = 2; }),
              HasSubstr("dimension out of range"));
  EXPECT_THAT(refused([](Instruction& i) { std::get<ArgReduce>(i.work).dimension = 1; }),
              HasSubstr("the result types do not match"));
  EXPECT_THAT(refused([](Instruction& i) { i.outputs[1].type.element = ElementType::ui32; }),
              HasSubstr("the result types do not match"));
  EXPECT_THAT(refused([](Instruction& i) { i.inputs[2].type.element = ElementType::ui32; }),
              HasSubstr("the initial values do not match"));
  EXPECT_THAT(refused([](Instruction& i) {
                for (Operand* x : {&i.inputs[0], &i.inputs[1], &i.outputs[0]})
                  x->type.element = ElementType::f64;
              }),
              HasSubstr("no kernel for this type"));
}

// Two arrays of 4096 elements side by side; the last step of the loop has the second one.
TEST(CheckBounds, RefusesElementsApartThatDoNotFit) {
  const auto refused = [](const std::function<void(StridedCopy&, Instruction&)>& corrupt) {
    Executable executable = compiled(
        "func.func public @main(%x: tensor<4096x1xf32>) -> tensor<4096x2xf32> {\n"
        "%0 = stablehlo.negate %x : tensor<4096x1xf32>\n"
        "%1 = stablehlo.concatenate %x, %0, dim = 1 : (tensor<4096x1xf32>, tensor<4096x1xf32>) -> "
        "tensor<4096x2xf32>\nreturn %1 : tensor<4096x2xf32>\n}\n",
        CompileOptions{});
    Instruction& step = std::get<Fused>(find<Fused>(executable).work).steps.back();
    corrupt(std::get<StridedCopy>(step.work), step);
    return error_of([&] { check_bounds(executable); });
  };
  EXPECT_EQ(refused([](StridedCopy&, Instruction&) {}), "");
  const auto misfit = HasSubstr("elements apart do not fit their array");
  EXPECT_THAT(refused([](StridedCopy& copy, Instruction&) { copy.sizes = {4095}; }), misfit);
  EXPECT_THAT(refused([](StridedCopy& copy, Instruction&) { copy.out_strides = {3}; }), misfit);
  EXPECT_THAT(refused([](StridedCopy& copy, Instruction&) { copy.in_strides = {0}; }), misfit);
  EXPECT_THAT(refused([](StridedCopy&, Instruction& step) {
                step.outputs[0].type.element = ElementType::f64;
              }),
              misfit);
  EXPECT_THAT(refused([](StridedCopy&, Instruction& step) { step.outputs[0].at.index = 1; }),
              HasSubstr("a step uses a missing operand"));
  EXPECT_THAT(
      refused([](StridedCopy&, Instruction& step) { step.outputs[0].at.space = Space::frame; }),
      HasSubstr("a step uses a missing operand"));
  EXPECT_THAT(refused([](StridedCopy&, Instruction& step) { step.inputs.clear(); }),
              HasSubstr("wrong number of operands"));
  // Further places belong to no tile.
  EXPECT_NE(refused([](StridedCopy& copy, Instruction&) { copy.out_base = 2; }), "");
  EXPECT_NE(refused([](StridedCopy& copy, Instruction&) { copy.out_base = -1; }), "");
}

// Two halves of 4096 elements each, the second one first, and what is done with them.
std::string halves_exchanged(const std::string& use) {
  return "func.func public @main(%x: tensor<8192xf32>) -> tensor<8192xf32> {\n"
         "%0 = stablehlo.slice %x [4096:8192] : (tensor<8192xf32>) -> tensor<4096xf32>\n"
         "%1 = stablehlo.slice %x [0:4096] : (tensor<8192xf32>) -> tensor<4096xf32>\n"
         "%2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<4096xf32>, tensor<4096xf32>) -> "
         "tensor<8192xf32>\n%3 = " +
         use + " : tensor<8192xf32>\nreturn %3 : tensor<8192xf32>\n}\n";
}

TEST(CheckBounds, RefusesPartsThatAreNotThoseOfTheLoop) {
  const auto refused = [](const std::function<void(Join&, Instruction&)>& corrupt) {
    Executable executable = compiled(halves_exchanged("stablehlo.negate %2"), CompileOptions{});
    Instruction& step = std::get<Fused>(find<Fused>(executable).work).steps.at(0);
    corrupt(std::get<Join>(step.work), step);
    return error_of([&] { check_bounds(executable); });
  };
  EXPECT_EQ(refused([](Join&, Instruction&) {}), "");
  EXPECT_THAT(refused([](Join& join, Instruction&) { join.parts.pop_back(); }),
              HasSubstr("wrong number of operands"));
  EXPECT_THAT(refused([](Join& join, Instruction&) { join.parts[1].out_base = 4097; }),
              HasSubstr("copy outside its buffer"));
  EXPECT_THAT(refused([](Join& join, Instruction&) { join.parts[0].in_base = 4097; }),
              HasSubstr("copy outside its buffer"));
  EXPECT_THAT(refused([](Join& join, Instruction&) {
                join.parts[0].sizes = {4096, 1};
              }),
              HasSubstr("strides and sizes differ in length"));
  EXPECT_THAT(refused([](Join& join, Instruction&) {
                join.parts[0] = {{2, 2}, {1, 1}, {1, 1}, 0, 0};
              }),
              HasSubstr("a part is not in runs of elements"));
  EXPECT_THAT(refused([](Join& join, Instruction&) {
                join.parts[0] = {{4096}, {-1}, {1}, 4095, 0};
              }),
              HasSubstr("a part is not in runs of elements"));
  EXPECT_THAT(refused([](Join&, Instruction& step) {
                step.outputs[0].type.shape = {8192, 8192};
              }),
              HasSubstr("parts do not follow the loop"));
}

// Parts of an array, which the loop reads beside them.
TEST(CheckBounds, RefusesViewsOfWhatFollowsTheLoop) {
  Executable executable = compiled(halves_exchanged("stablehlo.add %2, %x"), CompileOptions{});
  check_bounds(executable);
  Fused& loop = std::get<Fused>(find<Fused>(executable).work);
  Instruction& join = loop.steps.at(0);
  const std::uint32_t parts = join.inputs.at(0).at.index, follower = 1 - parts;
  EXPECT_EQ(join.inputs.at(1).at.index, parts);
  join.inputs[0].at.index = follower;
  EXPECT_THAT(error_of([&] { check_bounds(executable); }),
              HasSubstr("a view is of an operand that follows the loop"));
}

// Rows of a table at indices, one for each row of the loop.
TEST(CheckBounds, RefusesRowsAtIndicesThatAreNotThoseOfTheLoop) {
  const auto refused = [](const std::function<void(TakeElements&, Instruction&)>& corrupt) {
    Executable executable = compiled(
        R"(func.func public @main(%x: tensor<90x40xf32>, %i: tensor<70x1xi32>) -> tensor<70x40xf32> {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 40>}> : (tensor<90x40xf32>, tensor<70x1xi32>) -> tensor<70x40xf32>
  %n = stablehlo.negate %g : tensor<70x40xf32>
  return %n : tensor<70x40xf32>
})",
        CompileOptions{});
    Instruction& step = std::get<Fused>(find<Fused>(executable).work).steps.at(0);
    corrupt(std::get<TakeElements>(step.work), step);
    return error_of([&] { check_bounds(executable); });
  };
  EXPECT_EQ(refused([](TakeElements&, Instruction&) {}), "");
  EXPECT_NE(refused([](TakeElements& take, Instruction&) { take.size = 91; }), "");
  EXPECT_NE(refused([](TakeElements& take, Instruction&) { take.stride = 41; }), "");
  const auto misfit = HasSubstr("rows at indices do not follow the loop");
  EXPECT_THAT(refused([](TakeElements& take, Instruction&) { take.strides = {1, 1}; }), misfit);
  EXPECT_THAT(refused([](TakeElements& take, Instruction&) { take.sizes = {35, 80}; }), misfit);
  EXPECT_THAT(refused([](TakeElements&, Instruction& step) {
                step.inputs[1].type.shape = {1, 40};
              }),
              HasSubstr("a step sees another size of an operand"));
  EXPECT_NE(refused([](TakeElements&, Instruction& step) {
              step.inputs[1].type.element = ElementType::f32;
            }),
            "");
}

}  // namespace
}  // namespace understudy::program
