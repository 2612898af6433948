// SPDX-License-Identifier: Apache-2.0
// Which steps of complex numbers become steps of their parts. That results keep their bits:
// tests/worker/ops/fused/complex_chains_test.cc.
#include "gtest/gtest.h"

#include "tests/program/passes/fused.h"

namespace understudy::program {
namespace {

const Code& steps_of(const Executable& executable) { return loop_at(executable, 0).steps; }

// The real part of a product needs no imaginary part.
TEST(ComplexParts, OnlyPartsThatAreReadAreComputed) {
  const Executable after =
      fused("(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>) -> tensor<8xf32>", R"(
  %a = stablehlo.multiply %x, %y : tensor<8xcomplex<f32>>
  %b = stablehlo.real %a : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  return %b : tensor<8xf32>)");
  ASSERT_EQ(kinds(after.code), (Names{"fused"}));
  EXPECT_EQ(kinds(steps_of(after)),
            (Names{"unary", "unary", "unary", "unary", "binary", "binary", "binary"}));
  const auto& last = std::get<Binary>(steps_of(after).back().work);
  EXPECT_EQ(last.op, BinaryOp::subtract);
  EXPECT_EQ(steps_of(after).back().outputs[0].at.space, Space::result);
}

// A number of parts that come together again is loaded once and stored once.
TEST(ComplexParts, PartsAreTakenFromValues) {
  const Executable after = fused("(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>", R"(
  %a = stablehlo.add %x, %x : tensor<8xcomplex<f32>>
  %r = stablehlo.real %a : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %i = stablehlo.imag %a : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %n = stablehlo.negate %i : tensor<8xf32>
  %c = stablehlo.complex %r, %n : tensor<8xcomplex<f32>>
  return %c : tensor<8xcomplex<f32>>)");
  std::size_t loads = 0, stores = 0;
  for (const Instruction& step : steps_of(after)) {
    if (step.inputs[0].type.element == ElementType::c64) ++loads;
    if (step.outputs[0].type.element == ElementType::c64) ++stores;
  }
  EXPECT_EQ(loads, 2U);  // one of each part
  EXPECT_EQ(stores, 1U);
  EXPECT_EQ(loop_at(after, 0).frame_bytes % 4, 0U);
}

// A function without parts reads the number from memory.
TEST(ComplexParts, NumbersAreStoredForOtherSteps) {
  const Executable after = fused("(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>", R"(
  %a = stablehlo.multiply %x, %x : tensor<8xcomplex<f32>>
  %b = stablehlo.add %a, %x : tensor<8xcomplex<f32>>
  %e = stablehlo.exponential %b : tensor<8xcomplex<f32>>
  return %e : tensor<8xcomplex<f32>>)");
  const Code& steps = steps_of(after);
  ASSERT_GE(steps.size(), 2U);
  EXPECT_EQ(std::get<Unary>(steps.back().work).op, UnaryOp::exponential);
  EXPECT_EQ(std::get<Binary>(steps[steps.size() - 2].work).op, BinaryOp::complex);
}

// A kernel does as much as steps of parts where it is alone.
TEST(ComplexParts, OneStepStaysWhole) {
  const Executable after = fused("(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>", R"(
  %a = stablehlo.multiply %x, %x : tensor<8xcomplex<f32>>
  %e = stablehlo.exponential %a : tensor<8xcomplex<f32>>
  return %e : tensor<8xcomplex<f32>>)");
  EXPECT_EQ(steps_of(after).size(), 2U);
}

}  // namespace
}  // namespace understudy::program
